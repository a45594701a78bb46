"""SealedHand deck of a hand: made before the hand is granted, cut by the call of its roster."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tables.engine.cards import DECK
from tables.engine.events import Card
from tables.fairness.cutting import (
    RosterRow,
    button_draw,
    call_of,
    cut_deck,
    cut_key_of,
    cut_of,
)
from tables.fairness.encoding import hand_id
from tables.fairness.sealing import order_of, seal_deck


class SealedHand(msgspec.Struct, frozen=True, array_like=True):
    """Deck of one hand in sealed envelopes; `sealed_ms` is UTC in ms.

    The secret makes the whole deck: it stays with the workers until the hand is settled.
    """

    epoch: int
    hand: int
    name: bytes
    secret: bytes
    seal: bytes
    sealed_ms: int


class CutCards(msgspec.Struct, frozen=True):
    """The deck as the call of the roster cut it, the first card dealt first, and its cut key."""

    deck: tuple[Card, ...]
    key: bytes
    name: bytes

    def button_cards(self, seats: Sequence[int]) -> dict[int, Card]:
        """Return the card that each seat draws for the first button (section 3)."""
        drawn = button_draw(self.key, self.name, seats)
        return {seat: DECK[card] for seat, card in drawn.items()}


def seal_hand(
    room: bytes, table: int, epoch: int, hand: int, *, secret: bytes, now_ms: int
) -> SealedHand:
    """Return the sealed deck of a hand, made from 32 fresh bytes; `room` is the room's id."""
    name = hand_id(room, table=table, epoch=epoch, hand=hand)
    return SealedHand(epoch, hand, name, secret, seal_deck(secret, name).seal, now_ms)


def cut(sealed: SealedHand, entries: dict[int, int]) -> CutCards:
    """Cut a sealed deck by the call alone: seats with their entries, no pledges yet."""
    roster = [RosterRow(seat, entry) for seat, entry in sorted(entries.items())]
    key = cut_key_of(call_of(sealed.name, sealed.seal, roster), roster)
    order = order_of(sealed.secret, sealed.name)
    deck = tuple(DECK[card] for card in cut_deck(order, cut_of(key, sealed.name)))
    return CutCards(deck, key, sealed.name)
