"""The 52 cards in two characters each, and their order (C-01)."""

from __future__ import annotations

from tables.engine.events import Card

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK: tuple[Card, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""Every card, lowest first: by rank, then club < diamond < heart < spade."""

ORDER: dict[Card, int] = {card: number for number, card in enumerate(DECK)}
"""Rank of each single card in comparisons, rank before suit (C-04, D-02)."""
