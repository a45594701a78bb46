"""Who acts first on a street of stud, by the cards that all can see (D-02)."""

from __future__ import annotations

from collections import Counter

from tables.engine.cards import ORDER, RANKS
from tables.engine.events import HIDDEN, Card
from tables.engine.state import HandState, SeatState

HIGHEST_OPENS = ("pot_limit", "no_limit")
"""Limits where the highest card, not the lowest, brings in."""


def first_by_cards(state: HandState) -> int:
    """The place that opens: bring-in card on the first street, then the highest showing hand."""
    live = [place for place, seat in enumerate(state.seats) if not seat.folded]
    if state.round == 0:
        choose = max if state.rules.limit in HIGHEST_OPENS else min
        return choose(live, key=lambda place: ORDER[_showing(state.seats[place])[-1]])
    return max(live, key=lambda place: (_height(_showing(state.seats[place])), -place))


def _showing(seat: SeatState) -> list[Card]:
    return [card for card in seat.shown if card != HIDDEN]


def _height(cards: list[Card]) -> list[tuple[int, int]]:
    """Groups of equal ranks, the largest and highest first; straights and flushes do not count."""
    counts = Counter(RANKS.index(card[0]) for card in cards)
    return sorted(((count, rank) for rank, count in counts.items()), reverse=True)
