"""Strength of two hole cards on a board: the chance to be ahead, plus the draws."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tables.engine.cards import DECK, RANKS
from tables.engine.ranking import any_five

_SAMPLES = 24
_FLUSH_OUTS, _OPEN_STRAIGHT_OUTS, _GUTSHOT_OUTS = 9, 8, 4
_CHANCE_PER_OUT = {3: 0.032, 4: 0.021, 5: 0.0}  # by cards on the board


def equity(
    cards: Sequence[str], board: Sequence[str], opponents: int, chance: Random
) -> tuple[float, float]:
    """Return the chance to be ahead of `opponents` random hands now, and with draws counted."""
    now = ahead(cards, board, chance) ** max(1, opponents)
    return now, min(1.0, now + (1 - now) * outs(cards, board) * _CHANCE_PER_OUT[len(board)])


def ahead(cards: Sequence[str], board: Sequence[str], chance: Random) -> float:
    """Return the share of random opponents that the hand beats on this board; a tie counts half."""
    own = any_five(tuple(cards), tuple(board))
    known = {*cards, *board}
    unseen = [card for card in DECK if card not in known]
    won = 0.0
    for _ in range(_SAMPLES):
        other = any_five(tuple(chance.sample(unseen, 2)), tuple(board))
        won += 1.0 if own > other else 0.5 if own == other else 0.0
    return won / _SAMPLES


def outs(cards: Sequence[str], board: Sequence[str]) -> int:
    """Return the number of cards that complete a flush or straight with a hole card in it."""
    if len(board) >= 5:
        return 0
    together = [*cards, *board]
    flush = max(
        (_FLUSH_OUTS for suit in {card[1] for card in cards} if _of_suit(together, suit) == 4),
        default=0,
    )
    completing = _straight_ranks(together) - _straight_ranks(board)
    straight = {0: 0, 1: _GUTSHOT_OUTS}.get(len(completing), _OPEN_STRAIGHT_OUTS)
    # A card that completes both counts once.
    return flush + straight - (2 if flush and straight else 0)


def _of_suit(cards: Sequence[str], suit: str) -> int:
    return sum(card[1] == suit for card in cards)


def _straight_ranks(cards: Sequence[str]) -> set[int]:
    """Ranks (ace 14) that would complete a straight, when none is complete yet."""
    held = {RANKS.index(card[0]) + 2 for card in cards}
    if 14 in held:
        held.add(1)
    found: set[int] = set()
    for low in range(1, 11):
        missing = set(range(low, low + 5)) - held
        if not missing:
            return set()
        if len(missing) == 1:
            found |= {14 if rank == 1 else rank for rank in missing}
    return found
