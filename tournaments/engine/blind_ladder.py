"""The ladder of customary small blinds, from 1 up, strictly rising (L-01)."""

from __future__ import annotations

from bisect import bisect_right

SMALL_BLINDS = (
    *(1, 2, 3, 4, 5, 6, 8),
    *(step * 10**power for power in range(10) for step in (10, 15, 20, 25, 30, 40, 50, 60, 80)),
)
"""Small blinds; the big blind is always twice as large: 10/20, 15/30, 20/40, 25/50, 30/60, ..."""


def at_most(small: float) -> int:
    """Return the ladder index of the largest small blind not above `small`, 0 at least."""
    return max(0, bisect_right(SMALL_BLINDS, small) - 1)


def nearest(small: float) -> int:
    """Return the ladder index of the small blind closest to `small` by its ratio."""
    place = at_most(small)
    if place + 1 == len(SMALL_BLINDS) or small <= SMALL_BLINDS[place]:
        return place
    lower, upper = SMALL_BLINDS[place], SMALL_BLINDS[place + 1]
    return place if small * small <= lower * upper else place + 1
