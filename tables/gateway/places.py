"""Places for sockets: limits per user and per address over all web processes."""

from __future__ import annotations

import asyncio
from collections import Counter
from hashlib import sha256
from typing import Any

import structlog
from redis.exceptions import RedisError

from config import limits
from config.scripts import Trips
from tables.store import connections, lua

log = structlog.get_logger(__name__)

PLACES = "sockets:"
"""Prefix of the hash of a user's or address' sockets: web process -> count."""


class Places:
    """Counts of sockets by subject, `user:7` or an address, over all web processes.

    Redis is asked when a socket opens and informed when it closes, never in between, in one trip
    for all sockets that do so at once. Sockets of a web process that died count no longer after its
    silence. While Redis is away this process counts alone.
    """

    def __init__(self, redis: Any, name: str) -> None:
        self._name = name
        self._own: Counter[str] = Counter()
        self._enter = Trips(redis, lua.source("enter"))
        self._leave = Trips(redis, lua.source("leave"))
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
                free = await self._enter.run([_key(subject), connections.GATEWAYS], args)
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
            await self._leave.run([_key(subject)], [self._name, last])
        except (RedisError, OSError) as error:
            log.warning("place of a socket not given back", error=str(error))


def _key(subject: str) -> str:
    # Hashed, so that a dump of Redis contains no addresses.
    return PLACES + sha256(subject.encode()).hexdigest()[:32]
