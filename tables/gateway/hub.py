"""Gateway: one reader per process that follows the streams of its sockets and sends their news."""

from __future__ import annotations

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

import structlog
from django.conf import settings
from django.db import DatabaseError
from redis.exceptions import RedisError

from config import clock, limits, metrics
from config.door.turns import Turns
from config.redis import room_async, told_to_end
from tables.gateway import database, links, rights
from tables.gateway.background import BackgroundTasks
from tables.gateway.chat import ChatCommands
from tables.gateway.commands import Commands
from tables.gateway.feed import Feed
from tables.gateway.followers import StreamFollower
from tables.gateway.reader import PARTS, Reader, Rounds
from tables.gateway.snapshots import CatchUp
from tables.gateway.sockets import Places, Sockets
from tables.gateway.stream_kinds import Missing, NoSuchStream, guard_tables, kind_of
from tables.gateway.windows import Windows
from tables.store import keys, witnesses
from tables.store.connections import Connections

log = structlog.get_logger(__name__)

SNAPSHOT_AGAIN_S = 2.0
READ_STREAMS_MAX = 200


class Gateway:
    """Shared parts of all sockets of one event loop: feeds, reader, sessions, limits."""

    def __init__(self) -> None:
        self._redis: Any = room_async()
        self._reader = Reader(self._redis, settings.SHARDS)
        most, kept = limits.SNAPSHOTS_AT_ONCE_MAX, limits.SNAPSHOTS_KEPT_FOR_PLAYERS
        turns = Turns(most, kept=(0, kept), waiting_max=limits.SNAPSHOTS_WAITING_MAX)
        self._catching = CatchUp(self._redis, self._reader, turns)
        self._missing = Missing()
        self._feeds: dict[str, Feed] = {}
        self._hinted: dict[str, float] = {}
        self._stirred = asyncio.Event()
        self.lines = Connections(self._redis)
        self._windows = Windows(self._redis, self.lines, turns)
        self._rounds = Rounds()
        self._round_due = False
        self._part_due = False
        self._run: str | None = None
        self._ahead_ms = 0
        self._tasks = BackgroundTasks()
        self.commands = Commands(self._redis)
        self.chat = ChatCommands(self._redis, self._tasks)
        self._places = Places(self._redis, self.lines.name)
        self.sockets = Sockets(self._places)
        self.linked = links.LinkedSockets()
        # Database threads look up the session of each socket; a flood of invented sessions waits
        # here.
        self.lookups = Turns(
            limits.SOCKET_DATABASE_THREADS, kept=(0, 1), waiting_max=limits.LOOKUPS_WAITING_MAX
        )

    def start(self) -> None:
        """Start listening, reading and sweeping in the running loop."""
        for work in (self._listen, self._read, self._sweep, self._check_sessions):
            self._tasks.repeat(work)

    async def stop(self) -> None:
        """End every task and connection."""
        await self._tasks.stop()
        self.commands.close()
        await self._places.close()
        await self._redis.aclose()
        database.close_threads()

    def now_ms(self) -> int:
        """Return the room's clock in ms, in which deadlines at tables are given."""
        return clock.now_ms() + self._ahead_ms

    def follow(self, follower: StreamFollower) -> None:
        """Bring a follower up to date and send it everything from there on."""
        now_s = asyncio.get_running_loop().time()
        stranger = follower.user is None and follower.link is None
        if stranger and self._missing.has(follower.stream, now_s):
            follower.gone = True
            follower.refuse("no_such_stream")
            return
        feed = self._feeds.get(follower.stream)
        if feed is None:
            kind = kind_of(follower.stream)
            assert kind is not None, follower.stream
            feed = self._feeds[follower.stream] = Feed(
                follower.stream, kind, self.lines, self._catch_up
            )
            self._hint(follower.stream)
        feed.followers.add(follower)
        self._catch_up(feed, follower)

    def unfollow(self, follower: StreamFollower) -> None:
        """Stop sending to a follower; release its table after the grace when it played one."""
        follower.gone = True
        follower.outbox.forget(follower.stream)
        if follower.claimed:
            self.lines.leaves(follower.tab)
            self._tasks.spawn(self._windows.release(follower))
        feed = self._feeds.get(follower.stream)
        if feed is not None:
            feed.followers.discard(follower)
            if not feed.followers:
                feed.close()
                del self._feeds[follower.stream]

    def start_over(self, follower: StreamFollower) -> None:
        """Send a snapshot to a follower after its waiting messages were dropped."""
        feed = self._feeds.get(follower.stream)
        if feed is not None and not follower.gone:
            feed.restart(follower)

    def _hint(self, stream: str) -> None:
        self._hinted.setdefault(stream, asyncio.get_running_loop().time())
        self._stirred.set()

    # ---- the loops ----

    async def _listen(self) -> None:
        async with self._redis.pubsub() as hints:
            await hints.subscribe(keys.HINTS)
            self.compare_soon()
            while not told_to_end():
                message = await hints.get_message(ignore_subscribe_messages=True, timeout=1.0)
                if message is None:
                    continue
                self.hear(message["data"].decode())

    async def _read(self) -> None:
        while not told_to_end():
            await self._stirred.wait()
            self._stirred.clear()
            await self.read_due_streams()

    async def _sweep(self) -> None:
        while True:
            for _ in range(PARTS):
                await asyncio.sleep(limits.HEADS_EVERY_MS / 1_000 / PARTS)
                self.compare_part()
            if self._rounds.over:  # a slow round goes on until it is complete
                self.compare_soon()

    async def _check_sessions(self) -> None:
        now_s = asyncio.get_running_loop().time
        while True:
            # Two rounds per period: a socket that joins just after its round began may be the last
            # of the next round.
            ends_s = now_s() + limits.SESSIONS_CHECK_MS / 2_000
            await rights.end_sessions(self.sockets.known(), over_s=ends_s - now_s())
            await self._check_rights()
            await self.linked.end_revoked()
            await rights.note_used(self.sockets.known(), clock.monotonic_ms())
            await asyncio.sleep(ends_s - now_s())

    async def _check_rights(self, users: set[int] | None = None) -> None:
        for follower in await rights.lost(list(self._feeds.values()), users):
            if not follower.gone:
                self.unfollow(follower)
                follower.refuse("no_such_stream")

    # ---- what the loops do, without their connections and pauses ----

    def hear(self, hint: str) -> None:
        """Handle a hint of the room: the name of a stream with news, or of a user's sessions."""
        self._missing.forget(hint)
        if hint in self._feeds:
            self._feeds[hint].readable_again()
            self._hint(hint)
        elif hint.startswith(links.HINT_PREFIX):
            self.linked.end({int(hint.removeprefix(links.HINT_PREFIX))})
        elif hint.startswith(rights.HINT_PREFIX):
            user = int(hint.removeprefix(rights.HINT_PREFIX))
            self._tasks.spawn(rights.end_sessions(self.sockets.of(user)))
            self._tasks.spawn(self._check_rights({user}))

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
        streams = hinted.keys() & self._feeds.keys()
        try:
            # 2. Ask which run of Redis answers: after a restart its streams may be older, so every
            #    feed starts over before any event is sent.
            if anew or self._run is None:
                await self._meet_server()
                await self._look_at_lines()
                self._rounds.begin(self._feeds)
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
        server = await self._reader.server()
        self._ahead_ms = server.now_ms - clock.now_ms()
        if server.run != self._run:
            await self._testify(server.run)
        if self._run is not None and server.run != self._run:
            log.warning("room's redis started anew", run=server.run, streams=len(self._feeds))
            for feed in self._feeds.values():
                feed.start_over()
        self._run = server.run

    async def _testify(self, run: str) -> None:
        """Say whether this run of Redis holds all that was told here; nothing is read before."""
        told = {
            feed.stream: feed.recent.last
            for feed in self._feeds.values()
            if feed.table and feed.recent is not None
        }
        name = self.lines.name
        if lost := await witnesses.testify(self._redis, name, told, settings.SHARDS):
            log.error("room's redis lost what was told", run=run, streams=lost)

    async def _look_at_lines(self) -> None:
        if await self.lines.refresh(self.now_ms()):
            for feed in self._feeds.values():
                feed.tell_lines()

    async def _compare_heads(self, part: list[str]) -> set[str]:
        streams, compared = set(), []
        for feed in [self._feeds[stream] for stream in part if stream in self._feeds]:
            known = feed.known()
            if known is None:
                streams.add(feed.stream)
            else:
                compared.append(known)
            self._attend(feed)
        return streams | set(await self._reader.differing(compared))

    def _attend(self, feed: Feed) -> None:
        for follower in list(feed.followers):
            self.commands.expire(follower)
            if follower.at is None:
                self._catch_up(feed, follower)

    async def _read_streams(self, streams: list[str]) -> None:
        for first in range(0, len(streams), READ_STREAMS_MAX):
            feeds = [
                self._feeds[stream]
                for stream in streams[first : first + READ_STREAMS_MAX]
                if stream in self._feeds
            ]
            asked_at = asyncio.get_running_loop().time()
            tails = await self._reader.read([feed.wanted() for feed in feeds])
            for feed, tail in zip(feeds, tails, strict=True):
                for follower in feed.take(tail, asked_at):
                    self._tasks.spawn(self._windows.take(feed, follower))
                feed.tell_lines()
                if tail.more:
                    self._hint(feed.stream)
                self._attend(feed)

    def _catch_up(self, feed: Feed, follower: StreamFollower) -> None:
        if follower.catching or follower.gone or feed.recent is None:
            return
        if feed.quiet_until <= asyncio.get_running_loop().time():
            follower.catching = True
            self._tasks.spawn(self._bring(feed, follower))

    async def _bring(self, feed: Feed, follower: StreamFollower) -> None:
        newly = follower.entry is None
        try:
            if not await self._catching.bring(feed, follower):
                feed.unreadable(follower, asyncio.get_running_loop().time())
                return
            feed.readable_again()
        except NoSuchStream:
            if follower.user is None and follower.link is None:  # a user may have gained the right
                self._missing.note(feed.stream, asyncio.get_running_loop().time())
            self.unfollow(follower)
            follower.refuse("no_such_stream")
            return
        except (RedisError, OSError, DatabaseError) as error:
            log.warning("snapshot delayed", stream=feed.stream, error=str(error))
            feed.quiet_until = asyncio.get_running_loop().time() + SNAPSHOT_AGAIN_S
            return
        except Exception:
            log.exception("no snapshot", stream=feed.stream)
            return
        finally:
            follower.catching = False
        # Send the events that arrived while the snapshot was read, then the disconnected entries.
        follower.after = None
        feed.tell_one(follower)
        feed.tell_lines([follower])
        # The first socket with a seat takes the table; a follower that had its seat before has it.
        if newly and follower.entry is not None and not follower.watch and not follower.gone:
            await self._windows.take(feed, follower)


guard_tables(rights.of_table)
_gateways: WeakKeyDictionary[asyncio.AbstractEventLoop, Gateway] = WeakKeyDictionary()


def here() -> Gateway:
    """Return the gateway of the running loop; start it on first use."""
    loop = asyncio.get_running_loop()
    if loop not in _gateways:
        gateway = _gateways[loop] = Gateway()
        gateway.start()
    return _gateways[loop]
