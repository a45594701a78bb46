"""Open sockets of one process: their places in the whole room, and the rates of their messages."""

from __future__ import annotations

import asyncio
from collections import Counter
from hashlib import sha256
from typing import Protocol

import structlog
from django.conf import settings
from redis.exceptions import RedisError

from config import limits
from tables.gateway.shards import Shards
from tables.store import keys, lua

log = structlog.get_logger(__name__)


class Bucket:
    """Token bucket with a steady refill up to a burst; each message takes one token."""

    __slots__ = ("_at_ms", "_burst", "_per_s", "_tokens")

    def __init__(self, *, per_s: int, burst: int, now_ms: int) -> None:
        self._per_s = per_s
        self._burst = burst
        self._tokens = float(burst)
        self._at_ms = now_ms

    def take(self, now_ms: int) -> bool:
        """Take a token; False when there is none."""
        refill = (now_ms - self._at_ms) * self._per_s / 1_000
        self._tokens = min(float(self._burst), self._tokens + refill)
        self._at_ms = now_ms
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Conduct:
    """Record of one socket: its rate, its overruns and its unreadable messages.

    `shared` is the bucket that it has in common with the other sockets of its user or address.
    """

    __slots__ = ("_bucket", "_faults", "_overruns", "_shared")

    def __init__(self, shared: Bucket, now_ms: int) -> None:
        self._shared = shared
        self._bucket = Bucket(
            per_s=limits.CLIENT_MESSAGES_PER_S_MAX,
            burst=limits.CLIENT_MESSAGES_BURST_MAX,
            now_ms=now_ms,
        )
        self._overruns = 0
        self._faults = 0

    def admits(self, now_ms: int) -> bool:
        """Return whether a message may be read."""
        fine = self._bucket.take(now_ms) and self._shared.take(now_ms)
        if not fine:
            self._overruns += 1
        return fine

    def fault(self) -> None:
        """Note a message that could not be understood."""
        self._faults += 1

    @property
    def intolerable(self) -> bool:
        """True once the socket must be cut off."""
        return (
            self._overruns > limits.CLIENT_OVERRUNS_MAX or self._faults > limits.CLIENT_FAULTS_MAX
        )


class Places:
    """Counts of sockets by subject, `user:7` or an address, over all web processes.

    Redis is asked when a socket opens and informed when it closes, never in between, in one trip
    for all sockets that do so at once. Sockets of a web process that died count no longer after its
    silence. While Redis is away this process counts alone.
    """

    def __init__(self, shards: Shards, name: str) -> None:
        self._name = name
        self._own: Counter[str] = Counter()
        self._enter = shards.trips(lua.source("enter"))
        self._leave = shards.trips(lua.source("leave"))
        self._leaving: set[asyncio.Task[None]] = set()

    def own(self, subject: str) -> int:
        """Return how many sockets of the subject this process has."""
        return self._own[subject]

    async def take(self, subject: str, most: int, now_ms: int) -> bool:
        """Take one of at most `most` places of a subject; False when all are taken."""
        if self._own[subject] >= most:
            return False
        # 1. Count here before Redis answers: many sockets may ask at once.
        self._own[subject] += 1
        # 2. Ask Redis for the count of all processes; while it is away the count of this process
        #    decides.
        args: list[str | int] = [
            *(self._name, most, now_ms),
            *(limits.GATEWAY_SILENT_MAX_MS, limits.SOCKET_PLACES_KEPT_MS),
        ]
        try:
            async with asyncio.timeout(limits.READY_ANSWER_S):
                name = _hidden(subject)
                gateways = keys.gateways(keys.shard(name, settings.SHARDS))
                names = [keys.sockets(name, settings.SHARDS), gateways]
                free = await self._enter.run(name, names, args)
        except (RedisError, OSError) as error:
            log.warning("sockets counted in this process alone", error=str(error))
            return True
        except BaseException:
            self.give_back(subject)
            raise
        # 3. Refused: this place was never counted in Redis, so only the own count goes back.
        if not free:
            self._forget(subject)
        return bool(free)

    def give_back(self, subject: str) -> None:
        """Give a place back; Redis is informed in the background."""
        self._forget(subject)
        task = asyncio.ensure_future(self._tell(subject))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    async def close(self) -> None:
        """Wait until Redis was informed of every place that was given back."""
        await asyncio.gather(*self._leaving)

    def _forget(self, subject: str) -> None:
        self._own[subject] -= 1
        if not self._own[subject]:
            del self._own[subject]

    async def _tell(self, subject: str) -> None:
        last = 0 if self._own[subject] else 1
        try:
            name = _hidden(subject)
            await self._leave.run(name, [keys.sockets(name, settings.SHARDS)], [self._name, last])
        except (RedisError, OSError) as error:
            log.warning("place of a socket not given back", error=str(error))


