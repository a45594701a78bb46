"""Real processes are killed in the middle of a tournament: play goes on and nothing is lost."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from config import limits
from tests.cluster.living import Bots, Living, are_complete, patience

PLAYERS, SEATS = 12, 6
HANDS_S = 3.0
"""What the two hands take by which a test sees that a table goes on, in s."""
PROCESS_S = 5.0 + HANDS_S
SERVER_S = 10.0 + HANDS_S
END_S = 90.0
OUTAGE_S = limits.TOURNAMENT_GAP_MS / 1_000

pytestmark = pytest.mark.cluster


def _begin(living: Living, calm_ms: int) -> Bots:
    """A tournament of bots that is well under way."""
    calm_ms = int(calm_ms * min(3.0, patience()))
    tournament = living.offer(players=PLAYERS, seats=SEATS, calm_ms=calm_ms)
    bots = living.send_bots(tournament, PLAYERS)
    living.wait(lambda: living.state_of(tournament) == "running", 20.0, "it starts")
    living.wait(living.goes_on(tournament), 20.0, "it is played")
    return bots


def _kill(living: Living, bots: Bots, name: str, within_s: float) -> None:
    """Kill -9 a process; every table must begin and settle a hand in time."""
    goes_on = living.goes_on(bots.tournament)
    living.kill(name)
    living.wait(goes_on, within_s, f"play goes on after {name} was killed")


def _stand(living: Living, tables: Iterable[int]) -> bool:
    """Whether every hand has ended and none can begin."""
    return all(state.phase in ("finished", "boundary") for state in living.states(tables))


def _empty(place: Path) -> None:
    """Remove everything a Redis server keeps."""
    kept = [path for path in place.rglob("appendonly*") if path.is_file()]
    assert kept, "it kept its data in a file"
    for path in [*kept, *place.rglob("*.rdb")]:
        path.unlink(missing_ok=True)


def _check(living: Living, report: dict[str, Any]) -> None:
    """Nothing was lost or made, and everybody has the place that was played for."""
    assert report["violations"] == []
    assert report["chips_counted"] == report["chips_sold"]
    assert report["pool"] == report["paid"] == PLAYERS * 10_00
    assert report["ledger_sum"] == 0
    assert are_complete(report["places"], PLAYERS)
    assert living.manage("audit") == "no violation\n"


@pytest.mark.rule("Z-04")
def test_play_goes_on_when_a_worker_the_web_or_the_bots_are_killed(living: Living) -> None:
    bots = _begin(living, calm_ms=30_000)
    epochs = living.epochs(bots.tournament)
    for victim in ("play0", "settle0", "web", bots.name):
        _kill(living, bots, victim, PROCESS_S)
    now = living.epochs(bots.tournament)
    assert {table: now[table] for table in epochs} == epochs, "no hand was given up"
    _check(living, bots.finish(END_S))


def test_play_goes_on_where_it_was_or_from_the_last_hand_when_redis_is_killed(
    living: Living,
) -> None:
    bots = _begin(living, calm_ms=25_000)
    epochs = living.epochs(bots.tournament)
    _kill(living, bots, "room", SERVER_S)
    now = living.epochs(bots.tournament)
    assert {table: now[table] for table in epochs} == epochs, "hands went on where they were"
    tables = living.open_tables(bots.tournament)
    goes_on = living.goes_on(bots.tournament)
    living.kill("room")
    _empty(living.layout.servers().room.place / "room")
    living.wait(goes_on, SERVER_S, "play goes on after Redis came back empty")
    after = living.epochs(bots.tournament)
    assert all(after[table] > now[table] for table in tables), "hands in play were given up"
    _check(living, bots.finish(END_S))


def test_tables_freeze_with_postgresql_and_go_on_with_it(living: Living) -> None:
    bots = _begin(living, calm_ms=30_000)
    tables = living.open_tables(bots.tournament)
    goes_on = living.goes_on(bots.tournament)
    living.kill("postgres")
    killed_s = time.monotonic()
    living.wait(lambda: _stand(living, tables), 5.0, "all stand at a hand's end", tending=False)
    frozen = [state.seq for state in living.states(tables)]
    time.sleep(max(2.0, killed_s + OUTAGE_S + 1.0 - time.monotonic()))
    assert [state.seq for state in living.states(tables)] == frozen
    living.wait(goes_on, SERVER_S, "play goes on with PostgreSQL")
    query = "SELECT stopped_ms FROM tournaments_tournament WHERE id = %s"
    living.wait(
        lambda: living.sql(query, bots.tournament)[0][0] >= OUTAGE_S * 1_000,
        5.0,
        "the clock stood still",
    )
    _kill(living, bots, "broker", SERVER_S)
    _check(living, bots.finish(END_S))
