"""Shootouts: tables play down to one, winners continue with fresh stacks and the first level."""

from __future__ import annotations

import pytest
from django.db.models import F
from redis import Redis

from accounts.refusals import words_of
from config import clock
from config.refusals import Refusal
from tables.models import Hand, Seat, Table
from tests.tournaments.cast import STACK, Arena, chips_of, offer, places_of, started
from tests.tournaments.events.announced import tournament_event_types
from tests.tournaments.running.finished import assert_finished
from tournaments import progress
from tournaments.engine import levels
from tournaments.models import Announcement, Entry, KnockOut, Move, Tournament
from tournaments.monitor import audit
from tournaments.queries import overview
from tournaments.running import rulings, tick


def shootout(players: int, seats: int, **fields: object) -> Tournament:
    """A running shootout."""
    wanted = {"format": "shootout", "players_min": players, "seats_per_table": seats}
    return started(players, **(wanted | fields))


@pytest.mark.rule("F-04")
@pytest.mark.parametrize(
    ("players", "seats", "seed"), [(9, 3, 1), (7, 2, 2), (12, 5, 3), (5, 6, 4), (3, 2, 5)]
)
def test_winners_play_rounds_until_one_is_left(
    house: Redis, players: int, seats: int, seed: int
) -> None:
    tournament = shootout(players, seats)
    arena = Arena(tournament.pk, seed)
    opened: dict[int, int] = {}
    stages: dict[int, int] = {}

    def check() -> None:
        tournament.refresh_from_db()
        if tournament.state != "running":
            return
        assert chips_of(tournament.pk) == audit.sold_chips(tournament)
        stages.setdefault(tournament.stage, tournament.left)
        tables = Table.objects.filter(game=tournament.pk, status="open")
        opened[tournament.stage] = max(opened.get(tournament.stage, 0), tables.count())
        first = Entry.objects.filter(place__isnull=False).order_by("place").first()
        assert first is None or first.place == tournament.left + 1

    arena.run(after=check)
    assert_finished(tournament)
    tables = [-(-players // seats)]
    while tables[-1] > 1:
        tables.append(-(-tables[-1] // seats))
    assert list(opened.values()) == tables and tournament.stage == len(tables)
    assert list(stages.values()) == [players, *tables[:-1]]
    assert tournament_event_types(tournament).count("round_began") == len(tables)
    assert places_of(tournament.pk)[0][0] == 1
    moved = Move.objects.filter(tournament=tournament).values_list("reason", flat=True)
    assert set(moved) <= {"round"} and len(moved) == sum(tables[:-1])
    assert tournament.chips_at_end == (tables[-2] if len(tables) > 1 else players) * STACK
    outs = list(
        KnockOut.objects.order_by("order", "-entry__place").values_list("entry__place", flat=True)
    )
    places = [place for place in outs if place is not None]
    assert outs == sorted(places, reverse=True), "a bust in a later round places higher"


@pytest.mark.rule("F-04")
def test_a_winner_waits_and_then_starts_with_a_fresh_stack(house: Redis) -> None:
    tournament = shootout(6, 3)
    arena = Arena(tournament.pk, 8)
    first, second = arena.tables()
    while Seat.objects.filter(table=first).count() > 1:
        arena.step(first)
    while arena.step(first) != "next_round":
        pass
    assert [arena.step(first) for _ in range(3)] == ["next_round"] * 3
    Tournament.objects.filter(pk=tournament.pk).update(started_ms=F("started_ms") - 3_600_000)
    tick.tick(tournament.pk)
    tournament.refresh_from_db()
    assert progress.level(tournament)[0] > 1
    while arena.step(second) != "close":
        pass
    tournament.refresh_from_db()
    assert tournament.stage == 2 and tournament.left == 2 and tournament.final_table
    assert list(Seat.objects.values_list("chips", flat=True)) == [STACK, STACK]
    assert progress.level(tournament)[0] == 1
    assert levels.elapsed_ms(tournament.clock(), clock.database_now_ms()) < 60_000
    assert progress.hands_played(tournament) == 0
    tick.tick(tournament.pk)
    assert tournament_event_types(tournament)[-1] == "level_began"
    assert arena.step(first) == "close"
    notices = Announcement.objects.filter(stream__startswith="user:")
    sent_on = [row for row in notices if b'"to_table"' in bytes(row.payload)]
    assert len(sent_on) == 2, "both winners are notified of their seats"
    final = next(table for table in arena.tables() if table not in (first, second))
    assert arena.step(final) == "grant"
    arena.run()
    assert_finished(tournament)
    last = Hand.objects.filter(table=final).order_by("number").first()
    assert last is not None and last.level == 1
    seen = overview.overview(tournament)
    assert (seen.round, seen.rounds) == (2, 2)


@pytest.mark.rule("F-04")
@pytest.mark.rule("T-15")
def test_a_disqualified_winner_delays_no_round(house: Redis) -> None:
    tournament = shootout(6, 2)
    arena = Arena(tournament.pk, 4)
    first = arena.tables()[0]
    while Seat.objects.filter(table=first).count() > 1:
        arena.step(first)
    while arena.step(first) != "next_round":
        pass
    winner = Seat.objects.get(table=first)
    rulings.disqualify(winner.entry, actor=None, reason="collusion")
    arena.run()
    assert_finished(tournament)
    assert tournament.stage == 2 and len(places_of(tournament.pk)) == 6


@pytest.mark.rule("F-04")
@pytest.mark.rule("T-09")
def test_tables_of_a_shootout_never_wait_for_each_other_nor_balance(house: Redis) -> None:
    tournament = shootout(9, 3, bubble_places=5, bubble_final=5)
    arena = Arena(tournament.pk, 3)
    arena.run()
    tournament.refresh_from_db()
    assert tournament.round == 0
    assert not {kind for _, kind in arena.answers} & {"hand_for_hand", "balancing", "final_table"}
    assert not Move.objects.exclude(reason="round").exists()


@pytest.mark.rule("F-04")
@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("set_number", {"players_min": 3, "players_max": 9}),
        ("no_buying", {"players_min": 6, "entries_max": 2, "several_at_once": True}),
        ("too_many_rounds", {"players_min": 5_000, "players_max": 5_000, "seats_per_table": 2}),
        ("set_number", {"start": "scheduled", "starts_at": "2030-01-01T12:00Z", "players_min": 6}),
    ],
)
def test_a_shootout_that_cannot_be_played_is_refused(
    house: Redis, code: str, fields: dict[str, object]
) -> None:
    from django.utils.dateparse import parse_datetime

    if "starts_at" in fields:
        fields = fields | {"starts_at": parse_datetime(str(fields["starts_at"]))}
    with pytest.raises(Refusal) as refused:
        offer(**({"format": "shootout"} | fields))
    assert refused.value.code == code and words_of(refused.value)
    assert not Tournament.objects.exists()


@pytest.mark.rule("F-04")
def test_a_restarted_clock_keeps_its_stop_reasons() -> None:
    clock_before = levels.Clock(started_ms=1_000, stopped_ms=500, charged_ms=2_000)
    again = levels.restart(clock_before, 50_000)
    assert levels.elapsed_ms(again, 50_000) == 0 and levels.elapsed_ms(again, 51_000) == 1_000
    stopped = levels.restart(levels.stop(clock_before, 40_000, "paused"), 50_000)
    assert stopped.stops == ("paused",) and levels.elapsed_ms(stopped, 60_000) == 0
    assert levels.elapsed_ms(levels.go_on(stopped, 60_000, "paused"), 61_000) == 1_000
