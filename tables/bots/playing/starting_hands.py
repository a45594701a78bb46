"""Strength of two hole cards before the flop, as a share of all 1,326 starting hands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tables.engine.cards import DECK, RANKS

_HIGH_POINTS = {"A": 10.0, "K": 8.0, "Q": 7.0, "J": 6.0}
_GAP_POINTS = (0.0, -1.0, -2.0, -4.0)
_WIDE_GAP_POINTS = -5.0


def top(cards: Sequence[str]) -> float:
    """Return the share of starting hands at least as good as `cards`; 0.0045 for two aces."""
    return _SHARES[name(cards)]


def name(cards: Sequence[str]) -> str:
    """Return the players' name of two hole cards: "AA", "AKs", "72o"."""
    high, low = sorted((card[0] for card in cards), key=RANKS.index, reverse=True)
    if high == low:
        return high + low
    return high + low + ("s" if cards[0][1] == cards[1][1] else "o")


def points(hand: str) -> float:
    """Return Chen's points of a hand in the notation of `name`; 20 for two aces, -1 at least."""
    high, low = hand[0], hand[1]
    base = _HIGH_POINTS.get(high, (RANKS.index(high) + 2) / 2)
    if high == low:
        return max(5.0, 2 * base)
    gap = RANKS.index(high) - RANKS.index(low) - 1
    score = base + (_GAP_POINTS[gap] if gap < len(_GAP_POINTS) else _WIDE_GAP_POINTS)
    if gap <= 1 and RANKS.index(high) < RANKS.index("Q"):
        score += 1
    return score + 2 if hand.endswith("s") else score


def _shares() -> dict[str, float]:
    count: dict[str, int] = {}
    for pair in combinations(DECK, 2):
        count[name(pair)] = count.get(name(pair), 0) + 1
    # Chen leaves many hands equal; higher cards go first among them.
    order = sorted(
        count, key=lambda h: (-points(h), -RANKS.index(h[0]), -RANKS.index(h[1]), h[2:] != "s")
    )
    total, seen, shares = sum(count.values()), 0, {}
    for hand in order:
        seen += count[hand]
        shares[hand] = seen / total
    assert total == 1326 and len(shares) == 169
    return shares


_SHARES = _shares()
