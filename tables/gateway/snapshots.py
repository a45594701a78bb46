"""Bring a follower up to date: the events it missed, or a snapshot with nothing in between."""

from __future__ import annotations

import asyncio
from functools import lru_cache

import msgspec
from django.conf import settings

from config import limits
from config.door.turns import Turns
from tables.dealer import state as states
from tables.dealer.snapshot import STATES_KEPT, Groups, private_groups, snapshot
from tables.dealer.state import TableState
from tables.engine.events import HoleCardsDealt
from tables.gateway import rights
from tables.gateway.database import reads
from tables.gateway.shards import Shards
from tables.gateway.streams.feed import Feed
from tables.gateway.streams.followers import StreamFollower
from tables.gateway.streams.known_kinds import NoSuchStream
from tables.gateway.streams.reader import Reader
from tables.gateway.streams.recent import Batch, Position, Recent, name, position, snapshot_frame
from tables.models import Table
from tables.store import keys, lua, private_events, readable
from tables.wire.client_events import TableSnapshot

_json = msgspec.json.Encoder().encode
_dealt = msgspec.json.Decoder(HoleCardsDealt).decode
_stored = lru_cache(STATES_KEPT)(readable.open_state)
"""Decode a table's state once for all followers who read the same bytes."""


class CatchUp:
    """Catch-up of followers, a few at a time: players first, sources in turn."""

    def __init__(self, shards: Shards, reader: Reader, turns: Turns) -> None:
        self._shards = shards
        self._states = shards.trips(lua.source("seen"))
        self._reader = reader
        self._turns = turns

    async def bring(self, feed: Feed, follower: StreamFollower) -> bool:
        """Send the events or the snapshot that the follower lacks; False when unreadable for now.

        Raises NoSuchStream when the stream does not exist for this follower.
        """
        # 1. Wait for a turn: a flood of strangers must not delay players who reconnect.
        async with self._turns.turn(*follower.standing):
            if follower.gone or feed.recent is None:
                return False
            # 2. Ask for the right within the turn, since that may read PostgreSQL too; check again
            #    after each wait that the follower is still there.
            if not await rights.may_follow(feed, follower):
                raise NoSuchStream(feed.stream)
            follower.admitted = True
            if follower.gone:  # the checker does not know that it may have left meanwhile
                return False  # type: ignore[unreachable]
            # 3. Prefer the missed events: they cost less than a snapshot.
            after = follower.after
            if after is not None and await self._resume(feed, follower, after):
                return True
            if feed.table:
                return await self._table(feed, follower)
            return await self._provided(feed, follower)

    async def _resume(self, feed: Feed, follower: StreamFollower, after: Position) -> bool:
        tail = await self._reader.resume(feed.stream, after, follower.user)
        if tail is None or follower.gone:
            return False
        entry = None
        if tail.seated is not None and follower.user is not None:
            entry = tail.seated.get(follower.user)
        last = tail.public[-1][0] if tail.public else after
        missed = Recent(feed.stream, after, keep=limits.TAIL_EVENTS_MAX)
        missed.extend(tail.public, tail.private)
        batch = missed.after(after, entry)
        # An empty message tells the client that it has missed nothing.
        follower.outbox.events(batch or Batch(feed.stream, after, ()))
        follower.entry = entry
        follower.at = last
        return True

    async def _table(self, feed: Feed, follower: StreamFollower) -> bool:
        table, shards = keys.number(feed.stream), settings.SHARDS
        shard = keys.shard(feed.stream, shards)
        names = [keys.state(feed.stream, shards), keys.run(shard)]
        # A server that came back may hold less than was told: nothing of it before its adoption.
        found = await self._states.run(feed.stream, names, [])
        fields = [tuple(one) if isinstance(one, list) else one for one in found]
        stored = _stored(table, *fields) if fields else None
        if stored is None:
            if not feed.exists:
                feed.exists = await _is_open(table)
            if not feed.exists:
                raise NoSuchStream(feed.stream)
            # The table is rebuilt at its next wake: make that now. The follower tries again, and at
            # once when the table has been rebuilt.
            redis = self._shards.of(feed.stream)
            await redis.zadd(keys.wakes(shard), {feed.stream: 0}, xx=True, lt=True)
            return False
        feed.exists = True
        state = stored.state
        entry = None if follower.user is None else states.users(state).get(follower.user)
        at = (state.epoch, state.seq)
        user = None if entry is None else follower.user
        own = await self._own_cards(state, user, entry, at)
        seen: TableSnapshot = snapshot(state, user, own)
        follower.entry = entry
        _show(follower, at, snapshot_frame(feed.stream, name(at), _json(seen)))
        return True

    async def _own_cards(
        self, state: TableState, user: int | None, entry: int | None, at: Position
    ) -> Groups:
        """Read the cards a player was dealt in the last hand from his private events up to `at`.

        The state that web processes read has none.
        """
        count = 0 if user is None else private_groups(state, user)
        if not count or entry is None:
            return ()
        key = keys.cards(keys.table(state.table), entry, settings.SHARDS)
        found = await self._shards.of(keys.table(state.table)).xrevrange(
            key, max=name(at), count=count
        )
        lines = [(line_id.decode(), fields[b"e"]) for line_id, fields in reversed(found)]
        return tuple(_dealt(raw).cards for _, raw in private_events.open_all(key, lines))

    async def _provided(self, feed: Feed, follower: StreamFollower) -> bool:
        if feed.kind.personal:
            answer = await feed.kind.provider(feed.stream, follower.user)
            if answer is None:
                return False
            _show(follower, position(answer[0]), snapshot_frame(feed.stream, *answer))
            return True
        # One snapshot at a time, shared by all followers that ask within a second.
        async with feed.snapshotting:
            if not _fresh(feed):
                asked_at = asyncio.get_running_loop().time()
                answer = await feed.kind.provider(feed.stream, None)
                if answer is None:
                    return False
                frame = snapshot_frame(feed.stream, *answer)
                feed.shared = (asked_at, position(answer[0]), frame)
        assert feed.shared is not None
        _show(follower, feed.shared[1], feed.shared[2])
        return True


def _fresh(feed: Feed) -> bool:
    if feed.shared is None or feed.recent is None:
        return False
    made_at, at, _ = feed.shared
    age_s = asyncio.get_running_loop().time() - made_at
    return age_s * 1_000 < limits.SNAPSHOT_SHARED_MS and feed.recent.reaches(at, None)


def _show(follower: StreamFollower, at: Position, frame: str) -> None:
    if not follower.gone:
        follower.outbox.snapshot(follower.stream, frame)
        follower.at = at


@reads
def _is_open(table: int) -> bool:
    return Table.objects.filter(pk=table, status=Table.Status.OPEN).exists()
