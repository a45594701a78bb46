"""Starts of large fields: tables open in batches of ticks, resumed after deaths."""

from __future__ import annotations

from datetime import timedelta
from threading import Event
from time import sleep

import pytest
from django.db import connection
from django.utils import timezone
from redis import Redis

from accounts.users import bots
from config import limits
from tables.models import Seat, Table
from tests.tournaments.cast import Arena, at_once, law, started
from tests.tournaments.events.announced import event_types
from tests.tournaments.running.batches import batch_cast
from tests.tournaments.running.batches.batch_cast import (
    PLAYERS,
    TABLES,
    due,
    field,
    open_in_redis,
    times_told,
)
from tournaments import locks
from tournaments.entries import registration
from tournaments.events import bells
from tournaments.events.unit_of_work import (
    free_tournament_transaction,
    tournament_transaction,
)
from tournaments.models import Move
from tournaments.running import batches, tasks, tick


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    batch_cast.make_small(monkeypatch)


@pytest.mark.rule("T-14")
def test_the_tables_of_a_start_open_in_batches_and_each_player_is_told_once(house: Redis) -> None:
    tournament, players = field()
    assert tournament.state == "running" and tournament.left == PLAYERS
    assert Seat.objects.count() == PLAYERS, "all seats are drawn at the start"
    assert open_in_redis(house, tournament) == [3, 4]
    assert sum(times_told(players, "seated")) in (3, 4)
    assert tick.tick(tournament.pk) == batches.NEXT_MS
    assert open_in_redis(house, tournament) == [1, 2, 3, 4]
    assert (tick.tick(tournament.pk) or 0) > batches.NEXT_MS
    assert times_told(players, "seated") == [1] * PLAYERS
    assert event_types(tournament.member).count("table_opened") == TABLES
    law(tournament.pk)


def test_a_start_goes_on_after_its_worker_and_its_wake_are_lost(house: Redis) -> None:
    tournament, players = field()
    bells.cancel(tournament.pk)
    bells.ensure_all()
    assert due(tournament)
    tasks.tick(tournament.member)
    tournament.refresh_from_db()
    assert tournament.opening == 0 and times_told(players, "seated") == [1] * PLAYERS


def test_a_busy_settle_queue_gets_one_table_of_a_start_at_a_time(
    house: Redis, broker: Redis
) -> None:
    tournament, _ = field()
    broker.rpush("settle", *["a bell"] * (limits.BELLS_WAITING_MAX + 1))
    tick.tick(tournament.pk)
    broker.delete("settle")
    assert open_in_redis(house, tournament) == [2, 3, 4]


def test_a_busy_settle_queue_gets_tables_of_a_start_as_others_have_their_first_hands(
    house: Redis, broker: Redis
) -> None:
    tournament, players = field()
    broker.rpush("settle", *["a bell"] * (limits.BELLS_WAITING_MAX + 1))
    arena = Arena(tournament.pk)
    assert arena.step(arena.tables()[0]) == "grant"
    assert tick.tick(tournament.pk) == batches.NEXT_MS
    assert open_in_redis(house, tournament) == [2, 3, 4], "one waits, so one place is free"
    assert tick.tick(tournament.pk) == batches.NO_PLACE_MS
    assert open_in_redis(house, tournament) == [1, 2, 3, 4], "two wait: one opens, and slowly"
    broker.delete("settle")
    assert times_told(players, "seated") == [1] * PLAYERS


def test_a_start_has_its_share_of_an_overcrowded_settle_queue(house: Redis, broker: Redis) -> None:
    tournament = started(16, seats_per_table=2)
    for bells_waiting, opened, again_ms in (
        (limits.BELLS_WAITING_MAX + 1, 3, batches.NO_PLACE_MS),
        (5 * batches.BELLS_FOR_A_TABLE, 5, batches.NEXT_MS),
        (5 * batches.BELLS_FOR_A_TABLE, 6, batches.NO_PLACE_MS),
    ):
        broker.delete("settle")
        broker.rpush("settle", *["a bell"] * bells_waiting)
        assert tick.tick(tournament.pk) == again_ms
        assert len(open_in_redis(house, tournament)) == opened
    broker.delete("settle")


def test_a_start_keeps_its_pace_in_a_queue_that_hands_in_play_keep_crowded(
    house: Redis, broker: Redis
) -> None:
    tournament = started(8, seats_per_table=2)
    broker.rpush("settle", *["a bell"] * (limits.BELLS_WAITING_MAX + 1))
    arena, opened = Arena(tournament.pk), [2]
    while opened[-1] < TABLES:
        for table in arena.tables():
            if arena.states[table].phase == "boundary":
                assert arena.step(table) == "grant"
        tick.tick(tournament.pk)
        opened.append(len(open_in_redis(house, tournament)))
    broker.delete("settle")
    assert opened == [2, 4], "a whole batch at each tick"


def test_a_late_player_at_a_new_table_meanwhile_is_seated(house: Redis) -> None:
    tournament, players = field(
        start="scheduled",
        starts_at=timezone.now() + timedelta(hours=1),
        players_max=20,
        late_ends="at_level",
        late_value=3,
    )
    late = bots.create(PLAYERS + 2)[PLAYERS:]
    for player in late:
        registration.register(player, tournament)
    while (tick.tick(tournament.pk) or 0) <= batches.NEXT_MS:
        pass
    on_their_way = Move.objects.filter(state=Move.State.LEFT).count()
    assert Seat.objects.count() + on_their_way == PLAYERS + 2
    assert times_told(players, "seated") == [1] * PLAYERS
    opened = Table.objects.filter(game=tournament.pk, status="open").order_by("number")
    assert open_in_redis(house, tournament) == list(opened.values_list("number", flat=True))
    law(tournament.pk)


def test_a_tick_takes_its_turn_behind_transactions_that_are_soon_over(house: Redis) -> None:
    tournament = started(2)
    taken, waits = Event(), []

    def hold() -> None:
        with tournament_transaction(tournament.pk):
            taken.set()
            waits.append(_waited_for())

    def look() -> int | None:
        taken.wait()
        return tick.tick(tournament.pk)

    [_, again_ms] = at_once(hold, look)
    assert waits == [True] and isinstance(again_ms, int) and again_ms > batches.HELD_MS


def _waited_for() -> bool:
    """Wait until another connection waits for a lock of this one."""
    with connection.cursor() as cursor:
        for _ in range(1_000):
            cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
            if cursor.fetchone():
                return True
            sleep(0.002)
    return False


def test_a_turn_leaves_the_longest_wait_for_locks_as_it_was(house: Redis) -> None:
    tournament = started(2)
    with free_tournament_transaction(tournament.pk) as tx, connection.cursor() as cursor:
        assert tx is not None
        cursor.execute("SHOW lock_timeout")
        before = cursor.fetchone()
        locks._tournament_in_turn(tournament.pk)
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == before


def test_a_tick_leaves_a_tournament_alone_that_another_transaction_holds(house: Redis) -> None:
    tournament, other = started(2), started(2)
    with tournament_transaction(tournament.pk):
        [held, free] = at_once(lambda: tick.tick(tournament.pk), lambda: tick.tick(other.pk))
    assert held == batches.HELD_MS
    assert isinstance(free, int) and free > batches.HELD_MS
