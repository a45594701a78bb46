"""Disconnection time at a table with real sockets: lost, extended, back, or timed out (X-03)."""

from __future__ import annotations

import pytest
from redis import Redis

from config import clock, limits
from tables.dealer.state import TableState
from tables.store import connections, fenced, keys
from tables.workers import advance
from tests.tables import playing
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game
from tests.tables.gateway.sockets import Site, wait_for

__all__ = ["site"]


@pytest.fixture
def game(site: Site, room: Redis, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Three players at a table of that game, the first hand dealt."""
    monkeypatch.setattr(limits, "LINE_GRACE_MS", 100)
    waits = playing.WaitsForConnections
    played_by = playing.registered(waits.name, waits)
    return Game(site, room, [2_000, 2_000, 2_000], played_by=played_by)


def _is_connected(game: Game, seat: int) -> bool:
    user = game.state.at(seat).user
    return connections.is_connected(game.room, game.row.pk, user, clock.redis_now_ms(game.room))


def _advanced(game: Game) -> TableState:
    advance.advance(game.room, game.row.pk)
    state = fenced.peek(game.room, game.row.pk)
    assert state is not None
    game.state = state
    return state


def _deadline_passed(game: Game) -> bool:
    before = game.state.turn
    return _advanced(game).turn != before


@pytest.mark.rule("X-03")
def test_a_player_who_lost_the_connection_gets_time_and_acts_when_back(game: Game) -> None:
    seat, watcher = game.actor, game.watcher()
    client = game.client(seat)
    wait_for(lambda: _is_connected(game, seat))
    client.cut()
    wait_for(lambda: not _is_connected(game, seat))
    wait_for(lambda: _deadline_passed(game))
    assert game.state.turn is not None and game.state.turn.disconnected
    [told] = watcher.events(game.stream, 1)
    assert (told["type"], told["seat"]) == ("disconnect_time_started", seat)
    assert told["deadline_ms"] == game.state.turn.deadline_ms
    back = game.client(seat)
    assert back.snapshot["state"]["turn"]["disconnected"]
    back.say(**game.command("call"))
    game.work()
    assert back.expect("result")["ok"]
    assert not game.state.at(seat).absent


@pytest.mark.rule("X-02", "X-03")
def test_a_connected_player_is_timed_out_at_the_deadline(game: Game) -> None:
    seat, watcher = game.actor, game.watcher()
    game.client(seat)
    wait_for(lambda: _is_connected(game, seat))
    wait_for(lambda: _deadline_passed(game))
    told = watcher.events(game.stream, 4)
    assert [event["type"] for event in told] == ["timed_out", "sat_out", "folded", "turn_began"]
    assert game.state.at(seat).absent


@pytest.mark.rule("X-03")
def test_a_seat_held_by_a_dead_web_process_is_disconnected(game: Game, room: Redis) -> None:
    seat = game.actor
    game.client(seat)
    wait_for(lambda: _is_connected(game, seat))
    wait_for(lambda: room.hlen(keys.gateways(0)) == 1)
    [name] = room.hkeys(keys.gateways(0))
    later_ms = int(room.hget(keys.gateways(0), name) or 0) + limits.GATEWAY_SILENT_MAX_MS + 1
    user = game.state.at(seat).user
    assert not connections.is_connected(room, game.row.pk, user, later_ms)
