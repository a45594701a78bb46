"""Places for sockets: how many a user or an address may have open in the whole room."""

from __future__ import annotations

import asyncio
from collections import Counter
from hashlib import sha256
from typing import Any

import structlog
from redis.exceptions import RedisError

from config import limits
from tables.gateway.trips import Trips
from tables.store import connections

log = structlog.get_logger(__name__)

PLACES = "sockets:"
"""Begins the hash of a user's or address' places: web process -> its sockets."""


class Places:
    """Counts sockets by subject, `user:7` or an address, over all web processes.

    Redis is asked when a socket opens and told when it closes, never in between, and for all
    sockets that do so at once in one trip. A web process
    that died is recognized by its silence; its sockets count no longer. While Redis is away this
    process counts alone.
    """

    def __init__(self, redis: Any, name: str) -> None:
        self._name = name
        self._own: Counter[str] = Counter()
        self._enter = Trips(redis, "enter")
        self._leave = Trips(redis, "leave")
        self._leaving: set[asyncio.Task[None]] = set()

    def own(self, subject: str) -> int:
        """Return how many sockets of the subject this process has."""
        return self._own[subject]

    async def take(self, subject: str, most: int, now_ms: int) -> bool:
        """Take one of at most `most` places of a subject; False when all are taken."""
        if self._own[subject] >= most:
            return False
        self._own[subject] += 1
        args = [
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
        if not free:
            self._forget(subject)
        return bool(free)

    def give_back(self, subject: str) -> None:
        """Give a place back; Redis is told in the background."""
        self._forget(subject)
        task = asyncio.ensure_future(self._tell(subject))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    async def close(self) -> None:
        """Wait until Redis was told of every place that was given back."""
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
    # Addresses are nobody's business in a dump of Redis.
    return PLACES + sha256(subject.encode()).hexdigest()[:32]
