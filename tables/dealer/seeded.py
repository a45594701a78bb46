"""Decks from a seed: equal seeds deal equal cards at equal tables, whoever sits there."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from config import entropy
from tables.dealer.state import TableState
from tables.engine.events import Card
from tables.engine.variants import VARIANTS


class SeededHand(msgspec.Struct, frozen=True, array_like=True):
    """A hand of a research room, dealt without a seal: its cards follow from seed and numbers.

    `table` is the number of the table in its game.
    """

    seed: str
    table: int
    hand: int
    cards: tuple[Card, ...]
    seats: tuple[int, ...]

    def deck(self) -> tuple[Card, ...]:
        """Return the cards in the order of dealing."""
        return seeded_deck(self.cards, self.seed, self.table, self.hand)

    def button_cards(self) -> dict[int, Card]:
        """Return the card that each seat draws for the first button, from another deck."""
        deck = _shuffled(self.cards, f"{self.seed}:{self.table}:button")
        return dict(zip(self.seats, deck, strict=False))


def seeded_hand(state: TableState) -> SeededHand | None:
    """Return the granted hand of a table that deals from a seed; None at any other table."""
    if not state.seed:
        return None
    assert state.rules is not None
    return SeededHand(
        state.seed,
        state.number,
        state.hand_number,
        VARIANTS[state.rules.variant].deck,
        tuple(seat.seat for seat in state.seats if seat.dealt),
    )


def seeded_deck(cards: Sequence[Card], seed: str | int, table: int, hand: int) -> tuple[Card, ...]:
    """Return the deck of a hand, from a seed and the numbers of its table and of itself."""
    return _shuffled(cards, f"{seed}:{table}:{hand}")


def _shuffled(cards: Sequence[Card], words: str) -> tuple[Card, ...]:
    return entropy.shuffled(cards, entropy.seeded(words))
