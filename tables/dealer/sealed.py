"""Sealed hands: the deck a room fixed before a hand, its call, and the deck that is dealt."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from tables.engine.cards import DECK
from tables.engine.events import Card
from tables.fairness import cutting, encoding
from tables.fairness.cutting import RosterRow
from tables.fairness.sealing import SealedCards, order_of, seal_deck


class SealedHand(msgspec.Struct, frozen=True, array_like=True):
    """A hand whose deck lies in sealed envelopes: its secret and its seal; time is UTC in ms.

    The secret makes the whole deck: it stays with the workers until the hand is settled.
    """

    epoch: int
    hand: int
    hand_id: bytes
    secret: bytes
    seal: bytes
    sealed_ms: int

    def cards(self) -> SealedCards:
        """Return the order, salts and envelopes that the secret makes."""
        return seal_deck(self.secret, self.hand_id)


class CalledHand(msgspec.Struct, frozen=True, array_like=True):
    """A sealed hand with the roster that was called: pairs of seat and entry; time is UTC in ms.

    `draws_button` once the first button was drawn from the same cut, unshown when `by_lot`.
    """

    sealed: SealedHand
    seats: tuple[tuple[int, int], ...]
    call: bytes
    signature: bytes
    called_ms: int
    draws_button: bool = False
    by_lot: bool = False

    def roster(self) -> tuple[RosterRow, ...]:
        """Return the seats as the call names them; no seat has a pledge yet."""
        return tuple(RosterRow(seat, entry) for seat, entry in self.seats)

    def cut_key(self) -> bytes:
        """Return the key of the cut."""
        return cutting.cut_key_of(self.call, self.roster())

    def cut(self) -> tuple[int, ...]:
        """Return the place of the envelope at each position of the deck."""
        return cutting.cut_of(self.cut_key(), self.sealed.hand_id)

    def deck(self) -> tuple[Card, ...]:
        """Return the cards in the order of dealing."""
        order = order_of(self.sealed.secret, self.sealed.hand_id)
        numbers = cutting.cut_deck(order, self.cut())
        return tuple(DECK[number] for number in numbers)

    def button_cards(self) -> dict[int, Card]:
        """Return the card that each seat draws for the first button."""
        seats = [seat for seat, _ in self.seats]
        drawn = cutting.button_draw(self.cut_key(), self.sealed.hand_id, seats)
        return {seat: DECK[number] for seat, number in drawn.items()}


Sign = Callable[[bytes], bytes]
"""Return the room's signature of a message."""


def seal_hand(
    room: bytes, secret: bytes, *, table: int, epoch: int, hand: int, now_ms: int
) -> SealedHand:
    """Return the hand sealed with this secret; `room` is the id of the room."""
    name = encoding.hand_id(room, table=table, epoch=epoch, hand=hand)
    return SealedHand(epoch, hand, name, secret, seal_deck(secret, name).seal, now_ms)


def call_hand(
    sealed: SealedHand, seats: Sequence[tuple[int, int]], *, sign: Sign, now_ms: int
) -> CalledHand:
    """Return the hand called to these seats and entries, with the room's signature."""
    rows = tuple(sorted(seats))
    called = [RosterRow(seat, entry) for seat, entry in rows]
    call = cutting.call_of(sealed.hand_id, sealed.seal, called)
    return CalledHand(sealed, rows, call, sign(cutting.called_message(call)), now_ms)
