"""Finished hands dealt from sealed decks, as a worker settles them."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from tables.dealer.record import HandRecord
from tables.dealer.sealed import SeatCut, call_hand, seal_hand
from tables.engine.events import Card
from tables.fairness.cutting import pledge_of
from tests.tables.engine.random_hands import random_setup
from tests.tables.history.exports.played import BEGAN_MS, played_at_random

ROOM = b"the tests' room."
GAMES = (
    ("holdem", "no_limit"),
    ("omaha", "pot_limit"),
    ("omaha5_hilo", "pot_limit"),
    ("stud", "fixed_limit"),
    ("stud_hilo", "fixed_limit"),
)


def sealed_record(random: Random, variant: str, limit: str) -> HandRecord:
    """Record of a random hand, dealt from a sealed deck that one seat cut."""
    setup = random_setup(random, variant=variant, limit=limit, seats=random.randint(2, 7))
    sealed = seal_hand(
        ROOM, random.randbytes(32), table=7, epoch=1, hand=setup.hand, now_ms=BEGAN_MS - 9_000
    )
    seats = [(player.seat, player.seat) for player in setup.players]
    seed, (seat, entry) = random.randbytes(32), seats[0]
    cut = SeatCut(seat, pledge_of(ROOM, entry, seed), awaited=True)
    called = call_hand(
        sealed, seats, sign=lambda _: bytes(64), now_ms=BEGAN_MS - 1_000, cuts=[cut]
    ).opened([(seat, seed)], late=False)
    kept = played_at_random(random, replace(setup, deck=called.deck()))
    return replace(kept, called=called)


def deck_in(raw: bytes, cards: tuple[Card, ...]) -> bool:
    """Return whether these cards follow each other somewhere in stored bytes."""
    as_list = b"".join(b"\xa2" + card.encode() for card in cards)
    return as_list in raw or "".join(cards).encode() in raw
