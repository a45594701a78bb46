"""Presence at a table: every viewer learns of a player without an open table window."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import pytest
from django.conf import settings
from redis import Redis

from config import limits
from config.redis import room_async
from tables.store import connections, keys
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.sockets import PATIENCE_S, Client, wait_for

__all__ = ["game", "site"]

pytestmark = pytest.mark.usefixtures("short_grace")


@pytest.fixture
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the grace time of a lost connection to a tenth of a second."""
    monkeypatch.setattr(limits, "LINE_GRACE_MS", 100)


def _hears(client: Client, entries: Sequence[int]) -> None:
    """Wait until these entries are the last reported disconnected ones."""
    ends = time.monotonic() + PATIENCE_S
    while client.disconnected[-1:] != [list(entries)]:
        assert time.monotonic() < ends, client.disconnected
        client.silent(0.1)


def _entries(game: Game, *seats: int) -> list[int]:
    return sorted(game.state.at(seat).entry for seat in seats)


def _tabs(game: Game) -> str:
    return keys.tabs(game.stream, settings.SHARDS)


def test_changes_of_presence_reach_every_viewer(game: Game) -> None:
    watcher = game.watcher()
    _hears(watcher, _entries(game, 1, 2, 3))
    first = game.client(1)
    _hears(first, _entries(game, 2, 3))
    second = game.client(2)
    _hears(watcher, _entries(game, 3))
    second.cut()
    _hears(watcher, _entries(game, 2, 3))
    game.client(3)
    game.client(2)
    for client in (watcher, first):
        _hears(client, [])


def test_a_page_reload_is_not_reported_as_absence(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher, before = game.watcher(), game.client(1)
    _hears(watcher, _entries(game, 2, 3))
    watcher.disconnected.clear()
    held = game.site.ask(lambda here: len(here.lines._playing))
    monkeypatch.setattr(limits, "LINE_GRACE_MS", 4_000)
    before.close()
    game.client(1)
    game.client(2)
    _hears(watcher, _entries(game, 3))
    wait_for(lambda: game.site.ask(lambda here: len(here.lines._playing)) == held + 1)
    watcher.silent(1.5)
    assert watcher.disconnected == [_entries(game, 3)], "the old window closed without a report"


def test_closing_a_taken_over_window_is_no_absence(game: Game) -> None:
    watcher, first = game.watcher(), game.client(1)
    second = game.client(1)
    first.expect("taken_over")
    game.client(2)
    _hears(watcher, _entries(game, 3))
    watcher.disconnected.clear()
    first.close()
    watcher.silent(1.5)
    assert watcher.disconnected == []
    second.close()
    _hears(watcher, _entries(game, 1, 3))


def test_a_window_that_only_watches_does_not_count(game: Game) -> None:
    watcher = game.watcher()
    game.client(1, watch=True)
    game.client(2)
    _hears(watcher, _entries(game, 1, 3))


def test_players_of_a_dead_web_process_are_reported_absent(
    game: Game, room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher = game.watcher()
    game.client(1)
    now_s, _ = room.time()
    room.hset(keys.gateways(0), "deadbeef", int(now_s) * 1_000 + 60_000)
    room.hset(_tabs(game), str(game.state.at(2).user), f"deadbeef{'0' * 32}")
    room.hset(_tabs(game), connections.MARK, connections.new_mark())
    _hears(watcher, _entries(game, 3))
    room.hset(keys.gateways(0), "deadbeef", int(now_s) * 1_000 - 60_000)
    _hears(watcher, _entries(game, 2, 3))


def test_presence_is_restored_after_redis_lost_it(game: Game, room: Redis) -> None:
    watcher, seats = game.watcher(), (1, 2, 3)
    clients = [game.client(seat) for seat in seats]
    _hears(watcher, [])
    room.delete(_tabs(game))
    wait_for(lambda: room.hlen(_tabs(game)) == 4)
    for client in clients:
        assert client.silent(1.5), "no player lost the table"
    _hears(watcher, [])


def test_a_token_restored_from_older_data_belongs_to_no_process(game: Game, room: Redis) -> None:
    watcher, before = game.watcher(), game.client(1)
    user = str(game.state.at(1).user)
    _hears(watcher, _entries(game, 2, 3))
    old = room.hget(_tabs(game), user)
    assert old is not None
    before.close()
    _hears(watcher, _entries(game, 1, 2, 3))
    room.hset(_tabs(game), mapping={user: old, connections.MARK: connections.new_mark()})
    again = game.client(1)
    _hears(watcher, _entries(game, 2, 3))
    room.hset(_tabs(game), mapping={user: old, connections.MARK: connections.new_mark()})
    wait_for(lambda: room.hget(_tabs(game), user) != old)
    assert again.silent(1.5), "the open window keeps the table"


def test_a_process_without_redis_reports_no_other_process_dead(room: Redis) -> None:
    room.hset(keys.gateways(0), "deadbeef", 0)

    async def looks(*at_ms: int) -> list[tuple[int, ...]]:
        async with room_async() as redis:
            known = connections.Connections()
            tabs = {1: f"deadbeef{'0' * 32}", 2: known.new_tab(), 3: known.new_tab()}
            known.plays(tabs[2])
            found = []
            for moment in at_ms:
                await known.refresh(redis, moment)
                found.append(known.disconnected("table:1", {1: 11, 2: 12, 3: 13, 4: 14}, tabs))
            return found

    told = asyncio.run(looks(1_000, 2_000, 60_000, 61_000))
    silent_like_the_one_who_looks = (13, 14)
    assert told == [(13, 14), (13, 14), silent_like_the_one_who_looks, (11, 13, 14)]


def test_a_process_that_is_long_gone_is_forgotten(room: Redis) -> None:
    room.hset(keys.gateways(0), mapping={"deadbeef": 0, "aaaaaaaa": 9_000})

    async def look(now_ms: int) -> str:
        async with room_async() as redis:
            known = connections.Connections()
            await known.refresh(redis, now_ms)
            return known.name

    name = asyncio.run(look(connections.FORGOTTEN_MS + 1_000))
    assert set(room.hkeys(keys.gateways(0))) == {b"aaaaaaaa", name.encode()}
