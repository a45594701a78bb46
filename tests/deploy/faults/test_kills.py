"""Kills of real processes during one tournament: play goes on, and nothing is lost at its end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from config import clock, limits
from deploy.measuring.pulse import Fault, Pulse
from deploy.processes import programs
from tables.workers import presence
from tests.deploy.cluster.living import CALM_MS, Bots, Living, are_complete
from tests.deploy.faults import recoveries
from tests.deploy.measuring import machine

PLAYERS, SEATS = 12, 6
STACK = 12_000
"""Chips of 240 big blinds, so that two tables are left for the last kill."""
PROCESS_S = 5.0
"""Limit in s until play goes on after a kill of a worker, the web process or bots."""
SERVER_S = 10.0
"""Limit in s until play goes on after a kill of Redis, with its file or without."""
STEADY_S = 1.0
LOOKED_S = 3.0
"""Least time in s to watch a fault, which ends when all tables had a recent event."""
END_S = 90.0
OUTAGE_S = limits.TOURNAMENT_GAP_MS / 1_000

pytestmark = [pytest.mark.cluster, pytest.mark.alone]


@pytest.fixture
def pulse(living: Living) -> Iterator[Pulse]:
    made = Pulse(living.layout.servers().room.url)
    yield made
    made.close()


@pytest.fixture(scope="module")
def bots(living: Living) -> Bots:
    """Bots of a tournament that is well under way, in a level that lasts until the last test."""
    deep = {"starting_stack": STACK}
    tournament = living.offer(players=PLAYERS, seats=SEATS, calm_ms=CALM_MS, fields=deep)
    made = living.send_bots(tournament, PLAYERS)
    living.wait(lambda: living.state_of(tournament) == "running", 20.0, "it starts")
    living.wait(living.goes_on(tournament), 20.0, "it is played")
    return made


def _recovers(
    living: Living, pulse: Pulse, name: str, kill: Callable[[], None], promised_s: float
) -> None:
    """Inject a fault; assert that every table goes on and none is silent longer than promised."""
    processors = machine.Processors()
    with pulse.watching(f"kill -9 {name}") as fault:
        kill()
        living.wait(lambda: _is_past(fault), 30.0, f"play goes on after {name} was killed")
    found = recoveries.keep(recoveries.of(fault, promised_s, processors.others()))
    assert found.stood_max_s < found.limit_s, found


def _is_past(fault: Fault) -> bool:
    now_s = time.monotonic()
    return now_s > fault.at_s + LOOKED_S and fault.steady(now_s, STEADY_S)


def _answers_again(living: Living, bots: Bots) -> None:
    """Kill the web process; wait until every player reconnected and a new command took effect."""
    tables = living.open_tables(bots.tournament)
    before = living.sockets(tables)
    processors, began_s = machine.Processors(), time.monotonic()
    living.kill("web")
    back_s: dict[int, float] = {}
    acted_s: dict[int, float] = {}
    heads: dict[int, str] = {}

    def all_acted() -> bool:
        for table, holders in living.sockets(tables).items():
            back = all(token != before[table].get(user) for user, token in holders.items())
            if back and table not in back_s:
                back_s[table] = time.monotonic() - began_s
                heads[table] = living.head(table)
            elif table in back_s and living.has_acted(table, heads[table]):
                acted_s.setdefault(table, time.monotonic() - began_s)
        left = living.open_tables(bots.tournament).keys() & before.keys()
        return bool(acted_s) and left <= acted_s.keys()

    living.wait(all_acted, 30.0, "players are back and act")
    others = processors.others()
    back = recoveries.of_times("web: players connected again", back_s.values(), PROCESS_S, others)
    recoveries.keep(back)
    name = "web: an action sent after it is seen"
    acted = recoveries.keep(recoveries.of_times(name, acted_s.values(), PROCESS_S, others))
    assert acted.stood_max_s < acted.limit_s, acted


def _kept(living: Living, bots: Bots, epochs: dict[int, int]) -> bool:
    """Return whether open tables kept their epoch; a closed table has a higher one."""
    now = living.epochs(bots.tournament)
    still = living.open_tables(bots.tournament).keys() & epochs.keys()
    return all(now[table] == epochs[table] for table in still)


def _stand(living: Living, tables: Iterable[int]) -> bool:
    """Return whether every hand has ended and none can begin."""
    return all(state.phase in ("finished", "boundary") for state in living.states(tables))


def _empty(place: Path) -> None:
    """Remove all files of a Redis server."""
    kept = [path for path in place.rglob("appendonly*") if path.is_file()]
    assert kept, "the server has an append-only file"
    for path in [*kept, *place.rglob("*.rdb")]:
        path.unlink(missing_ok=True)


@pytest.mark.rule("Z-04")
def test_play_goes_on_when_a_worker_the_web_or_the_bots_are_killed(
    living: Living, pulse: Pulse, bots: Bots
) -> None:
    epochs = living.epochs(bots.tournament)
    for victim in ("play0", "settle0", "web", bots.name):
        name = "swarm" if victim == bots.name else victim
        _recovers(living, pulse, name, partial(living.kill, victim), PROCESS_S)
    _answers_again(living, bots)
    assert _kept(living, bots, epochs), "no hand was voided"


def test_play_goes_on_where_it_was_or_from_the_last_hand_when_redis_is_killed(
    living: Living, pulse: Pulse, bots: Bots
) -> None:
    epochs = living.epochs(bots.tournament)
    _recovers(living, pulse, "room, file kept", lambda: living.kill("room"), SERVER_S)
    assert _kept(living, bots, epochs), "hands resumed"
    now = living.epochs(bots.tournament)
    tables = living.open_tables(bots.tournament)

    def lose_everything() -> None:
        living.kill("room")
        _empty(living.layout.servers().room.place / "room")

    _recovers(living, pulse, "room, file lost", lose_everything, SERVER_S)
    after = living.epochs(bots.tournament)
    assert all(after[table] > now[table] for table in tables), "hands in play were voided"
    _recovers(living, pulse, "broker", lambda: living.kill("broker"), PROCESS_S)


def test_tables_freeze_with_postgresql_and_go_on_with_it(
    living: Living, pulse: Pulse, bots: Bots
) -> None:
    tables = living.open_tables(bots.tournament)
    processors = machine.Processors()
    living.kill("postgres")
    killed_s = time.monotonic()
    stood = "all stand at the end of their hands"
    stands_s = living.wait(lambda: _stand(living, tables), 10.0, stood, tending=False)
    recoveries.keep(
        recoveries.of_times("postgres: tables stand", [stands_s], 10.0, processors.others())
    )
    frozen = [state.seq for state in living.states(tables)]
    time.sleep(max(2.0, killed_s + OUTAGE_S + 1.0 - time.monotonic()))
    assert [state.seq for state in living.states(tables)] == frozen
    _recovers(living, pulse, "postgres, from its restart", lambda: None, SERVER_S)
    query = "SELECT stopped_ms FROM tournaments_tournament WHERE id = %s"
    living.wait(
        lambda: living.sql(query, bots.tournament)[0][0] >= OUTAGE_S * 1_000,
        5.0,
        "the clock stood still",
    )


def test_play_goes_on_with_a_worker_without_number_when_the_others_leave(
    living: Living, pulse: Pulse, bots: Bots
) -> None:
    epochs = living.epochs(bots.tournament)
    first = programs.workers(living.layout)[0]
    mark = living.layout.run / "late.ready"
    named = {**first.environment, "PROCESS_NAME": "late", "READY_FILE": str(mark)}
    command = (sys.executable, "-m", "config.worker", "play")
    late = replace(
        first, name="late", argv=command, environment=named, ready=mark.exists, mark=mark
    )
    living.supervisor.start([late])

    def leave() -> None:
        for name in ("play0", "play1"):
            living.supervisor.retire(name)

    _recovers(living, pulse, "play0 and play1, told to stop", leave, PROCESS_S)
    assert _kept(living, bots, epochs), "no hand was voided"
    playing = [
        worker.name.partition("@")[0]
        for worker in presence.workers(living.room, clock.redis_now_ms(living.room))
        if any(queue.startswith("play") for queue in worker.queues)
    ]
    assert playing == ["late"], "who was told to stop left the list"
    # Other tests share this room, and its first two workers.
    for name in ("play0", "play1"):
        living.supervisor.revive(name)
    living.wait(lambda: all(map(living.supervisor.serves, ("play0", "play1"))), 20.0, "both work")
    living.supervisor.retire("late")


def test_the_tournament_of_all_kills_ends_right_to_the_last_chip_and_cent(
    living: Living, bots: Bots
) -> None:
    living.end_calm(bots.tournament)
    report = bots.finish(END_S)
    assert report["violations"] == []
    assert report["chips_counted"] == report["chips_sold"]
    assert report["pool"] == report["paid"] == PLAYERS * 10_00
    assert report["ledger_sum"] == 0
    assert are_complete(report["places"], PLAYERS)
    assert living.manage("audit") == "no violation\n"
