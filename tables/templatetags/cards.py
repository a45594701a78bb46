"""Template tags for cards."""

from __future__ import annotations

from collections.abc import Iterable

from django import template

from tables.engine.events import Card

register = template.Library()

_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


@register.filter
def signs(cards: Iterable[Card]) -> str:
    """Return cards in signs: "As Td" is "A♠ 10♦"."""
    return " ".join(f"{card[0].replace('T', '10')}{_SIGNS[card[1]]}" for card in cards)
