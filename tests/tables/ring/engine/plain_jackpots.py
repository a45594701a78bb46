"""Independent reading of the jackpots' rules: plain rankings, exact fractions, own code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import floor

from tests.tables.engine.plain_ranking import HighRank, of_five

WORDS = (
    "high",
    "pair",
    "two_pair",
    "three",
    "straight",
    "flush",
    "full_house",
    "four",
    "straight_flush",
)
OWN = {"holdem": range(3), "omaha5_house": (3,)}
"""Numbers of own cards in a hand, two in games not listed."""

Fives = list[tuple[tuple[str, ...], HighRank]]


def fives(variant: str, hole: Sequence[str], board: Sequence[str]) -> Fives:
    """Return all hands of five cards with their own cards, by the rules of the game."""
    return [
        (own, of_five((*own, *common)))
        for count in OWN.get(variant, (2,))
        for own in combinations(hole, count)
        for common in combinations(board, 5 - count)
    ]


def category(rank: HighRank) -> str:
    """Return the word for the category of a hand."""
    return "royal_flush" if rank == (8, (12,)) else WORDS[rank[0]]


def qualifies(variant: str, choices: Fives, best: HighRank) -> bool:
    """Return whether both hole cards are needed, and the pair that some hands need is there."""
    playing = [own for own, rank in choices if rank == best]
    if variant == "holdem" and any(len(own) < 2 for own in playing):
        return False
    if category(best) in ("pair", "two_pair", "three", "full_house", "four"):
        return any(len({card[0] for card in own}) < len(own) for own in playing)
    return True


def monte_carlo(
    variant: str, board: Sequence[str], hands: dict[int, Sequence[str]], shown: set[int], pool: int
) -> dict[int, int]:
    """Return the payments of the Monte Carlo jackpot of the rules by seat."""
    best, qualified = _read(variant, board, hands, shown)
    top = max(best.values())
    share: dict[str, Fraction | int] = {
        "royal_flush": 1,
        "straight_flush": Fraction(1, 2),
        "pair": Fraction(1, 5),
    }
    taking = [seat for seat in best if best[seat] == top and seat in qualified]
    part = floor(pool * share.get(category(top), 0))
    each = part // len(taking) if taking else 0
    return {seat: each - floor(each * Fraction(3, 100)) for seat in taking if each}


def bad_beat(
    variant: str, board: Sequence[str], hands: dict[int, Sequence[str]], shown: set[int],
    dealt: Sequence[int], pool: int,
) -> dict[int, int]:  # fmt: skip
    """Return the payments of the bad beat jackpot of the rules by seat."""
    best, qualified = _read(variant, board, hands, shown)
    top = max(best.values())
    losing = {seat: rank for seat, rank in best.items() if rank < top and seat in qualified}
    losing = {seat: rank for seat, rank in losing.items() if rank[0] >= 1}
    winning = [seat for seat, rank in best.items() if rank == top and seat in qualified]
    if not losing or not winning:
        return {}
    losers = [seat for seat, rank in losing.items() if rank == max(losing.values())]
    others = [seat for seat in dealt if seat not in losers and seat not in winning]
    groups = ((35, losers), (15, winning), (15, others))
    return dict(_payments(pool, groups))


def _payments(pool: int, groups: Sequence[tuple[int, list[int]]]) -> Iterator[tuple[int, int]]:
    for percent, seats in groups:
        part = floor(pool * Fraction(percent, 100))
        yield from ((seat, part // len(seats)) for seat in seats if part // len(seats))


def _read(
    variant: str, board: Sequence[str], hands: dict[int, Sequence[str]], shown: set[int]
) -> tuple[dict[int, HighRank], set[int]]:
    choices = {seat: fives(variant, hole, board) for seat, hole in hands.items()}
    best = {seat: max(rank for _, rank in ways) for seat, ways in choices.items()}
    good = {seat for seat in shown if qualifies(variant, choices[seat], best[seat])}
    return best, good
