"""A crowd that fills the turns takes no table from its player, and keeps none for who left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from django.conf import settings
from redis import Redis

from config import limits
from config.door.turns import Turns
from config.redis import room_async
from tables.gateway import windows
from tables.gateway.shards import Shards
from tables.gateway.streams.feed import Feed
from tables.gateway.streams.followers import StreamFollower
from tables.gateway.streams.known_kinds import kind_of
from tables.gateway.streams.send_queue import SendQueue
from tables.gateway.windows import Windows
from tables.gateway.words import Tongue
from tables.store import keys
from tables.store.connections import Connections

STREAM, USER = "table:7", 12


@asynccontextmanager
async def _crowd(turns: Turns) -> AsyncIterator[None]:
    """Hold the only place, and let as many wait as may."""
    waiting = asyncio.create_task(_one(turns))
    async with turns.turn(0, f"user:{USER}"):
        await asyncio.sleep(0)
        yield
    await waiting


async def _one(turns: Turns) -> None:
    async with turns.turn(0, f"user:{USER}"):
        pass


def _follower(lines: Connections, *, asks: bool) -> StreamFollower:
    outbox = SendQueue(most=10, drained=lambda streams: None)
    tab = lines.new_tab()
    return StreamFollower(
        STREAM,
        USER,
        outbox,
        Tongue({"headers": []}, {}, "en"),
        tab=tab,
        after=None,
        watch=False,
        asks=asks,
    )


@pytest.mark.parametrize("asks", [False, True])
async def test_a_crowd_takes_no_table_from_its_player(room: Redis, asks: bool) -> None:
    shards, lines, turns = Shards(room_async), Connections(), Turns(1, waiting_max=1)
    follower = _follower(lines, asks=asks)
    kind = kind_of(STREAM)
    assert kind is not None
    feed = Feed(STREAM, kind, lines, lambda feed, follower: None)
    feed.followers.add(follower)
    follower.read_only = True
    async with _crowd(turns):
        await Windows(shards, lines, turns).take(feed, follower)
    assert not follower.read_only, "the player's commands are taken"
    await shards.close()


async def test_a_crowd_keeps_no_table_for_who_left(
    room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LINE_GRACE_MS", 0)
    monkeypatch.setattr(windows, "RELEASE_AGAIN_S", 0.05)
    shards, lines, turns = Shards(room_async), Connections(), Turns(1, waiting_max=1)
    follower = _follower(lines, asks=False)
    tabs = keys.tabs(STREAM, settings.SHARDS)
    room.hset(tabs, str(USER), follower.tab)
    releasing = Windows(shards, lines, turns).release(follower)
    async with _crowd(turns):
        task = asyncio.create_task(releasing)
        await asyncio.sleep(0.1)
        assert room.hexists(tabs, str(USER)) and not task.done()
    await asyncio.wait_for(task, 30)
    assert not room.hexists(tabs, str(USER))
    await shards.close()
