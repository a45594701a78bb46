"""Agreement of ladders with different seeds: the order of kinds, and of bots that differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import hypot
from statistics import fmean
from typing import NamedTuple

from tournaments.bot_ladder.rating import Rating

APART = 2.0
"""Standard deviations of a difference from which on two bots count as different."""


class Agreement(NamedTuple):
    """Kinds by mean rating in each ladder, and pairs of bots that differ in two ladders.

    `reversed_pairs` are those of them whose order is not the same in both. `against_kinds` counts
    in each ladder the pairs of bots of different kinds that stand against the order of the kinds.
    """

    kinds: list[list[str]]
    against_kinds: list[int]
    pairs: int
    reversed_pairs: int

    @property
    def is_stable(self) -> bool:
        """True when all ladders have one order of kinds and no pair that differs is reversed."""
        return self.reversed_pairs == 0 and all(order == self.kinds[0] for order in self.kinds)


def compare(ladders: Sequence[Mapping[str, Rating]], kind_of: Mapping[str, str]) -> Agreement:
    """Compare the ratings of equal bots in several ladders.

    Bots differ where their ratings are APART standard deviations of the difference or more apart.
    """
    pairs = reversed_pairs = 0
    for first, second in combinations(ladders, 2):
        for one, other in combinations(sorted(set(first) & set(second)), 2):
            signs = {_sign(first[one], first[other]), _sign(second[one], second[other])}
            if 0 not in signs:
                pairs += 1
                reversed_pairs += len(signs) > 1
    orders = [_kinds(ratings, kind_of) for ratings in ladders]
    against = [
        _against(ratings, kind_of, order) for ratings, order in zip(ladders, orders, strict=True)
    ]
    return Agreement(orders, against, pairs, reversed_pairs)


def _sign(one: Rating, other: Rating) -> int:
    """Return 1 or -1 for the stronger or weaker of two bots, 0 for bots that do not differ."""
    apart = (one.mu - other.mu) / hypot(one.sigma, other.sigma)
    return 0 if abs(apart) < APART else 1 if apart > 0 else -1


def _kinds(ratings: Mapping[str, Rating], kind_of: Mapping[str, str]) -> list[str]:
    """Return the kinds, those with the highest mean rating first."""
    by_kind: dict[str, list[float]] = defaultdict(list)
    for name, rating in ratings.items():
        by_kind[kind_of[name]].append(rating.mu)
    return sorted(by_kind, key=lambda kind: (-fmean(by_kind[kind]), kind))


def _against(
    ratings: Mapping[str, Rating], kind_of: Mapping[str, str], order: Sequence[str]
) -> int:
    """Return how many pairs of bots of different kinds stand against the order of the kinds."""
    rank = {name: order.index(kind_of[name]) for name in ratings}
    return sum(
        (ratings[one].mu - ratings[other].mu) * (rank[one] - rank[other]) > 0
        for one, other in combinations(ratings, 2)
    )
