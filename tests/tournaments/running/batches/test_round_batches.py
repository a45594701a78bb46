"""Rounds of large shootouts: drawn at once, their tables opened in batches of ticks."""

from __future__ import annotations

import random
from collections import Counter
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from redis import Redis

from accounts.models import User
from tables.dealer import director
from tables.dealer.grants import Close, Wait
from tables.models import Seat, Table
from tables.store import keys, wakes
from tests.samples import size
from tests.tournaments.cast import STACK, started
from tests.tournaments.events.announced import event_types
from tests.tournaments.running.batches.batch_cast import (
    WorkerDiedError,
    due,
    make_small,
    open_in_redis,
    times_told,
    undone,
)
from tournaments.events import bells
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import Announcement, Entry, KnockOut, Move, Tournament
from tournaments.monitor import audit
from tournaments.running import batches, opening, rulings, settlement, tasks, tick
from tournaments.seating import draws, shootout

PLAYERS = 14
TIMELY = {"resumed", "level_began", "break_began", "hands_left"}
"""Events of the clock: a slow machine is charged for an outage."""


def _shootout(players: int = PLAYERS, seats: int = 2) -> Tournament:
    """A running shootout with all tables open."""
    fields = {"format": "shootout", "players_min": players, "seats_per_table": seats}
    tournament = started(players, **fields)
    _open_all(tournament)
    return tournament


def _played_round(players: int = PLAYERS) -> Tournament:
    """A shootout at tables of two seats whose first round is over."""
    tournament = _shootout(players)
    _play_round(tournament, random.Random(1))
    return tournament


def _play_round(tournament: Tournament, chance: random.Random, *, expel: bool = False) -> None:
    """Let one player of each open table win it, in any order; then the room may expel one."""
    tables = list(_tables(tournament).filter(status="open"))
    chance.shuffle(tables)
    for table in tables:
        seats = list(Seat.objects.filter(table=table).order_by("seat"))
        winner, *outs = chance.sample(seats, len(seats))
        with tournament_transaction(tournament.pk) as tx:
            Seat.objects.filter(pk__in=[seat.pk for seat in outs]).delete()
            Seat.objects.filter(pk=winner.pk).update(
                chips=len(seats) * STACK,
                bank_ms=chance.randrange(9_000),
                absent=chance.random() < 0.3,
                showdown=chance.choice(["auto", "show", "muck"]),
                pledge=chance.choice([b"", chance.randbytes(32)]),
            )
            hand = chance.randint(1, 9)
            Table.objects.filter(pk=table.pk).update(hand=hand, granted_hand=hand)
            for seat in outs:
                tx.tournament.knocked_out += 1
                KnockOut.objects.create(
                    tournament=tournament, entry_id=seat.entry, order=tx.tournament.knocked_out,
                    round=0, table_id=table.pk, hand=hand, stack=STACK, button_distance=1,
                    winners=[(winner.entry, STACK)],
                )  # fmt: skip
            if outs:
                found = Entry.objects.filter(pk__in=[seat.entry for seat in outs])
                settlement.go_out(tx, list(found.order_by("pk")))
    if expel:
        seat = Seat.objects.filter(table=tables[0]).select_related("table").get()
        with tournament_transaction(tournament.pk) as tx:
            entry = Entry.objects.get(pk=seat.entry)
            ruling = rulings.make(tx, entry, "disqualify", None, None, "collusion")
            seat.delete()
            rulings._put_out(tx, seat.table, ruling, seat.chips)
    tournament.refresh_from_db()


def _tables(tournament: Tournament) -> Any:
    rows = Table.objects.filter(director="tournament", game=tournament.pk)
    return rows.order_by("number")


def _ask(tournament: Tournament, at: int = 0) -> object:
    """Let a table of the round that is over ask for its next hand."""
    table = _tables(tournament).filter(status="open")[at]
    said = director.of("tournament").next(table.pk, table.hand + 1)
    tournament.refresh_from_db()
    return said


def _open_all(tournament: Tournament) -> int:
    """Tick until all tables are open; return the number of ticks."""
    for count in range(40):
        tournament.refresh_from_db()
        _law(tournament)
        if not tournament.opening:
            return count
        tick.tick(tournament.pk)
    raise AssertionError("the opening comes to no end")


def _law(tournament: Tournament) -> None:
    """Assert that the audit finds nothing but hands that these tests do not play."""
    if not connection.in_atomic_block:
        found = audit.audit_tournaments(tournament.pk)
        assert [line for line in found if "hands settled" not in line] == []


def _winners(tournament: Tournament, *numbers: int) -> list[User]:
    """Players at the tables of these numbers."""
    seats = Seat.objects.filter(table__game=tournament.pk, table__number__in=numbers)
    return [seat.user for seat in seats.select_related("user").order_by("pk")]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch)


