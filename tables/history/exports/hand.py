"""A finished hand prepared for export: its record, and its events as one viewer saw them."""

from __future__ import annotations

import msgspec

from tables.dealer import record
from tables.dealer.record import HandRecord
from tables.engine.events import HandEvent
from tables.history import replays


class ExportedHand(msgspec.Struct, frozen=True):
    """A hand with the cards that its export may name.

    `event` is the name of the game, `table` the number people see. `viewer` is the seat whose own
    cards are in `events`; None for the public, and for an export with all cards.
    """

    kept: HandRecord
    event: str
    table: int
    seats_max: int
    viewer: int | None
    events: tuple[HandEvent, ...]
    price: str = ""
    """Buy-in and fee of one entry, as `10.00+1.00`; "" where nothing is paid."""

    @property
    def names(self) -> dict[int, str]:
        """Names of the players by seat."""
        return {seat.seat: seat.name for seat in self.kept.seats}

    @property
    def order(self) -> tuple[int, ...]:
        """Seats that were dealt in, clockwise from left of the button."""
        return self.kept.setup.positions.dealt


def seen_by(
    user: int | None, kept: HandRecord, *, event: str, table: int, seats_max: int
) -> ExportedHand:
    """Return the hand as `user` was shown it in play and at its end (None: the public).

    Hands that were mucked stay hidden, also from players who may look them up (S-03).
    """
    seen = replays.replay(kept, number=table, seats_max=seats_max, user=user)
    viewer = next((seat.seat for seat in kept.seats if seat.dealt and seat.user == seen.user), None)
    return ExportedHand(kept, event, table, seats_max, viewer, seen.events)


def with_all_cards(kept: HandRecord, *, event: str, table: int, seats_max: int) -> ExportedHand:
    """Return the hand with every card that was dealt; for operators, never for players."""
    events = record.replay(kept.setup, kept.actions)
    return ExportedHand(kept, event, table, seats_max, None, events)
