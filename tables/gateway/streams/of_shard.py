"""Followed streams of one shard: hints are heard, streams read and compared, in its own loops."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Protocol

import structlog
from redis.exceptions import ConnectionError

from config import clock, limits, metrics
from config.redis import node_of, told_to_end
from tables.gateway.streams.feed import Feed
from tables.gateway.streams.followers import StreamFollower
from tables.gateway.streams.reader import PARTS, Reader, Rounds
from tables.gateway.streams.recent import START, Position
from tables.store import keys, witnesses
from tables.store.connections import Connections

log = structlog.get_logger(__name__)

READ_STREAMS_MAX = 200
TOLD_KEPT_S = 60.0
"""Time for which a web process knows what it told of a table that nobody follows any more: longer
than a disk holds back what it calls written."""


class Upkeep(Protocol):
    """Owner of the feeds: hears hints, and looks after the followers of feeds that were read."""

    def hear(self, hint: str) -> None:
        """Handle a hint."""

    def attend(self, feed: Feed) -> None:
        """Catch up followers that wait, and answer commands that waited too long."""

    def retake(self, feed: Feed, follower: StreamFollower) -> None:
        """Let a follower take its table again."""


class ShardStreams:
    """Streams of one shard that this process follows.

    A shard that does not answer delays no stream of another.
    """

    def __init__(
        self, shard: int, redis: Any, reader: Reader, lines: Connections, upkeep: Upkeep
    ) -> None:
        self.feeds: dict[str, Feed] = {}
        self.ahead_ms = 0
        self.run: str | None = None
        self._shard = shard
        self._redis = redis
        self._reader = reader
        self._lines = lines
        self._upkeep = upkeep
        self._hinted: dict[str, float] = {}
        self._stirred = asyncio.Event()
        self._told: dict[str, tuple[Position, float]] = {}
        self._rounds = Rounds()
        self._round_due = False
        self._part_due = False

    def leave(self, feed: Feed) -> None:
        """End a feed without followers; what was told of its table stays known for a while.

        Its followers may have gone because Redis did, and they count on what they were told.
        """
        del self.feeds[feed.stream]
        self._note_told([feed])

    def hint(self, stream: str) -> None:
        """Read a stream at the next look."""
        self._hinted.setdefault(stream, asyncio.get_running_loop().time())
        self._stirred.set()

    # ---- the loops ----

    async def listen(self) -> None:
        """Hear the hints of the shard, and compare every stream after each new connection."""
        server = await node_of(self._redis, keys.tag(self._shard))
        async with self._redis.pubsub() as hints:
            await hints.ssubscribe(keys.tag(self._shard) + keys.HINTS)
            self.compare_soon()
            next_message = getattr(hints, "get_sharded_message", hints.get_message)
            while not told_to_end():
                message = await next_message(timeout=1.0)
                if message is None:
                    # A server that froze or was cut off closes no connection when it is replaced.
                    if await node_of(self._redis, keys.tag(self._shard)) != server:
                        raise ConnectionError("another server has the shard")
                    continue
                if message["type"] == "smessage":
                    self._upkeep.hear(message["data"].decode())
                elif message["type"] == "sunsubscribe":
                    # Reading finds the new server, which the next subscription then takes.
                    self.compare_soon()
                    raise ConnectionError("another server has the shard")

    async def read(self) -> None:
        """Read what is due, as soon as something is."""
        while not told_to_end():
            await self._stirred.wait()
            self._stirred.clear()
            await self.read_due_streams()

    async def sweep(self) -> None:
        """Compare all streams now and then, spread over the interval."""
        while True:
            for _ in range(PARTS):
                await asyncio.sleep(limits.HEADS_EVERY_MS / 1_000 / PARTS)
                self.compare_part()
            if self._rounds.over:  # a slow round goes on until it is complete
                self.compare_soon()

    # ---- what the loops do, without their connections and pauses ----

    def compare_soon(self) -> None:
        """Let the next look ask which run of Redis answers, and start to compare every stream."""
        self._round_due = True
        self._stirred.set()

    def compare_part(self) -> None:
        """Let the next look compare one more part of the streams, unless all were compared."""
        if not self._rounds.over:
            self._part_due = True
            self._stirred.set()

    async def read_due_streams(self) -> None:
        """Read the hinted streams and compare those that are due; after a failure they stay due."""
        # 1. Take the work out before reading: a hint that arrives meanwhile counts for the next
        #    look.
        anew, self._round_due = self._round_due, False
        due, self._part_due = self._part_due or anew, False
        hinted, self._hinted = self._hinted, {}
        streams = hinted.keys() & self.feeds.keys()
        try:
            # 2. Ask which run of Redis answers: after a restart its streams may be older, so every
            #    feed starts over before any event is sent.
            if anew or self.run is None:
                await self._meet_server()
                await self._look_at_lines()
                self._rounds.begin(self.feeds)
            # 3. Add the streams that differ without a hint: pub/sub loses hints.
            if due:
                streams |= await self._compare_heads(self._rounds.part())
            await self._read_streams(sorted(streams))
            now_s = asyncio.get_running_loop().time()
            for stream in streams & hinted.keys():
                metrics.STREAM_LAG_S.observe(now_s - hinted[stream])
        except BaseException:
            # 4. Keep everything due after a failure, with the time of the first hint.
            now_s = asyncio.get_running_loop().time()
            self._hinted = dict.fromkeys(streams, now_s) | self._hinted | hinted
            self._round_due |= due
            self._stirred.set()
            raise

    async def _meet_server(self) -> None:
        server = await self._reader.server(self._shard)
        self.ahead_ms = server.now_ms - clock.now_ms()
        if server.run != self.run:
            await self._testify(server.run)
        else:
            self._forget_told()
        if self.run is not None and server.run != self.run:
            log.warning("room's redis started anew", run=server.run, streams=len(self.feeds))
            for feed in self.feeds.values():
                feed.start_over()
        self.run = server.run

    async def _testify(self, run: str) -> None:
        """Say whether this run of Redis holds all that was told here; nothing is read before."""
        # The feeds start over after this: another run may answer before this one is adopted.
        self._note_told(self.feeds.values())
        told = {stream: position for stream, (position, _) in self._told.items()}
        if lost := await witnesses.testify(self._redis, self._lines.name, told, self._shard):
            log.error("room's redis lost what was told", run=run, streams=lost)

    def _note_told(self, feeds: Iterable[Feed]) -> None:
        now_s = asyncio.get_running_loop().time()
        for feed in feeds:
            if feed.table and feed.recent is not None:
                before, _ = self._told.get(feed.stream, (START, now_s))
                self._told[feed.stream] = (max(before, feed.recent.last), now_s)

    def _forget_told(self) -> None:
        """Forget what was told long ago of tables that nobody follows; their server still runs."""
        oldest_s = asyncio.get_running_loop().time() - TOLD_KEPT_S
        self._told = {stream: told for stream, told in self._told.items() if told[1] >= oldest_s}

    async def _look_at_lines(self) -> None:
        now_ms = clock.now_ms() + self.ahead_ms
        if await self._lines.refresh(self._redis, now_ms, self._shard):
            for feed in self.feeds.values():
                feed.tell_lines()

    async def _compare_heads(self, part: list[str]) -> set[str]:
        streams, compared = set(), []
        for feed in [self.feeds[stream] for stream in part if stream in self.feeds]:
            known = feed.known()
            if known is None:
                streams.add(feed.stream)
            else:
                compared.append(known)
            self._upkeep.attend(feed)
        return streams | set(await self._reader.differing(compared))

    async def _read_streams(self, streams: list[str]) -> None:
        for first in range(0, len(streams), READ_STREAMS_MAX):
            feeds = [
                self.feeds[stream]
                for stream in streams[first : first + READ_STREAMS_MAX]
                if stream in self.feeds
            ]
            asked_at = asyncio.get_running_loop().time()
            tails = await self._reader.read([feed.wanted() for feed in feeds])
            contested = any(map(Feed.is_contested, feeds, tails))
            if contested and (await self._reader.server(self._shard)).run != self.run:
                # A promoted replica may not know yet who took a table: meet it, then read again.
                self.compare_soon()
                for stream in streams[first:]:
                    self.hint(stream)
                return
            for feed, tail in zip(feeds, tails, strict=True):
                for follower in feed.take(tail, asked_at):
                    self._upkeep.retake(feed, follower)
                feed.tell_lines()
                if tail.more:
                    self.hint(feed.stream)
                self._upkeep.attend(feed)