@pytest.mark.rule("F-04")
def test_the_tables_of_a_round_open_in_batches_and_each_winner_is_told_once(
    house: Redis, small: None
) -> None:
    tournament = _played_round()
    assert isinstance(_ask(tournament), Close), "the old table closes at once"
    assert (tournament.stage, tournament.left) == (2, 7)
    assert Seat.objects.count() == 7 and _tables(tournament).filter(status="open").count() == 4
    first, rest = _winners(tournament, 10, 11), _winners(tournament, 8, 9)
    for opened, told in (([10, 11], 0), ([8, 9, 10, 11], 1)):
        assert open_in_redis(house, tournament)[-len(opened) :] == opened
        assert event_types(tournament.member).count("table_opened") == 7 + len(opened)
        assert set(times_told(first, "moved")) == {1} and set(times_told(rest, "moved")) == {told}
        moved = event_types(tournament.member).count("moved")
        assert moved == len(first) + told * len(rest)
        _law(tournament)
        assert tick.tick(tournament.pk) == (batches.NEXT_MS if not told else 1_000)
    assert times_told(first + rest, "seated") == [1] * 7, "only the start tells that"


@pytest.mark.rule("F-04")
def test_a_round_of_one_batch_opens_at_once(house: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = _played_round()
    monkeypatch.setattr(batches, "TABLES", 4)
    _ask(tournament)
    assert tournament.opening == 0
    assert open_in_redis(house, tournament)[-4:] == [8, 9, 10, 11]
    told = [kind for kind in event_types(tournament.member) if kind not in TIMELY]
    wanted = ["table_closed"] * 7 + ["table_opened"] * 4 + ["moved"] * 7 + ["round_began"]
    assert told[-19:] == wanted


def test_old_tables_are_woken_as_the_new_tables_of_their_winners_open(
    house: Redis, small: None
) -> None:
    tournament = _played_round()
    before = {table.pk for table in _tables(tournament)}
    for pk in before:
        wakes.schedule(house, keys.table(pk), 10**15, "settle")
    _ask(tournament)
    for numbers in ((10, 11), (8, 9, 10, 11)):
        woken = {pk for pk in before if wakes.due(house, keys.table(pk)) == 0}
        left = Move.objects.filter(to_table__number__in=numbers, reason="round")
        assert woken == set(left.values_list("from_table", flat=True))
        tick.tick(tournament.pk)


def test_a_round_closes_all_old_tables_under_new_epochs(house: Redis, small: None) -> None:
    tournament = _played_round()
    _ask(tournament)
    rows = _tables(tournament).values_list("status", "epoch", "closed_at")
    assert {(status, epoch, at is not None) for status, epoch, at in rows[:7]} == {
        ("closed", 2, True)
    }
    assert set(rows[7:]) == {("open", 1, None)}
    assert not Seat.objects.filter(newcomer=True).exists(), "all have their first hand together"
    moves = Move.objects.filter(hand=F("from_table__hand"), version=tournament.balance_version)
    assert moves.filter(reason="round", state="seated", chips=STACK).count() == 7


def test_drawn_seats_know_their_tables(house: Redis) -> None:
    tournament = _played_round()
    with undone(), tournament_transaction(tournament.pk) as tx:
        drawn = shootout.draw_round(tx)
        with CaptureQueriesContext(connection) as seen:
            assert {seat.table.number for seat in drawn} == {8, 9, 10, 11}
        assert not len(seen)


def test_a_round_goes_on_after_its_worker_and_its_wake_are_lost(house: Redis, small: None) -> None:
    tournament = _played_round()
    had = _outcome(tournament)
    with pytest.raises(WorkerDiedError):
        _die(tournament)
    assert _outcome(tournament) == had, "nothing of the round counts"
    _ask(tournament)
    had = _outcome(tournament)
    with pytest.raises(WorkerDiedError):
        _die(tournament)
    assert _outcome(tournament) == had, "nothing of the batch counts"
    bells.cancel(tournament.pk)
    bells.ensure_all()
    assert due(tournament)
    tasks.tick(tournament.member)
    tournament.refresh_from_db()
    assert tournament.opening == 0
    assert times_told(_winners(tournament, 8, 9, 10, 11), "moved") == [1] * 7
    _law(tournament)


def _die(tournament: Tournament) -> None:
    """Let a worker die in the new round, or in its next batch."""
    with tournament_transaction(tournament.pk) as tx:
        assert opening.open_next(tx) if tournament.opening else opening.next_round(tx)
        raise WorkerDiedError


def test_a_round_asks_for_the_tick_that_opens_its_next_tables(house: Redis, small: None) -> None:
    tournament = _played_round()
    tick.tick(tournament.pk)
    bells.schedule(tournament.pk, 60_000)
    before_ms = bells.due(tournament.pk)
    _ask(tournament)
    now_ms, due_ms = wakes.now_ms(house, 0), bells.due(tournament.pk)
    assert before_ms and due_ms and due_ms < min(before_ms, now_ms + 1_000)


def test_tables_wait_for_the_last_of_their_round(house: Redis, small: None) -> None:
    tournament = _shootout()
    last = _tables(tournament)[6]
    held = list(Seat.objects.filter(table=last))
    _play_round(tournament, random.Random(1))
    Seat.objects.filter(table=last).delete()
    Seat.objects.bulk_create(held)
    said = _ask(tournament)
    assert isinstance(said, Wait) and said.reason == "next_round", "two still play"
    with tournament_transaction(tournament.pk) as tx:
        assert not opening.next_round(tx), "a hand may be granted before the lock is held"
    assert (tx.tournament.stage, tx.tournament.tables_opened) == (1, 7)
    Seat.objects.filter(pk=held[0].pk).delete()
    Table.objects.filter(pk=last.pk).update(granted_hand=F("hand") + 1)
    said = _ask(tournament)
    assert isinstance(said, Wait) and said.reason == "next_round", "its hand is not settled"


def test_a_round_of_any_size_takes_the_same_statements(house: Redis, small: None) -> None:
    counts = []
    for players in (PLAYERS, 2 * PLAYERS):
        tournament = _played_round(players)
        with CaptureQueriesContext(connection) as seen:
            _ask(tournament)
        counts.append(len(seen))
        Tournament.objects.filter(pk=tournament.pk).update(state="cancelled")
    assert counts[0] == counts[1]


@pytest.mark.rule("F-04")
@pytest.mark.rule("T-14")
@pytest.mark.parametrize("seed", range(size(6, 60)))
def test_batches_of_two_give_what_one_transaction_gives(
    house: Redis, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance = random.Random(seed)
    tournament = _shootout(chance.randint(9, 40), chance.randint(2, 4))
    with undone():
        monkeypatch.setattr(batches, "TABLES", 100)
        expected, ticks = _course(tournament, seed, monkeypatch)
    assert not any(ticks), "one transaction opens all"
    tournament.refresh_from_db()
    monkeypatch.setattr(batches, "TABLES", 2)
    assert _course(tournament, seed, monkeypatch)[0] == expected
    _law(tournament)


def _course(
    tournament: Tournament, seed: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[Any], list[int]]:
    """Play rounds to the last but one; return the outcome of each, and the ticks that it took."""
    chance = random.Random(seed)
    lot = random.Random(seed)
    monkeypatch.setattr(draws, "entropy", SimpleNamespace(system=lambda: lot))
    outcomes: list[Any] = []
    ticks: list[int] = []
    while _tables(tournament).filter(status="open").count() > 2:
        _play_round(tournament, chance, expel=chance.random() < 0.5)
        stage = tournament.stage
        assert isinstance(_ask(tournament, chance.randrange(2)), Close)
        ticks.append(_open_all(tournament))
        assert tournament.stage == stage + 1
        outcomes.append(_outcome(tournament))
    return outcomes, ticks


def _outcome(tournament: Tournament) -> tuple[Any, ...]:
    """Seats, moves, entries, the row, events and notices; tables by their numbers."""
    numbers = dict(_tables(tournament).values_list("pk", "number"))
    values = ("chips", "bank_ms", "absent", "showdown", "pledge")
    seats = Seat.objects.filter(table__game=tournament.pk).order_by("table__number", "seat")
    moves = Move.objects.order_by("to_table__number", "to_seat")
    of_move = ("entry", "reason", "state", "from_table__number", "from_seat", "to_table__number")
    row = Tournament.objects.filter(pk=tournament.pk)
    told = Announcement.objects.exclude(stream="lobby")  # that hears of each tick
    events = [
        (stream, _bare(bytes(payload), numbers))
        for stream, payload in told.values_list("stream", "payload")
    ]
    return (
        list(seats.values_list("table__number", "seat", "entry", "user", "name", *values)),
        list(moves.values_list(*of_move, "to_seat", "hand", "version", *values)),
        list(_tables(tournament).values_list("number", "status", "epoch", "hand")),
        list(tournament.entries.order_by("pk").values_list("pk", "state", "place", "dead_chips")),
        list(row.values_list("stage", "left", "tables_opened", "final_table", "balance_version")),
        Counter(event for event in events if event[1][0] not in TIMELY),
    )


def _bare(payload: bytes, numbers: dict[int, int]) -> tuple[str, str]:
    """Return the type of an event, and it without times and with the numbers of its tables."""
    event = msgspec.json.decode(payload)
    for key in ("table", "from_table", "to_table"):
        if event.get(key) in numbers:
            event[key] = f"number {numbers[event[key]]}"
    bare = {key: value for key, value in event.items() if not key.endswith("_ms")}
    return event["type"], str(bare)
