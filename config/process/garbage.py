"""Python's garbage collector in a process that holds thousands of sockets for hours."""

from __future__ import annotations

import gc
from collections.abc import Collection

FULL_EVERY_S = 3_600.0
"""What lived on is looked through at least this often, in s."""

CONNECTIONS_FEW = 1_000
"""What so many ended connections leave behind is not worth stopping for."""


class Sparing:
    """Collects what is new at every look, and what lived on only when it is worth a stop.

    A full collection stops the process; of the objects of 3,000 sockets it takes most of a
    second, and it would come every minute. What lived on is therefore set aside. It is looked
    through when as many connections ended as are open, at the latest after an hour: each leaves
    objects that only hold each other.
    """

    def __init__(self, now_s: float) -> None:
        self._full_at_s = now_s
        self._ended = 0
        self._open: frozenset[object] = frozenset()

    def look(self, connections: Collection[object], now_s: float) -> None:
        """Collect; to be called every few seconds, with the connections that are open."""
        self._ended += len(self._open.difference(connections))
        self._open = frozenset(connections)
        worth_it = self._ended >= max(CONNECTIONS_FEW, len(connections))
        if worth_it or now_s >= self._full_at_s + FULL_EVERY_S:
            gc.unfreeze()
            self._ended, self._full_at_s = 0, now_s
        gc.collect()
        gc.freeze()
