"""Tests of dealt hole cards, for a room and for each player (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

from tables.chance.probabilities import chi_square_tail, fit, normal_tails

NOTICE = 1e-4
"""Chance below which a result is a notice: 0.3 false ones a year with eight tests a day."""

ALARM = 1e-6
"""Chance below which a result is an alarm: 0.003 false ones a year."""

CARDS, RANKS, SUITS = 52, 13, 4

CLASSES = ("pair", "suited", "other")
CLASS_SHARES = (3 / 51, 12 / 51, 36 / 51)
"""Shares of two cards: a pair, of one suit, neither."""

PREMIUM_SHARE = (3 * 6 + 16) / 1326
"""Share of aces, kings, queens, and ace with king."""

CASES_MIN = 25
"""Least expected cases of a class before its share is judged by a normal distribution."""

POWER = 0.99
"""Chance with which an effect must show to count as one that a test finds."""


def hole_class(hole: Sequence[int]) -> str:
    """Return the class of two card numbers."""
    first, second = hole
    if first // SUITS == second // SUITS:
        return CLASSES[0]
    return CLASSES[1] if first % SUITS == second % SUITS else CLASSES[2]


def is_premium(hole: Sequence[int]) -> bool:
    """Return whether two card numbers are AA, KK, QQ, or ace with king."""
    low, high = sorted(card // SUITS for card in hole)
    return (low == high and low >= 10) or (low, high) == (11, 12)


def class_chance(counts: Sequence[int]) -> float:
    """Return the chance of counts of `CLASSES` as far from their shares, or farther."""
    return fit(counts, CLASS_SHARES)


def share_chance(good: int, hands: int, share: float) -> float:
    """Return the chance of a count as far off, or farther; 1 with fewer than CASES_MIN expected."""
    if hands * share < CASES_MIN:
        return 1.0
    return normal_tails((good - hands * share) / sqrt(hands * share * (1 - share)))


def premium_chance(good: int, hands: int) -> float:
    """Return the chance of a count of the best hands as far from its share, or farther."""
    return share_chance(good, hands, PREMIUM_SHARE)


def kinds_chance(groups: Sequence[tuple[int, Sequence[int]]]) -> float:
    """Return the chance of counts of ranks or suits as far from equal ones.

    Groups are pairs of the cards dealt at once and the counts: cards of one hand come from one
    deck without return, so a sum of squares is smaller by (52 - cards) / 51 than of single cards.
    A group with fewer than 5 expected of a kind is left out; 1 without any other.
    """
    statistic, degrees = 0.0, 0
    for cards, counts in groups:
        wanted = sum(counts) / len(counts)
        if wanted >= 5:
            squares = sum((count - wanted) ** 2 for count in counts) / wanted
            statistic += squares * (CARDS - 1) / (CARDS - cards)
            degrees += len(counts) - 1
    return chi_square_tail(statistic, degrees) if degrees else 1.0


def least_excess(hands: int, share: float, chance: float = NOTICE) -> float | None:
    """Return the least excess over a share that shows below `chance` in most rooms; None for never.

    0.2 is a fifth more often; it shows with the probability POWER. None while fewer than CASES_MIN
    are expected.
    """
    if hands * share < CASES_MIN:
        return None
    normal = NormalDist()
    reach = normal.inv_cdf(1 - chance / 2) + normal.inv_cdf(POWER)
    return reach * sqrt((1 - share) / (hands * share))


def hands_needed(share: float, excess: float, chance: float = NOTICE) -> int:
    """Return the hands after which an excess over a share shows below `chance` with POWER."""
    normal = NormalDist()
    reach = normal.inv_cdf(1 - chance / 2) + normal.inv_cdf(POWER)
    return round(reach * reach * (1 - share) / (share * excess * excess))
