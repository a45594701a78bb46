"""Tables go on between two statements of a transaction that has locked their tournament alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from redis import Redis

from tables.dealer import director
from tables.models import Seat
from tables.workers.opening import open_tables
from tests.tournaments.cast import Arena, at_once, passive, started
from tests.tournaments.running.batches.batch_cast import make_all, undone
from tests.tournaments.running.earlier_start import PLAY_MS, time_passes
from tests.tournaments.running.final_table import FinalTable
from tests.tournaments.running.finished import assert_finished
from tests.tournaments.running.formats.cash_chips import CASH
from tests.tournaments.seating.short_tables import knocked_out
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, Move, Tournament
from tournaments.pages import deal_panel
from tournaments.prizes import placing
from tournaments.running import batches, operations, rulings, tick

SMALL = 100
PAID = [{"fewest": 2, "most": 100, "shares": [5_000, 3_000, 2_000]}]


@contextmanager
def after(part: str, act: Callable[[], object], number: int = 1) -> Iterator[None]:
    """Act after the first statement of this connection with this part, or that of a `number`."""
    seen: list[str] = []

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if part in sql:
            seen.append(sql)
            if len(seen) == number:
                act()
        return result

    with connection.execute_wrapper(watch):
        yield
    assert len(seen) >= number, "there was such a statement"


def two_tables(**fields: object) -> tuple[Tournament, Arena, int, int]:
    """A running tournament of two tables, the first of four players, the second of three."""
    tournament = started(7, seats_per_table=4, bubble_places=0, **fields)
    arena = Arena(tournament.pk)
    arena.choose = passive
    players = {pk: Seat.objects.filter(table=pk).count() for pk in arena.tables()}
    first, second = sorted(players, key=lambda pk: -players[pk])
    return tournament, arena, first, second


def moving(**fields: object) -> tuple[Tournament, int, int]:
    """Two tables that stand, an entry on its way to the second one, and that table."""
    tournament, arena, first, second = two_tables(**fields)
    entry = Seat.objects.filter(table=first).earliest("pk").entry
    operations.pause(tournament.pk)
    rulings.move(entry, second, actor=None, reason="friends")
    arena.step(first)
    operations.resume(tournament.pk)
    assert Move.objects.get(entry=entry).state == "left"
    return tournament, entry, second


def arrives(entry: int, table: int) -> None:
    """Let the table seat the entry, as its worker does before the next hand."""
    at_once(lambda: director.of("tournament").next(table, 1))
    assert Move.objects.get(entry=entry).state == "seated"


@pytest.mark.rule("T-12")
@pytest.mark.parametrize("fields", [{}, CASH])
@pytest.mark.parametrize("read", ['"tables_seat"', '"tournaments_move"'])
def test_an_entry_that_arrives_meanwhile_has_the_share_of_its_chips(
    house: Redis, fields: dict[str, object], read: str
) -> None:
    tournament, entry, table = moving(**fields)
    with undone():
        operations.cancel_forward(tournament.pk)
        expected = dict(tournament.entries.values_list("pk", "prize"))
    with after(f"FROM {read}", lambda: arrives(entry, table)):
        operations.cancel_forward(tournament.pk)
    make_all(tournament)
    assert dict(tournament.entries.values_list("pk", "prize")) == expected


@pytest.mark.rule("T-11")
@pytest.mark.parametrize("number", [1, 2])
def test_an_entry_that_arrives_as_the_time_is_up_is_placed_and_paid(
    house: Redis, number: int
) -> None:
    tournament, entry, table = moving(play_time_ms=PLAY_MS, time_up="proportional")
    with after('FROM "tables_seat"', lambda: arrives(entry, table), number):
        time_passes(tournament, PLAY_MS)
    assert Entry.objects.get(pk=entry).place == 1
    assert_finished(tournament)


@pytest.mark.rule("T-11")
@pytest.mark.rule("Z-04")
@pytest.mark.parametrize("tables_at_once", [1, 16])
def test_a_bust_is_placed_while_the_last_hand_ends(
    house: Redis, monkeypatch: pytest.MonkeyPatch, tables_at_once: int
) -> None:
    tournament, arena, first, second = two_tables(play_time_ms=PLAY_MS)
    monkeypatch.setattr(batches, "TABLES", tables_at_once)
    poor, rich = Seat.objects.filter(table=first).order_by("pk")[:2]
    Seat.objects.filter(pk=poor.pk).update(chips=SMALL)
    Seat.objects.filter(pk=rich.pk).update(chips=rich.chips + poor.chips - SMALL)
    house.flushall()
    open_tables([first, second])
    arena = Arena(tournament.pk)
    arena.choose = passive
    for table in arena.tables():
        while arena.states[table].phase != "finished":
            arena.step(table)
    arena.states[first] = knocked_out(arena.states[first], {SMALL})
    time_passes(tournament, PLAY_MS)
    assert tournament.time_over and tournament.state == "running"

    real = placing.place
    answers: list[list[object]] = []

    def place(tx: TournamentTransaction, now: Collection[int]) -> list[Entry]:
        if not answers:
            answers.append(at_once(lambda: arena.step(second)))
        return real(tx, now)

    monkeypatch.setattr(placing, "place", place)
    assert arena.step(first) == "settled" and answers == [["settled"]]
    for table in (first, second):
        arena.step(table)
    make_all(tournament)
    assert_finished(tournament)
    assert tournament.entries.filter(state="won").count() == 6
    assert tick.tick(tournament.pk) is None


@pytest.mark.rule("Y-02")
def test_no_deal_is_shown_to_whom_one_goes_out_meanwhile(house: Redis) -> None:
    final = FinalTable(3, payout_table=PAID)
    heir, gone = Seat.objects.order_by("seat")[:2]
    assert deal_panel.of(final.tournament, heir.user) is not None

    def go_out() -> None:
        gone.delete()
        Seat.objects.filter(pk=heir.pk).update(chips=heir.chips + gone.chips)
        Tournament.objects.update(left=2)

    with after('COUNT(*) AS "__count" FROM "tables_seat"', go_out):
        assert deal_panel.of(final.tournament, heir.user) is None
