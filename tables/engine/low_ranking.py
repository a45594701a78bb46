"""Strength of a low hand, eight or better: more is better, 0 does not qualify (O-03).

A low has five different ranks, none above eight, ace low. It is a bit mask of its ranks: of two
lows, the smaller mask is lower at the highest rank where they differ, so it is the better low.
"""

from __future__ import annotations

from itertools import combinations

from tables.engine.events import Card

LOW_RANKS = "A2345678"
BIT = {rank: 1 << place for place, rank in enumerate(LOW_RANKS)}
ABOVE = 1 << len(LOW_RANKS)
"""Larger than every mask; the strength of a low is `ABOVE` minus its mask."""


def any_five(hole: tuple[Card, ...], board: tuple[Card, ...]) -> int:
    """Strength of the five lowest different ranks of all cards, for stud (C-01, O-03)."""
    ranks = _ranks(hole) | _ranks(board)
    while ranks.bit_count() > 5:
        ranks &= ~(1 << (ranks.bit_length() - 1))
    return ABOVE - ranks if ranks.bit_count() == 5 else 0


def two_and_three(hole: tuple[Card, ...], board: tuple[Card, ...]) -> int:
    """Strength of the best low of two hole cards and three of the board (O-03)."""
    pairs = _choices(_ranks(hole), 2)
    best = 0
    for three in _choices(_ranks(board), 3):
        for two in pairs:
            if not two & three:
                best = max(best, ABOVE - (two | three))
    return best


def ranks_of(strength: int) -> str:
    """The five ranks of a low from the highest down, e.g. "8543A"."""
    mask = ABOVE - strength
    return "".join(rank for rank in reversed(LOW_RANKS) if BIT[rank] & mask)


def _ranks(cards: tuple[Card, ...]) -> int:
    mask = 0
    for card in cards:
        mask |= BIT.get(card[0], 0)
    return mask


def _choices(mask: int, count: int) -> list[int]:
    bits = [bit for bit in BIT.values() if bit & mask]
    return [sum(chosen) for chosen in combinations(bits, count)]
