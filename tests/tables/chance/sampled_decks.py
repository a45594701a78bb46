"""Decks as the room deals them, for tests of its code: sealed order and cut, no hand."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from tables.fairness.cutting import cut_deck, cut_of
from tables.fairness.encoding import hand_id
from tables.fairness.sealing import order_of


def decks(seed: bytes, count: int) -> Iterator[bytes]:
    """Yield decks of secrets and keys of cuts that follow from `seed`: the same ones each time."""
    room = sha256(seed).digest()[:16]
    for number in range(1, count + 1):
        name = hand_id(room, table=1, epoch=1, hand=number)
        secret, key = (sha256(part + seed + name).digest() for part in (b"secret", b"key"))
        yield bytes(cut_deck(order_of(secret, name), cut_of(key, name)))
