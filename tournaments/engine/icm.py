"""Value of a stack in prize money: Malmuth-Harville probabilities of every paid place."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import ceil, exp, expm1, floor, lcm, log, prod

EXACT_PLAYERS_MAX = 10
"""Most players with exact fractions; above, equities are floats within 1e-9 of the prizes."""


def equities(stacks: Sequence[int], payouts: Sequence[int]) -> list[Fraction] | list[float]:
    """Return the prize money each stack is worth, in the order of `stacks` (Y-02).

    `payouts` are the prizes from the first place down. Each place falls to one of the remaining
    players with a probability equal to the player's part of their chips; stacks of 0 come last and
    share the remaining prizes evenly.
    """
    assert stacks, "there is at least one stack"
    assert all(stack >= 0 for stack in stacks), "stacks are never negative"
    assert sum(stacks) > 0, "at least one stack is above zero"
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
    """Compute equities by dynamic programming over the sets of players in the first places.

    Chances are whole numbers over one common denominator: the chance of a set is divided once by
    the chips that are left, and the denominator holds the least common multiple of those divisors
    for each number of places taken. Reducing fractions at every step takes twelve times as long.
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
    """Compute equities by an integral over independent exponential clocks, one per player.

    Player i's clock rings at time t with density x e^-xt, x being the stack's part; players finish
    in the order of ringing, so a prize depends on the number of earlier rings. With t = e^s the
    integrand is analytic and dies off on both sides, so the trapezoid rule converges faster than
    any power of the step.
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
    """Mean prize of each player for a ring at `time`, over the number of earlier rings.

    The distribution over players ahead in the list is combined with mean prizes over those behind,
    so one pass each way serves all players.
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
    """Distribution of the number of rings (0, 1, 2, ...) after one more player with this chance."""
    below = [0.0, *counts[:-1]]
    return [
        (1.0 - chance) * stays + chance * rises for stays, rises in zip(counts, below, strict=True)
    ]