class Socket(Protocol):
    """An open socket; `user_id` is None without a log-in or token, its `credential`.

    `source` is the address under which its limits count. `acted` is set by commands of its user
    and taken back once that was noted, at `noted_ms`.
    """

    user_id: int | None
    credential: str
    source: str
    acted: bool
    noted_ms: int

    def dismiss(self, code: str) -> None:
        """Say goodbye and close."""


def subject_of(socket: Socket) -> str:
    """Return the subject of a socket's limits: its user, or its address without a log-in."""
    return socket.source if socket.user_id is None else f"user:{socket.user_id}"


class Sockets:
    """All sockets of this process."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._count = 0
        self._anonymous = 0
        self._of_user: dict[int, set[Socket]] = {}
        self._subjects: Counter[str] = Counter()
        self._buckets: dict[str, Bucket] = {}

    async def enter(self, socket: Socket, now_ms: int) -> bool:
        """Admit a socket; False when its user, its address or this process has too many.

        Some places of a process are reserved for users who are logged in.
        """
        if self._count >= limits.SOCKETS_PER_PROCESS_MAX:
            return False
        anonymous = socket.user_id is None
        if anonymous and self._anonymous >= limits.ANONYMOUS_SOCKETS_PER_PROCESS_MAX:
            return False
        most = settings.SOCKETS_PER_ADDRESS if anonymous else limits.SOCKETS_PER_USER_MAX
        # Count before Redis answers: many sockets may ask at once.
        self._count += 1
        self._anonymous += anonymous
        try:
            entered = await self._places.take(subject_of(socket), most, now_ms)
        except BaseException:
            entered = False
            raise
        finally:
            if not entered:
                self._count -= 1
                self._anonymous -= anonymous
        if entered:
            self._subjects[subject_of(socket)] += 1
            if socket.user_id is not None:
                self._of_user.setdefault(socket.user_id, set()).add(socket)
        return entered

    def leave(self, socket: Socket) -> None:
        """Forget a socket that was admitted."""
        subject = subject_of(socket)
        self._places.give_back(subject)
        self._count -= 1
        self._anonymous -= socket.user_id is None
        self._subjects[subject] -= 1
        if not self._subjects[subject]:
            del self._subjects[subject]
            self._buckets.pop(subject, None)
        if socket.user_id is not None:
            own = self._of_user[socket.user_id]
            own.discard(socket)
            if not own:
                del self._of_user[socket.user_id]

    def bucket(self, socket: Socket, now_ms: int) -> Bucket:
        """Return the bucket that the sockets of a user, or of strangers at one address, share."""
        subject = subject_of(socket)
        if subject not in self._buckets:
            self._buckets[subject] = _shared_bucket(socket, now_ms)
        return self._buckets[subject]

    def of(self, user: int) -> list[Socket]:
        """Return the sockets of one user."""
        return list(self._of_user.get(user, ()))

    def known(self) -> list[Socket]:
        """Return all sockets of users who are logged in."""
        return [socket for own in self._of_user.values() for socket in own]


def _hidden(subject: str) -> str:
    # Hashed, so that a dump of Redis contains no addresses.
    return sha256(subject.encode()).hexdigest()[:32]


def _shared_bucket(socket: Socket, now_ms: int) -> Bucket:
    if socket.user_id is None:
        per_s, burst = limits.ADDRESS_MESSAGES_PER_S_MAX, limits.ADDRESS_MESSAGES_BURST_MAX
    else:
        per_s, burst = limits.USER_MESSAGES_PER_S_MAX, limits.USER_MESSAGES_BURST_MAX
    return Bucket(per_s=per_s, burst=burst, now_ms=now_ms)
