"""A tournament freezes while a table of its hangs, and goes on together (T-13)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from redis import Redis

from config import clock, limits
from tables.models import Table
from tables.store import fenced, hidden_states, keys
from tests.tournaments.cast import Arena, passive, started
from tests.tournaments.events.announced import event_types
from tournaments.models import AuditRow, Tournament
from tournaments.running import batches, freezing, operations, tick


def make_late(house: Redis, table: int, ms: int, phase: str = "granted") -> None:
    """Make a table late by this much, however often its bell was rung, a second after a tick."""
    freezing.forget(Table.objects.get(pk=table).game)
    make_late_now(house, table, ms, phase)


def make_late_now(house: Redis, table: int, ms: int, phase: str = "granted") -> None:
    """Make a table late by this much while no tick has looked for it since the last one."""
    state = fenced.peek(house, table)
    assert state is not None
    now_ms = clock.redis_now_ms(house)
    key = keys.state(keys.table(table), 1)
    late = msgspec.structs.replace(state, phase=phase, due_ms=now_ms - ms)
    house.hset(key, mapping={"state": hidden_states.encode(late), "rings": ms // 1_000})


@pytest.mark.rule("T-13")
def test_all_tables_stop_and_resume_together_when_one_hangs(house: Redis) -> None:
    tournament = started(4, seats_per_table=2)
    arena = Arena(tournament.pk)
    arena.choose = passive
    first, second = arena.tables()
    tick.tick(tournament.pk)
    make_late(house, first, 12_000)
    tick.tick(tournament.pk)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.stops) == ("frozen", ["frozen"])
    assert event_types(tournament.member)[-1] == "paused"
    assert arena.step(second) == "paused"
    make_late(house, first, 0)
    tick.tick(tournament.pk)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.stops) == ("running", [])
    assert event_types(tournament.member)[-1] == "resumed"
    assert arena.step(second) == "grant"
    for player in tournament.entries.values_list("user", flat=True):
        notices = event_types(f"user:{player}")
        assert notices[-2:] == ["tournament_paused", "tournament_resumed"]
        assert notices.count("tournament_paused") == 1, "once"
    actions = AuditRow.objects.filter(tournament=tournament).values_list("action", flat=True)
    assert {"freeze", "thaw"} < set(actions)


@pytest.mark.rule("T-13")
def test_a_few_lost_bells_or_a_busy_settle_queue_stop_no_table(house: Redis) -> None:
    tournament = started(4, seats_per_table=2)
    first, second = Arena(tournament.pk).tables()
    make_late(house, first, 8_000)
    make_late(house, second, 12_000, phase="boundary")
    tick.tick(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == "running"


@pytest.mark.rule("T-13")
def test_the_end_of_a_fault_never_undoes_a_pause(house: Redis) -> None:
    tournament = started(4, seats_per_table=2)
    table = Arena(tournament.pk).tables()[0]
    make_late(house, table, 12_000)
    tick.tick(tournament.pk)
    operations.pause(tournament.pk)
    make_late(house, table, 0)
    tick.tick(tournament.pk)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.stops) == ("paused", ["paused"])
    operations.resume(tournament.pk)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.stops) == ("running", [])


@pytest.mark.rule("T-13")
def test_a_fault_that_outlasts_a_pause_announces_the_running_clock_at_its_end(house: Redis) -> None:
    tournament = started(4, seats_per_table=2)
    table = Arena(tournament.pk).tables()[0]
    make_late(house, table, 12_000)
    tick.tick(tournament.pk)
    operations.pause(tournament.pk)
    operations.resume(tournament.pk)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.stops) == ("running", ["frozen"])
    make_late(house, table, 0)
    tick.tick(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.stops == []
    assert event_types(tournament.member)[-2:] == ["resumed", "resumed"]
    player = tournament.entries.values_list("user", flat=True)[0]
    assert event_types(f"user:{player}").count("tournament_resumed") == 1


@pytest.mark.rule("T-13")
def test_ticks_that_come_fast_read_the_tables_once_a_second(house: Redis) -> None:
    tournament = started(6, seats_per_table=2)
    read = []
    for is_later in (False, False, False, True, False):
        if is_later:
            _pass_a_second(house, tournament)
        before = _hgets(house)
        tick.tick(tournament.pk)
        read.append(_hgets(house) - before)
    assert read == [3, 0, 0, 3, 0], "each of three tables"


@pytest.mark.rule("T-13")
def test_a_tick_that_read_no_table_neither_freezes_nor_thaws(house: Redis) -> None:
    tournament = started(4, seats_per_table=2)
    tick.tick(tournament.pk)
    table = Arena(tournament.pk).tables()[0]
    states = []
    for late_ms in (12_000, 0):
        make_late_now(house, table, late_ms)
        for is_later in (False, True):
            if is_later:
                _pass_a_second(house, tournament)
            tick.tick(tournament.pk)
            tournament.refresh_from_db()
            states.append(tournament.state)
    assert states == ["running", "frozen", "frozen", "running"]


def test_tables_are_read_after_a_clock_that_was_set_back(house: Redis) -> None:
    tournament = started(4, seats_per_table=2)
    tick.tick(tournament.pk)
    house.incrby(freezing.read_key(tournament.pk), 3_600_000)
    assert freezing.overdue(tournament.pk) == []
    assert freezing.overdue(tournament.pk) is None


def test_an_ended_tournament_leaves_no_time_of_reading(house: Redis) -> None:
    tournament = started(2)
    tick.tick(tournament.pk)
    assert house.exists(freezing.read_key(tournament.pk))
    operations.cancel(tournament.pk)
    while tick.tick(tournament.pk) == batches.NEXT_MS:
        pass
    assert not house.exists(freezing.read_key(tournament.pk))


def _pass_a_second(house: Redis, tournament: Tournament) -> None:
    """Let the last reading of the tables be one interval of ticks ago."""
    house.decrby(freezing.read_key(tournament.pk), limits.TOURNAMENT_TICK_MS)


def _hgets(house: Redis) -> int:
    """Count the readings of bells since the server started."""
    stats: Any = house.info("commandstats")
    return int(stats["cmdstat_hget"]["calls"])
