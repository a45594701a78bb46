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

EVERY_S = 30.0
"""Time in s between two collections of new objects."""

NEW_OBJECTS_MAX = 20_000
"""New objects that start a collection of their own, e.g. those of pages."""

NEVER = 1_000_000


async def collect_sparingly() -> None:
    """Collect in portions until cancelled, in a process whose connections last."""
    sparing = Sparing(time.monotonic())
    usual = gc.get_threshold()
    spare_waiting()
    try:
        while True:
            await asyncio.sleep(EVERY_S)
            sparing.collect_when_due((), time.monotonic())
    finally:
        gc.set_threshold(*usual)


def spare_waiting() -> None:
    """Look for garbage only where many objects are new, and not at those that stayed, by itself.

    Each message that a socket sends or waits for replaces a dozen objects, which are no garbage:
    at Python's usual 700 new ones a process with 3,000 sockets stopped for 10 ms each second.
    """
    gc.set_threshold(NEW_OBJECTS_MAX, NEVER, NEVER)


def spare_start() -> None:
    """Never again look for garbage among the objects of the start of a process, which all last."""
    gc.collect()
    gc.freeze()


class Sparing:
    """Collector that collects new objects twice a minute, old ones only when enough have gathered.

    A full collection stops the process for most of a second with the objects of 3,000 sockets, and
    would come every minute. Survivors are therefore frozen, and collected when as many connections
    ended as are open, at the latest after an hour: each leaves cyclic garbage.
    """

    def __init__(self, now_s: float) -> None:
        self._full_at_s = now_s
        self._ended = 0
        self._open: frozenset[object] = frozenset()

    def collect_when_due(self, connections: Collection[object], now_s: float) -> None:
        """Collect; call this every EVERY_S with the open connections."""
        self._ended += len(self._open.difference(connections))
        self._open = frozenset(connections)
        worth_it = self._ended >= max(CONNECTIONS_FEW, len(connections))
        if worth_it or now_s >= self._full_at_s + FULL_EVERY_S:
            gc.unfreeze()
            self._ended, self._full_at_s = 0, now_s
        gc.collect()
        gc.freeze()
