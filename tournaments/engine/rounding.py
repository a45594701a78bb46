"""Split a total into whole units without loss, every part within one unit of its exact share."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm


def largest_remainder(total: int, parts: Sequence[Fraction | float | int]) -> list[int]:
    """Split `total` in proportion to `parts`, rounded down, with the rest by largest remainder.

    The left-over units go one each to the largest remainders; among equal remainders to the larger
    part, then to the earlier one.
    """
    assert total >= 0, "the total is never negative"
    assert all(part >= 0 for part in parts), "parts are never negative"
    units = _in_units(parts)
    whole = sum(units)
    assert whole > 0, "at least one part is above zero"
    shares = [divmod(total * unit, whole) for unit in units]
    amounts = [share for share, _ in shares]
    order = sorted(range(len(parts)), key=lambda i: (-shares[i][1], -units[i], i))
    for index in order[: total - sum(amounts)]:
        amounts[index] += 1
    assert sum(amounts) == total, "shares sum to the total"
    return amounts


def _in_units(parts: Sequence[Fraction | float | int]) -> list[int]:
    """Return the parts as multiples of one exact unit: whole numbers are quicker than fractions."""
    weights = [part if isinstance(part, int) else Fraction(part) for part in parts]
    unit = lcm(*(weight.denominator for weight in weights))
    return [int(weight * unit) for weight in weights]


def evenly(total: int, count: int) -> list[int]:
    """Split `total` into `count` equal parts, with the odd units one each to the first parts."""
    assert total >= 0, "the total is never negative"
    assert count >= 1, "there is at least one part"
    each, odd = divmod(total, count)
    return [each + 1] * odd + [each] * (count - odd)
