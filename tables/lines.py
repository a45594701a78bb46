"""Whose line to a table stands: which socket plays for whom, in which web processes that live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

import msgspec

from config import limits

GATEWAYS = "gateways"
"""Hash: name of a web process -> when it was last heard of (room's clock, ms)."""

CHANGES = "changes"
"""Field beside the users of a table's tabs: how often they have changed."""

FORGOTTEN_MS = 3_600_000
_NAME_LENGTH = 8

_own = uuid4().hex[:_NAME_LENGTH]


class Tabs(msgspec.Struct, frozen=True):
    """Which socket plays for each user at a table, and how often that has changed ("": never)."""

    changes: str
    of: Mapping[int, str]


def new_tab() -> str:
    """A token for a socket that plays at a table; it begins with the name of this process."""
    return _own + uuid4().hex


def tabs(raw: Mapping[bytes, bytes]) -> Tabs:
    """The tabs of a table from its hash in Redis."""
    told = {name.decode(): value.decode() for name, value in raw.items()}
    changes = told.pop(CHANGES, "")
    return Tabs(changes, {int(user): tab for user, tab in told.items()})


def living(raw: Mapping[bytes, bytes], now_ms: int, *, silent_ms: int) -> frozenset[str]:
    """The web processes, from `GATEWAYS`, that were not silent for longer than that."""
    return frozenset(name.decode() for name, at in raw.items() if now_ms - int(at) <= silent_ms)


def disconnected(
    seated: Mapping[int, int], of: Mapping[int, str], alive: frozenset[str]
) -> tuple[int, ...]:
    """The entries of those seated (user -> entry) who have no socket in a process that lives."""
    gone = [entry for user, entry in seated.items() if of.get(user, "")[:_NAME_LENGTH] not in alive]
    return tuple(sorted(gone))


class Lines:
    """The web processes that live, as this one knows them; what a dead one held nobody holds."""

    def __init__(self, redis: Any) -> None:
        self._redis = redis
        self._alive = frozenset({_own})
        self._looked_ms: int | None = None

    async def look(self, now_ms: int) -> bool:
        """Say that this process lives and hear which others do; whether that has changed.

        Who was silent while this process could not look either is not taken for dead.
        """
        pipe = self._redis.pipeline(transaction=False)
        pipe.hset(GATEWAYS, _own, now_ms)
        pipe.hgetall(GATEWAYS)
        _, raw = await pipe.execute()
        silent_ms = limits.GATEWAY_SILENT_MAX_MS
        if self._looked_ms is not None:
            silent_ms += max(0, now_ms - self._looked_ms)
        self._looked_ms = now_ms
        before = self._alive
        self._alive = living(raw, now_ms, silent_ms=silent_ms) | {_own}
        await self._forget([name for name, at in raw.items() if now_ms - int(at) > FORGOTTEN_MS])
        return self._alive != before

    async def _forget(self, names: Sequence[bytes]) -> None:
        if names:
            await self._redis.hdel(GATEWAYS, *names)

    def disconnected(self, seated: Mapping[int, int], of: Mapping[int, str]) -> tuple[int, ...]:
        """The entries of those seated (user -> entry) whose socket (user -> token) is gone."""
        return disconnected(seated, of, self._alive)
