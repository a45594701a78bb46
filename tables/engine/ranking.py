"""Strength of a high hand: a number from the C evaluator, more is better (C-02, C-03)."""

from __future__ import annotations

from itertools import combinations

from phevaluator import evaluate_cards, evaluate_plo4_cards

from tables.engine.cards import ORDER
from tables.engine.events import Card

BEST = 7462
"""Number of different strengths of five cards; a royal flush is BEST, the worst high card 1."""


def any_five(hole: tuple[Card, ...], board: tuple[Card, ...]) -> int:
    """Strength of the best five of five to seven cards, 1..BEST (C-01, C-02, C-03)."""
    rank: int = evaluate_cards(*[ORDER[card] for card in hole + board])
    return BEST + 1 - rank


def two_and_three(hole: tuple[Card, ...], board: tuple[Card, ...]) -> int:
    """Strength of the best two hole cards with three of three to five board cards (O-01, O-02)."""
    return _exactly_two(hole, board)


def three_and_two(hole: tuple[Card, ...], board: tuple[Card, ...]) -> int:
    """Strength of the best three hole cards of five with two of three to five on board (O-02)."""
    return _exactly_two(board, hole)


def _exactly_two(two_of: tuple[Card, ...], three_of: tuple[Card, ...]) -> int:
    """Try each four of the `two_of` cards, as the evaluator expects: two are among some four.

    It knows five and four cards only. With fewer, each hand of five is tried.
    """
    three = [ORDER[card] for card in three_of]
    two = [ORDER[card] for card in two_of]
    if len(three) == 5 and len(two) >= 4:
        ranks = [evaluate_plo4_cards(*three, *four) for four in combinations(two, 4)]
    else:
        pairs, threes = combinations(two, 2), list(combinations(three, 3))
        ranks = [evaluate_cards(*pair, *others) for pair in pairs for others in threes]
    return BEST + 1 - int(min(ranks))
