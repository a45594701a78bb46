"""Whole units out of exact parts: nothing is lost and nobody is off by a whole unit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def largest_remainder(total: int, parts: Sequence[Fraction | float | int]) -> list[int]:
    """`total` split in proportion to `parts`, rounded down, the left-over units one each to the
    largest remainders; among equal remainders the larger part and then the earlier one first.
    """
    assert total >= 0, "only what is there can be split"
    assert all(part >= 0 for part in parts), "no part is below nothing"
    weights = [Fraction(part) for part in parts]
    whole = sum(weights)
    assert whole > 0, "somebody has a part"
    exact = [total * weight / whole for weight in weights]
    amounts = [int(share) for share in exact]
    order = sorted(range(len(parts)), key=lambda i: (amounts[i] - exact[i], -exact[i], i))
    for index in order[: total - sum(amounts)]:
        amounts[index] += 1
    assert sum(amounts) == total, "parts sum to the whole"
    return amounts


def evenly(total: int, count: int) -> list[int]:
    """`total` in `count` equal parts, the odd units one each to the first."""
    assert total >= 0, "only what is there can be split"
    assert count >= 1, "somebody takes it"
    each, odd = divmod(total, count)
    return [each + 1] * odd + [each] * (count - odd)
