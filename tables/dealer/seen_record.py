"""Record of a finished hand as one viewer may know it: without deck and secret."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from tables.dealer import record
from tables.dealer.hiding import stand_in
from tables.dealer.record import HandRecord
from tables.engine.events import HIDDEN, Card, HandEvent, HoleCardsDealt
from tables.engine.state import HandSetup
from tables.engine.visibility import view

Unread = Literal["", "burnt", "no_key"]
"""Reason why a viewer's own cards are not in a record: their key was burnt, or is not here."""

HoleCards = tuple[Card, ...]


class KnownCard(msgspec.Struct, frozen=True, array_like=True):
    """An opened envelope: position in the deck, place of the envelope, card number and salt."""

    position: int
    place: int
    card: int
    salt: bytes


class SeenRecord(HandRecord, frozen=True):
    """A finished hand as all saw it, with the hands that one viewer knows beside.

    The deck has "??" for each card that not all were shown, and the sealed deck has no secret:
    `envelopes` are its 52, `known_cards` those that are open to the viewer. `known` are hole cards
    by seat, in the order dealt. Own cards that are `unread` are hidden like those of others.
    """

    known: tuple[tuple[int, HoleCards], ...] = ()
    envelopes: bytes = b""
    known_cards: tuple[KnownCard, ...] = ()
    unread: Unread = ""

    def steps(self) -> list[tuple[HandEvent, ...]]:
        """Return the events of the deal, then those of each action; "??" for an unknown card.

        Cards that were shown at the end are in the deal already: apply `view` before showing it.
        """
        told: list[tuple[HandEvent, ...]] = []
        if self.actions:
            told = record.steps(self.playable_setup(), self.actions[:-1])
        hands = {**dict(self.result.shown), **dict(self.known)}
        known = {seat: iter(cards) for seat, cards in hands.items()}
        return [
            tuple([_with_known(view(event, None), known) for event in events])
            for events in (*told, self.ending)
        ]

    def playable_setup(self) -> HandSetup:
        """Return the setup with other cards for those that are not known: never show them."""
        return stand_in(self.setup, self.setup.deck)


def _with_known(event: HandEvent, known: dict[int, Iterator[Card]]) -> HandEvent:
    if not isinstance(event, HoleCardsDealt) or event.seat not in known:
        return event
    cards = known[event.seat]
    return replace(event, cards=tuple([next(cards, HIDDEN) for _ in event.cards]))
