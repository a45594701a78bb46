"""How strong a hand is: a number from the C evaluator, more is better (C-02, C-03)."""

from __future__ import annotations

from phevaluator import evaluate_cards

from tables.engine.cards import ORDER
from tables.engine.events import Card

BEST = 7462
"""Number of different strengths of five cards; a royal flush is BEST, the worst high card 1."""


def any_five(hole: tuple[Card, ...], board: tuple[Card, ...]) -> int:
    """Strength of the best five of all cards, 1..BEST (hold'em, stud)."""
    rank: int = evaluate_cards(*[ORDER[card] for card in hole + board])
    return BEST + 1 - rank
