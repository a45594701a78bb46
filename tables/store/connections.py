"""Whose line to a table stands: which socket plays for whom, in which web processes that live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

import msgspec

from config import limits

GATEWAYS = "gateways"
"""Hash: name of a web process -> when it was last heard of (room's clock, ms)."""

MARK = "mark"
"""Field beside the users of a table's tabs; it is another one after every change."""

FORGOTTEN_MS = 3_600_000
_NAME_LENGTH = 8
_WINDOW = "."


class Tabs(msgspec.Struct, frozen=True):
    """Which socket plays for each user at a table; `mark` is "" when none ever did."""

    mark: str
    of: Mapping[int, str]


def tabs(raw: Mapping[bytes, bytes]) -> Tabs:
    """The tabs of a table from its hash in Redis."""
    told = {name.decode(): value.decode() for name, value in raw.items()}
    mark = told.pop(MARK, "")
    return Tabs(mark, {int(user): tab for user, tab in told.items()})


def new_mark() -> str:
    """A mark that no change had before."""
    return uuid4().hex


def living(raw: Mapping[bytes, bytes], now_ms: int, *, silent_ms: int) -> frozenset[str]:
    """The web processes, from `GATEWAYS`, that were not silent for longer than that."""
    return frozenset(name.decode() for name, at in raw.items() if now_ms - int(at) <= silent_ms)


def process(tab: str) -> str:
    """The web process that a token belongs to."""
    return tab[:_NAME_LENGTH]


def window_of(tab: str) -> str:
    """Return the name of the browser window that a token belongs to; "" when it told none."""
    return tab.partition(_WINDOW)[2]


class Lines:
    """The web processes that live, as this one knows them, and its own sockets that play."""

    def __init__(self, redis: Any) -> None:
        self.name = uuid4().hex[:_NAME_LENGTH]
        self._redis = redis
        self._alive: frozenset[str] = frozenset()
        self._looked_ms: int | None = None
        self._playing: set[str] = set()
        self._left: set[str] = set()

    async def look(self, now_ms: int) -> bool:
        """Say that this process lives and hear which others do; whether that has changed.

        Who was silent while this process could not look either is not taken for dead.
        """
        pipe = self._redis.pipeline(transaction=False)
        pipe.hset(GATEWAYS, self.name, now_ms)
        pipe.hgetall(GATEWAYS)
        _, raw = await pipe.execute()
        await self._forget([name for name, at in raw.items() if now_ms - int(at) > FORGOTTEN_MS])
        silent_ms = limits.GATEWAY_SILENT_MAX_MS
        if self._looked_ms is not None:
            silent_ms += max(0, now_ms - self._looked_ms)
        self._looked_ms = now_ms
        before, self._alive = self._alive, living(raw, now_ms, silent_ms=silent_ms)
        return self._alive != before

    async def _forget(self, names: Sequence[bytes]) -> None:
        if names:
            await self._redis.hdel(GATEWAYS, *names)

    def new_tab(self, window: str = "") -> str:
        """A token for a socket: the name of this process first, that of its window last."""
        return self.name + uuid4().hex + (_WINDOW + window if window else "")

    def plays(self, tab: str) -> None:
        """A socket of this process plays at its table from now on."""
        self._playing.add(tab)

    def ended(self, tab: str) -> None:
        """That socket is gone, or another one plays."""
        self._playing.discard(tab)
        self._left.discard(tab)

    def leaves(self, tab: str) -> None:
        """Note that the page of that socket is left; it counts as connected for its grace."""
        self._left.add(tab)

    def yields(self, holder: str | None, window: str) -> bool:
        """Whether `window` may play without taking the table from a window that plays.

        Nobody plays it, the window itself does, or the page that did has been left.
        """
        if holder is None or not self._stands(holder) or holder in self._left:
            return True
        return bool(window) and window_of(holder) == window

    def is_over(self, tab: str) -> bool:
        """Whether that is a socket of this process that plays no longer."""
        return process(tab) == self.name and tab not in self._playing

    def _stands(self, tab: str) -> bool:
        return tab in self._playing or process(tab) in self._alive - {self.name}

    def disconnected(self, seated: Mapping[int, int], of: Mapping[int, str]) -> tuple[int, ...]:
        """The entries of those seated (user -> entry) for whom no socket (user -> tab) stands."""
        gone = [entry for user, entry in seated.items() if not self._stands(of.get(user, ""))]
        return tuple(sorted(gone))
