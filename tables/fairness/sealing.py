"""SealedHand decks: one salted envelope for each card, one hash over all of them (section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from tables.engine.cards import DECK
from tables.fairness.encoding import digest, tag, u8
from tables.fairness.sampling import PERMUTATION_BYTES, permute, stream

CARDS = len(DECK)
SALT_SIZE = 16
SECRET_SIZE = 32


class SealedCards(NamedTuple):
    """A sealed deck as the room keeps it: card number and salt of each place, envelopes, seal."""

    order: tuple[int, ...]
    salts: tuple[bytes, ...]
    envelopes: tuple[bytes, ...]
    seal: bytes


def seal_deck(secret: bytes, hand: bytes, *, cards: int = CARDS) -> SealedCards:
    """Return the deck that a secret of 32 bytes makes for the hand with this id.

    Raises ValueError for a secret of another length.
    """
    order = order_of(secret, hand, cards=cards)
    salted = stream(secret, "salts", hand, SALT_SIZE * cards)
    salts = tuple([salted[at : at + SALT_SIZE] for at in range(0, len(salted), SALT_SIZE)])
    envelopes = tuple(map(envelope_of, range(cards), order, salts))
    return SealedCards(order, salts, envelopes, seal_of(hand, envelopes))


def order_of(secret: bytes, hand: bytes, *, cards: int = CARDS) -> tuple[int, ...]:
    """Return the card number in each envelope, without making the envelopes; raises as
    `seal_deck`.
    """
    if len(secret) != SECRET_SIZE:
        raise ValueError(f"{len(secret)} bytes instead of {SECRET_SIZE}")
    return permute(cards, stream(secret, "order", hand, PERMUTATION_BYTES))


def envelope_of(place: int, card: int, salt: bytes) -> bytes:
    """Return the envelope at `place` with the card of this number (2c is 0, As is 51)."""
    return sha256(_HEADS[place] + _BYTES[card] + salt).digest()


_BYTES = tuple([bytes((number,)) for number in range(256)])
_HEADS = tuple([tag("card") + place for place in _BYTES])


def seal_of(hand: bytes, envelopes: Sequence[bytes]) -> bytes:
    """Return the hash over all envelopes of a hand."""
    return digest(tag("seal"), hand, u8(len(envelopes)), *envelopes)
