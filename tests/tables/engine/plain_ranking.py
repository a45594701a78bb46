"""Independent ranking of hands, slow and plain, as a check of the C evaluator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

RANKS = "23456789TJQKA"
HighRank = tuple[int, tuple[int, ...]]


def of_five(cards: Sequence[str]) -> HighRank:
    """Category (8 straight flush .. 0 high card) and the ranks that decide within it."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    top = straight_top(ranks)
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    shape = tuple(count for count, _ in groups)
    decides = tuple(rank for _, rank in groups)
    if top is not None:
        return (8 if flush else 4), (top,)
    if shape in ((4, 1), (3, 2)):
        return (7 if shape == (4, 1) else 6), decides
    if flush:
        return 5, tuple(ranks)
    if shape[0] == 3:
        return 3, decides
    return (2 if shape[:2] == (2, 2) else 1 if shape[0] == 2 else 0), decides


def straight_top(ranks: Sequence[int]) -> int | None:
    """Highest rank of a straight, five for the wheel; None without a straight."""
    if list(ranks) == [12, 3, 2, 1, 0]:
        return 3
    return ranks[0] if [ranks[0] - n for n in range(5)] == list(ranks) else None


def best(fives: Iterable[Sequence[str]]) -> HighRank:
    """Best of several choices of five cards."""
    return max(map(of_five, fives))


def any_five(cards: Sequence[str]) -> HighRank:
    """Best five of all cards."""
    return best(combinations(cards, 5))


def exactly(hole: Sequence[str], count: int, board: Sequence[str]) -> HighRank:
    """Best hand of exactly `count` hole cards and the rest from the board."""
    return best(
        (*own, *common)
        for own in combinations(hole, count)
        for common in combinations(board, 5 - count)
    )


def low_of_five(cards: Sequence[str]) -> tuple[int, ...] | None:
    """Low hand from its highest rank down, ace as one; None when it does not qualify (O-03)."""
    ranks = sorted({1 if card[0] == "A" else RANKS.index(card[0]) + 2 for card in cards})
    return tuple(reversed(ranks)) if len(ranks) == 5 and ranks[-1] <= 8 else None


def best_low(fives: Iterable[Sequence[str]]) -> tuple[int, ...] | None:
    """Best low hand of several choices of five cards."""
    return min(filter(None, map(low_of_five, fives)), default=None)
