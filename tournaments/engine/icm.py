"""What a stack is worth in prize money: Malmuth-Harville probabilities of every paid place."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import ceil, exp, expm1, floor, lcm, log, prod

EXACT_PLAYERS_MAX = 10
"""Up to here equities are exact fractions; beyond they are floats, good to 1e-9 of the prizes."""


def equities(stacks: Sequence[int], payouts: Sequence[int]) -> list[Fraction] | list[float]:
    """The prize money each stack is worth, in the order of `stacks` (Y-02).

    `payouts` are the prizes from the first place down. The next place falls to each player left
    with the probability of his part of the chips of those left; stacks of nothing come last and
    share what is left for them evenly.
    """
    assert stacks, "somebody is left to share"
    assert all(stack >= 0 for stack in stacks), "no stack is below nothing"
    assert sum(stacks) > 0, "somebody has chips"
    prizes = list(payouts[: len(stacks)])
    live = [index for index, stack in enumerate(stacks) if stack]
    chips = [stacks[index] for index in live]
    if len(stacks) > EXACT_PLAYERS_MAX:
        values = _integrated(chips, prizes[: len(live)])
        rest = sum(prizes[len(live) :]) / max(1, len(stacks) - len(live))
        worth = dict(zip(live, values, strict=True))
        return [worth.get(index, rest) for index in range(len(stacks))]
    exact = dict(zip(live, _exact(chips, prizes[: len(live)]), strict=True))
    none_left = Fraction(sum(prizes[len(live) :]), max(1, len(stacks) - len(live)))
    return [exact.get(index, none_left) for index in range(len(stacks))]


def _exact(stacks: Sequence[int], prizes: Sequence[int]) -> list[Fraction]:
    """Dynamic programming over the sets of players who can have taken the first places.

    Chances are whole numbers over one common denominator: a set's chance is divided once by the
    chips that are left, and the denominator holds the least common multiple of those for each
    number of places taken. Reducing fractions at every step takes twelve times as long.
    """
    total = sum(stacks)
    chips = _chips_of_sets(stacks)
    levels = [
        [mask for mask in range(len(chips)) if mask.bit_count() == taken]
        for taken in range(len(prizes))
    ]
    denominator = prod(lcm(*(total - chips[mask] for mask in level)) for level in levels)
    chances = [0] * len(chips)
    chances[0] = denominator
    worth = [0] * len(stacks)
    for prize, level in zip(prizes, levels, strict=True):
        placed = [0] * len(stacks)
        for mask in level:
            each = chances[mask] // (total - chips[mask])
            for index, stack in enumerate(stacks):
                if not mask >> index & 1:
                    here = each * stack
                    placed[index] += here
                    chances[mask | 1 << index] += here
        worth = [own + prize * chance for own, chance in zip(worth, placed, strict=True)]
    return [Fraction(own, denominator) for own in worth]


def _chips_of_sets(stacks: Sequence[int]) -> list[int]:
    """Sum of the stacks of each set of players, by its bit mask."""
    sums = [0]
    for stack in stacks:
        sums += [chips + stack for chips in sums]
    return sums


_STEP = 0.125
_NEGLIGIBLE = 1e-18


def _integrated(stacks: Sequence[int], prizes: Sequence[int]) -> list[float]:
    """The same by an integral: players finish like clocks that ring at the rate of their stack.

    Whoever rings first is first. Player i rings at time t with density x e^-xt, and the prize is
    that of the number who rang before. With t = e^s the integrand is analytic and dies off on
    both sides, so the trapezoid rule converges faster than any power of the step.
    """
    if not prizes:
        return [0.0] * len(stacks)
    total = sum(stacks)
    rates = [stack / total for stack in stacks]
    first = floor(log(_NEGLIGIBLE) / _STEP)
    last = ceil(log(-log(_NEGLIGIBLE) / min(rates)) / _STEP)
    worth = [0.0] * len(rates)
    for node in range(first, last + 1):
        time = exp(node * _STEP)
        weights = [rate * time * exp(-rate * time) * _STEP for rate in rates]
        for index, prize in enumerate(_expected_prizes(rates, prizes, time)):
            worth[index] += weights[index] * prize
    return worth


def _expected_prizes(rates: Sequence[float], prizes: Sequence[int], time: float) -> list[float]:
    """Each player's mean prize if he rings now, by how many of the others rang before.

    Counts of those ahead in the list meet mean prizes given those behind in it, so one pass each
    way serves all players.
    """
    rang = [-expm1(-rate * time) for rate in rates]
    ahead = list(accumulate(rang, _one_more, initial=[1.0] + [0.0] * (len(prizes) - 1)))
    means = [float(prize) for prize in prizes]
    expected = [0.0] * len(rates)
    for index in range(len(rates) - 1, -1, -1):
        expected[index] = sum(a * b for a, b in zip(ahead[index], means, strict=True))
        chance = rang[index]
        above = [*means[1:], 0.0]
        means = [
            (1.0 - chance) * stays + chance * goes for stays, goes in zip(means, above, strict=True)
        ]
    return expected


def _one_more(counts: list[float], chance: float) -> list[float]:
    """Chances of 0, 1, 2, ... who rang, after one more who rang with this chance."""
    below = [0.0, *counts[:-1]]
    return [
        (1.0 - chance) * stays + chance * rises for stays, rises in zip(counts, below, strict=True)
    ]
