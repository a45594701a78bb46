"""Times of decisions in buckets, half an octave each (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

TIME_BUCKETS = 16
SHORTEST_MS = 250
"""Upper end of the first bucket: times of actions chosen in advance."""


def time_bucket(used_ms: int) -> int:
    """Return the bucket of a time; the ends of buckets grow by the root of two, to 32 s."""
    if used_ms < SHORTEST_MS:
        return 0
    return min(TIME_BUCKETS - 1, 1 + int(2 * log2(used_ms / SHORTEST_MS)))


def bucket_ends_ms() -> tuple[int, ...]:
    """Return the upper end of each bucket but the last, which has none."""
    return tuple(round(SHORTEST_MS * 2 ** (number / 2)) for number in range(TIME_BUCKETS - 1))


def entropy_bits(counts: Sequence[int]) -> float:
    """Return the entropy of a distribution in bits; 0 when all is in one bucket."""
    total = sum(counts)
    return sum(-count / total * log2(count / total) for count in counts if count)
