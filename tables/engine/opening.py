"""First seat to act on a street of stud, by its open cards (D-02)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tables.engine.cards import ORDER, RANKS
from tables.engine.events import HIDDEN, Card
from tables.engine.state import HandState

HIGHEST_OPENS = ("pot_limit", "no_limit")
"""Limits under which the highest card, not the lowest, brings in."""


def first_by_cards(state: HandState) -> int:
    """Return the place that opens: first street by bring-in card, later by highest open hand."""
    live = [place for place, seat in enumerate(state.seats) if not seat.folded]
    showing = [[card for card in state.seats[place].shown if card != HIDDEN] for place in live]
    if state.round == 0:
        return live[bring_in(showing, highest=state.rules.limit in HIGHEST_OPENS)]
    return live[highest_showing(showing)]


def bring_in(showing: Sequence[Sequence[Card]], *, highest: bool) -> int:
    """Return the index of the hand with the highest or lowest open card; suits break ties."""
    choose = max if highest else min
    return choose(range(len(showing)), key=lambda place: ORDER[showing[place][-1]])


def highest_showing(showing: Sequence[Sequence[Card]]) -> int:
    """Return the index of the highest of these open hands, the first of equal ones."""
    return max(range(len(showing)), key=lambda place: (_height(showing[place]), -place))


def has_open_pair(shown: Sequence[Card]) -> bool:
    """Return whether two of the open cards have the same rank."""
    ranks = [card[0] for card in shown if card != HIDDEN]
    return len(set(ranks)) < len(ranks)


def _height(cards: Sequence[Card]) -> tuple[list[int], list[int]]:
    """Height of open cards: counts of equal ranks, then ranks; no straights, no flushes."""
    counts = Counter(RANKS.index(card[0]) for card in cards)
    groups = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
    return [count for count, _ in groups], [rank for _, rank in groups]
