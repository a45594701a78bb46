"""Gateway: one reader per process that follows the streams of its sockets and sends their news."""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary

import structlog
from django.conf import settings
from django.db import DatabaseError
from redis.exceptions import RedisError

from config import clock, limits
from config.door.turns import Turns
from config.redis import room_async
from tables.gateway import database, links, rights
from tables.gateway.background import BackgroundTasks
from tables.gateway.chat import ChatCommands
from tables.gateway.commands import Commands
from tables.gateway.ranks import Ranks
from tables.gateway.shards import Shards
from tables.gateway.snapshots import CatchUp
from tables.gateway.sockets import Places, Sockets
from tables.gateway.streams.feed import Feed
from tables.gateway.streams.followers import StreamFollower
from tables.gateway.streams.known_kinds import Missing, NoSuchStream, guard_tables, kind_of
from tables.gateway.streams.of_shard import ShardStreams
from tables.gateway.streams.reader import Reader
from tables.gateway.windows import Windows
from tables.store import keys
from tables.store.connections import Connections

log = structlog.get_logger(__name__)

SNAPSHOT_AGAIN_S = 2.0


class Gateway:
    """Shared parts of all sockets of one event loop: feeds, reader, sessions, limits."""

    def __init__(self) -> None:
        self._shards = Shards(room_async)
        self._reader = Reader(self._shards)
        most, kept = limits.SNAPSHOTS_AT_ONCE_MAX, limits.SNAPSHOTS_KEPT_FOR_PLAYERS
        turns = Turns(most, kept=(0, kept), waiting_max=limits.SNAPSHOTS_WAITING_MAX)
        self._catching = CatchUp(self._shards, self._reader, turns)
        self._missing = Missing()
        self._feeds: dict[str, Feed] = {}
        self.lines = Connections()
        self._windows = Windows(self._shards, self.lines, turns)
        self._streams = [
            ShardStreams(shard, redis, self._reader, self.lines, self)
            for shard, redis in enumerate(self._shards.clients)
        ]
        self._tasks = BackgroundTasks()
        self.commands = Commands(self._shards)
        self.chat = ChatCommands(self._shards, self._tasks)
        self._places = Places(self._shards, self.lines.name)
        self.sockets = Sockets(self._places)
        self.linked = links.LinkedSockets()
        self.ranks = Ranks(self._tasks)
        # Database threads look up the session or the link of each socket; a flood of invented ones
        # waits here.
        self.lookups = Turns(
            limits.SOCKET_DATABASE_THREADS, kept=(0, 1), waiting_max=limits.LOOKUPS_WAITING_MAX
        )

    def start(self) -> None:
        """Start listening, reading and sweeping in the running loop."""
        for streams in self._streams:
            for work in (streams.listen, streams.read, streams.sweep):
                self._tasks.repeat(work)
        self._tasks.repeat(self._check_sessions)

    async def stop(self) -> None:
        """End every task and connection."""
        await self._tasks.stop()
        self.commands.close()
        await self._places.close()
        await self._shards.close()
        database.close_threads()

    def now_ms(self) -> int:
        """Return the room's clock in ms, in which deadlines at tables are given."""
        return clock.now_ms() + self._streams[0].ahead_ms

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
            streams = self._streams_of(follower.stream)
            streams.feeds[follower.stream] = feed
            streams.hint(follower.stream)
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
                self._streams_of(follower.stream).leave(feed)

    def start_over(self, follower: StreamFollower) -> None:
        """Send a snapshot to a follower after its waiting messages were dropped."""
        feed = self._feeds.get(follower.stream)
        if feed is not None and not follower.gone:
            feed.restart(follower)

    # ---- the loops ----

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
            self._streams_of(hint).hint(hint)
        elif hint.startswith(links.HINT_PREFIX):
            self.linked.end({int(hint.removeprefix(links.HINT_PREFIX))})
        elif hint.startswith(rights.HINT_PREFIX):
            user = int(hint.removeprefix(rights.HINT_PREFIX))
            self._tasks.spawn(rights.end_sessions(self.sockets.of(user)))
            self._tasks.spawn(self._check_rights({user}))

    def compare_soon(self) -> None:
        """Let the next looks ask which runs of Redis answer, and start to compare every stream."""
        for streams in self._streams:
            streams.compare_soon()

    def compare_part(self) -> None:
        """Let the next looks compare one more part of the streams, unless all were compared."""
        for streams in self._streams:
            streams.compare_part()

    async def read_due_streams(self) -> None:
        """Read the hinted streams and compare those that are due; after a failure they stay due."""
        for streams in self._streams:
            await streams.read_due_streams()

    def attend(self, feed: Feed) -> None:
        """Catch up followers that wait, and answer commands that waited too long."""
        for follower in list(feed.followers):
            self.commands.expire(follower)
            if follower.at is None:
                self._catch_up(feed, follower)

    def retake(self, feed: Feed, follower: StreamFollower) -> None:
        """Let a follower take its table again."""
        self._tasks.spawn(self._windows.take(feed, follower))

    def _streams_of(self, stream: str) -> ShardStreams:
        return self._streams[keys.shard(stream, settings.SHARDS)]

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
