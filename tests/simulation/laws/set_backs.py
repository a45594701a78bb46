"""Time that goes on where a world's clock is set back, and what a reading of the clock means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf

Jump = tuple[int, int]
"""Reading of the clock when it jumped, and by how much, in ms; back where that is negative."""


def back_ms(jumps: Iterable[Jump]) -> int:
    """Return by how much all these jumps together set the clock back."""
    return sum(-gap for _, gap in jumps if gap < 0)


def elapsed_ms(now_ms: int, jumps: Iterable[Jump]) -> int:
    """Return the time that never goes back, at a reading of the clock after all these jumps."""
    return now_ms + back_ms(jumps)


def readings(clock_ms: int, jumps: Iterable[Jump]) -> list[int]:
    """Return when the clock showed this time, earliest first: more than once after a jump back."""
    return list(_readings(clock_ms, jumps))


def _readings(clock_ms: int, jumps: Iterable[Jump]) -> Iterator[int]:
    since, back = -inf, 0
    for at_ms, gap in jumps:
        if gap < 0:
            if since <= clock_ms <= at_ms:
                yield clock_ms + back
            since, back = at_ms + gap, back - gap
    if clock_ms >= since:
        yield clock_ms + back
