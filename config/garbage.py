"""Python's garbage collector in a process that holds thousands of sockets for hours."""

from __future__ import annotations

import gc

FULL_EVERY_S = 3_600.0
FEW = 100


class Sparing:
    """Collects what is new at every look, and never again asks about what lived on.

    A full collection stops the process; of the objects of 3,000 sockets it takes most of a
    second, and it would come every minute. What lived on is therefore set aside, and only looked
    through once an hour or when most sockets are gone, for what they left behind.
    """

    def __init__(self, now_s: float) -> None:
        self._full_at_s = now_s
        self._most = FEW

    def look(self, connections: int, now_s: float) -> None:
        """Collect; to be called every few seconds, with how many connections there are."""
        if connections < self._most / 2 or now_s >= self._full_at_s + FULL_EVERY_S:
            gc.unfreeze()
            self._most, self._full_at_s = FEW, now_s
        self._most = max(self._most, connections)
        gc.collect()
        gc.freeze()
