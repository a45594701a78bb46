"""Track which socket controls each seat and which web processes are alive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

import msgspec
from django.conf import settings
from redis import Redis

from config import limits
from tables.store import keys

MARK = "mark"
"""Field beside the users in the tabs of a table; its value is new after every change."""

FORGOTTEN_MS = 3_600_000
_NAME_LENGTH = 8
_WINDOW = "."


class Tabs(msgspec.Struct, frozen=True):
    """Token of the controlling socket by user at a table; `mark` is "" before the first one."""

    mark: str
    of: Mapping[int, str]


def tabs(raw: Mapping[bytes, bytes]) -> Tabs:
    """Decode the tabs of a table from its hash in Redis."""
    fields = {name.decode(): value.decode() for name, value in raw.items()}
    mark = fields.pop(MARK, "")
    return Tabs(mark, {int(user): tab for user, tab in fields.items()})


def new_mark() -> str:
    """Return a mark that no earlier change had."""
    return uuid4().hex


def living(raw: Mapping[bytes, bytes], now_ms: int, *, silent_ms: int) -> frozenset[str]:
    """Web processes of a hash of gateways that gave a sign of life within `silent_ms`."""
    return frozenset(name.decode() for name, at in raw.items() if now_ms - int(at) <= silent_ms)


def is_connected(redis: Redis, table: int, user: int, now_ms: int) -> bool:
    """Return whether a socket of a living web process controls the seat of a user at a table."""
    return bool(connected_seats(redis, [(table, user)], now_ms))


def connected_seats(
    redis: Redis, seats: Sequence[tuple[int, int]], now_ms: int
) -> set[tuple[int, int]]:
    """Return which seats, as (table, user), a socket of a living web process controls."""
    pipe = redis.pipeline(transaction=False)
    for table, user in seats:
        pipe.hget(keys.tabs(keys.table(table), settings.SHARDS), str(user))
    shards = {table: keys.shard(keys.table(table), settings.SHARDS) for table, _user in seats}
    asked = sorted(set(shards.values()))
    for shard in asked:
        pipe.hgetall(keys.gateways(shard))
    answers = pipe.execute(raise_on_error=False)
    gateways = dict(zip(asked, answers[len(seats) :], strict=True))
    alive = {
        shard: living(found, now_ms, silent_ms=limits.GATEWAY_SILENT_MAX_MS)
        for shard, found in gateways.items()
        if isinstance(found, dict)
    }
    # A key of another type names no socket; the gateway deletes it when it next reads the table.
    return {
        seat
        for seat, tab in zip(seats, answers, strict=False)
        if isinstance(tab, bytes) and process(tab.decode()) in alive.get(shards[seat[0]], ())
    }


def process(tab: str) -> str:
    """Return the name of the web process that a token belongs to."""
    return tab[:_NAME_LENGTH]


def window_of(tab: str) -> str:
    """Return the name of the browser window in a token; "" when the client named none."""
    return tab.partition(_WINDOW)[2]


class Connections:
    """Web processes alive as each shard knows them, and the sockets of this process that play."""

    def __init__(self) -> None:
        self.name = uuid4().hex[:_NAME_LENGTH]
        self._alive: dict[int, frozenset[str]] = {}
        self._looked_ms: dict[int, int] = {}
        self._playing: set[str] = set()
        self._left: set[str] = set()

    async def refresh(self, redis: Any, now_ms: int, shard: int = 0) -> bool:
        """Report this process as alive to a shard, read which others are, and return whether that
        set has changed.

        A process that was silent while this process could not look either does not count as dead.
        """
        key = keys.gateways(shard)
        pipe = redis.pipeline(transaction=False)
        pipe.hset(key, self.name, now_ms)
        pipe.hgetall(key)
        _, raw = await pipe.execute()
        forgotten = [name for name, at in raw.items() if now_ms - int(at) > FORGOTTEN_MS]
        if forgotten:
            await redis.hdel(key, *forgotten)
        looked_ms = self._looked_ms.get(shard, now_ms)
        silent_ms = limits.GATEWAY_SILENT_MAX_MS + max(0, now_ms - looked_ms)
        self._looked_ms[shard] = now_ms
        before = self._alive.get(shard, frozenset())
        self._alive[shard] = living(raw, now_ms, silent_ms=silent_ms)
        return self._alive[shard] != before

    def new_tab(self, window: str = "") -> str:
        """Return a token for a socket: name of this process, unique part, name of its window."""
        return self.name + uuid4().hex + (_WINDOW + window if window else "")

    def plays(self, tab: str) -> None:
        """Note that a socket of this process controls a seat from now on."""
        self._playing.add(tab)

    def ended(self, tab: str) -> None:
        """Note that a socket is closed, or that another socket controls its seat."""
        self._playing.discard(tab)
        self._left.discard(tab)

    def leaves(self, tab: str) -> None:
        """Note that the page of a socket is left; the socket counts as connected for a while."""
        self._left.add(tab)

    def yields(self, stream: str, holder: str | None, window: str) -> bool:
        """Return whether `window` may play a table without taking it from a window that plays.

        True without a live controlling socket, when the socket belongs to the same window, or when
        the page of that socket has been left.
        """
        if holder is None or not self._stands(stream, holder) or holder in self._left:
            return True
        return bool(window) and window_of(holder) == window

    def is_over(self, tab: str) -> bool:
        """Return whether `tab` is a socket of this process that no longer plays."""
        return process(tab) == self.name and tab not in self._playing

    def _stands(self, stream: str, tab: str) -> bool:
        alive = self._alive.get(keys.shard(stream, settings.SHARDS), frozenset())
        return tab in self._playing or process(tab) in alive - {self.name}

    def disconnected(
        self, stream: str, seated: Mapping[int, int], of: Mapping[int, str]
    ) -> tuple[int, ...]:
        """Sorted entries of seated users (user -> entry) without a live socket (user -> tab)."""
        gone = [
            entry for user, entry in seated.items() if not self._stands(stream, of.get(user, ""))
        ]
        return tuple(sorted(gone))
