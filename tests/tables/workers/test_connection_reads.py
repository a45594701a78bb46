"""A worker reads connections for a passed deadline alone: a decision costs what it cost before."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace
from redis import Redis

from tables.dealer.state import TableState
from tables.store import fenced
from tables.workers import advance, recovery
from tests.tables import playing
from tests.tables.gateway.sockets import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def _reads(room: Redis) -> int:
    """Number of times that this server was asked for a whole hash, as connections are read."""
    return int(room.info("commandstats").get("cmdstat_hgetall", {}).get("calls", 0))


def _state(room: Redis, table: int) -> TableState:
    state = fenced.peek(room, table)
    assert state is not None
    return state


class Patient(playing.WaitsForConnections):
    """Game of that kind with time to decide."""

    name = "patient"
    timing = replace(playing.WaitsForConnections.timing, action_ms=600_000)


def _opened(room: Redis, game: type[playing.WaitsForConnections]) -> int:
    table = playing.sit_down([9_000] * 6, played_by=playing.registered(game.name, game)).pk
    recovery.open_tables(room, [table])
    return table


@pytest.mark.rule("X-03")
def test_no_decision_reads_connections(room: Redis) -> None:
    table = _opened(room, Patient)
    state, before = playing.run(room, table), _reads(room)
    for number in range(20):
        assert state.turn is not None
        playing.send(room, state, random.Random(number), number)
        advance.advance(room, table, random.Random(number))
        state = playing.run(room, table)
    assert _reads(room) == before


@pytest.mark.rule("X-03")
def test_a_passed_deadline_reads_connections_once(room: Redis) -> None:
    table = _opened(room, playing.WaitsForConnections)
    before = _reads(room)
    playing.run(room, table)

    def lost() -> bool:
        advance.advance(room, table)
        found = _state(room, table).turn
        return found is not None and found.disconnected

    wait_for(lost)
    assert _reads(room) == before + 1
