"""Garbage collection in a process that holds thousands of sockets for hours."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Collection

FULL_EVERY_S = 3_600.0
"""Longest time in s between two collections of survivors."""

CONNECTIONS_FEW = 1_000
"""Fewer ended connections do not justify a full collection."""

EVERY_S = 5.0
"""Time in s between two collections of new objects."""


async def collect_sparingly() -> None:
    """Collect in portions until cancelled, in a process whose connections last."""
    sparing = Sparing(time.monotonic())
    while True:
        await asyncio.sleep(EVERY_S)
        sparing.collect_when_due((), time.monotonic())


def spare_start() -> None:
    """Never again look for garbage among the objects of the start of a process, which all last."""
    gc.collect()
    gc.freeze()


class Sparing:
    """Collector that collects new objects often, and old ones only when enough have gathered.

    A full collection stops the process for most of a second with the objects of 3,000 sockets, and
    would come every minute. Survivors are therefore frozen, and collected when as many connections
    ended as are open, at the latest after an hour: each leaves cyclic garbage.
    """

    def __init__(self, now_s: float) -> None:
        self._full_at_s = now_s
        self._ended = 0
        self._open: frozenset[object] = frozenset()

    def collect_when_due(self, connections: Collection[object], now_s: float) -> None:
        """Collect; call this every few seconds with the open connections."""
        self._ended += len(self._open.difference(connections))
        self._open = frozenset(connections)
        worth_it = self._ended >= max(CONNECTIONS_FEW, len(connections))
        if worth_it or now_s >= self._full_at_s + FULL_EVERY_S:
            gc.unfreeze()
            self._ended, self._full_at_s = 0, now_s
        gc.collect()
        gc.freeze()
