"""Split a total into whole units without loss, every part within one unit of its exact share."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def largest_remainder(total: int, parts: Sequence[Fraction | float | int]) -> list[int]:
    """Split `total` in proportion to `parts`, rounded down, with the rest by largest remainder.

    The left-over units go one each to the largest remainders; among equal remainders to the larger
    part, then to the earlier one.
    """
    assert total >= 0, "the total is never negative"
    assert all(part >= 0 for part in parts), "parts are never negative"
    weights = [Fraction(part) for part in parts]
    whole = sum(weights)
    assert whole > 0, "at least one part is above zero"
    exact = [total * weight / whole for weight in weights]
    amounts = [int(share) for share in exact]
    order = sorted(range(len(parts)), key=lambda i: (amounts[i] - exact[i], -exact[i], i))
    for index in order[: total - sum(amounts)]:
        amounts[index] += 1
    assert sum(amounts) == total, "shares sum to the total"
    return amounts


def evenly(total: int, count: int) -> list[int]:
    """Split `total` into `count` equal parts, with the odd units one each to the first parts."""
    assert total >= 0, "the total is never negative"
    assert count >= 1, "there is at least one part"
    each, odd = divmod(total, count)
    return [each + 1] * odd + [each] * (count - odd)
