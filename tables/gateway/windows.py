"""Browser window of each player that plays a table; the player's other windows only watch."""

from __future__ import annotations

import asyncio

import structlog
from django.conf import settings
from redis.exceptions import RedisError

from config import limits
from config.door.turns import Full, Turns
from config.redis import told_to_end
from config.redis.scripts import ScriptCall, run_async
from tables.gateway.shards import Shards
from tables.gateway.streams.feed import Feed
from tables.gateway.streams.followers import StreamFollower
from tables.store import connections, keys, lua
from tables.store.connections import Connections

log = structlog.get_logger(__name__)

TABS_LIFETIME_S = 24 * 3600
RELEASE_AGAIN_S = 2.0
_LATER = (RedisError, OSError, Full)
"""Failures that pass: Redis does not answer, or too many wait for its snapshots."""


class Windows:
    """Claims of sockets on the tables they play, noted in Redis in the turns of snapshots."""

    def __init__(self, shards: Shards, lines: Connections, turns: Turns) -> None:
        self._shards = shards
        self._lines = lines
        self._turns = turns

    async def take(self, feed: Feed, follower: StreamFollower) -> None:
        """Let a follower play its table, unless it asks first and another window plays."""
        if follower.asks and not await self._is_free(follower):
            feed.lose(follower)
            return
        # 1. Claim before Redis answers, so that a socket closing meanwhile releases the table.
        follower.claimed = True
        self._lines.plays(follower.tab)
        try:
            await self._note(follower)
        except _LATER:
            log.warning("tab not noted", stream=feed.stream, user=follower.user)
        # 2. The socket closed while Redis noted it: release now, else the seat would count as
        #    played.
        if follower.gone:
            await self.release(follower)
        else:
            feed.give_table(follower, asyncio.get_running_loop().time())

    async def release(self, follower: StreamFollower) -> None:
        """Give up the table of a closed socket after the grace, unless another window took it."""
        # A page that is being reloaded is back within the grace, and must not show as disconnected.
        await asyncio.sleep(limits.LINE_GRACE_MS / 1_000)
        stream, mark = follower.stream, connections.new_mark()
        args = [follower.user, follower.tab, mark, stream]
        call = ScriptCall(lua.source("release"), [_key(stream)], args)
        while not told_to_end():
            try:
                async with self._turns.turn(*follower.standing):
                    await run_async(self._shards.of(stream), call)
            except _LATER:
                await asyncio.sleep(RELEASE_AGAIN_S)
            else:
                break
        self._lines.ended(follower.tab)

    async def _note(self, follower: StreamFollower) -> None:
        """Note that this socket plays for its user, unless it is gone when its turn comes."""
        async with self._turns.turn(*follower.standing):
            if follower.gone:
                return
            key = _key(follower.stream)
            fields = {str(follower.user): follower.tab, connections.MARK: connections.new_mark()}
            pipe = self._shards.of(follower.stream).pipeline(transaction=False)
            pipe.hset(key, mapping=fields)
            pipe.expire(key, TABS_LIFETIME_S)
            pipe.spublish(keys.hints(follower.stream, settings.SHARDS), follower.stream)
            await pipe.execute()

    async def _is_free(self, follower: StreamFollower) -> bool:
        """Return whether no other window of the player plays this table.

        Two windows that ask at once may both get True: the later one then plays, and the other
        learns it from the next comparison of tabs.
        """
        try:
            async with self._turns.turn(*follower.standing):
                redis = self._shards.of(follower.stream)
                raw = await redis.hget(_key(follower.stream), str(follower.user))
        except _LATER:
            log.warning("tab not known", stream=follower.stream, user=follower.user)
            return True
        holder = None if raw is None else raw.decode()
        return self._lines.yields(follower.stream, holder, follower.window)


def _key(stream: str) -> str:
    return keys.tabs(stream, settings.SHARDS)
