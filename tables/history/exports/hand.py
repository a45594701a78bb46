"""A finished hand prepared for export: its record, and its events as one viewer saw them."""

from __future__ import annotations

import msgspec

from tables.dealer.record import HandRecord
from tables.engine.events import HandEvent
from tables.history import replays
from tables.history.exports.games import GameFacts


class ExportedHand(msgspec.Struct, frozen=True):
    """A hand with the cards that its export may name.

    `game` names the game and what it is, `table` is the number people see. `viewer` is the seat
    whose own cards are in `events`; None for the public, and for an export with all cards.
    """

    kept: HandRecord
    game: GameFacts
    table: int
    seats_max: int
    viewer: int | None
    events: tuple[HandEvent, ...]

    @property
    def names(self) -> dict[int, str]:
        """Names of the players by seat."""
        return {seat.seat: seat.name for seat in self.kept.seats}

    def amount(self, chips: int) -> float:
        """Return chips as programs read them: whole ones, or units of money."""
        return chips / 100 if self.game.for_money else chips

    @property
    def order(self) -> tuple[int, ...]:
        """Seats that were dealt in, clockwise from left of the button."""
        return self.kept.setup.positions.dealt


def seen_by(
    user: int | None, kept: HandRecord, *, game: GameFacts, table: int, seats_max: int
) -> ExportedHand:
    """Return the hand as `user` was shown it in play and at its end (None: the public).

    Hands that were mucked stay hidden, also from players who may look them up (S-03).
    """
    seen = replays.replay(kept, number=table, seats_max=seats_max, user=user)
    viewer = next((seat.seat for seat in kept.seats if seat.dealt and seat.user == seen.user), None)
    return ExportedHand(kept, game, table, seats_max, viewer, seen.events)


def with_all_cards(
    kept: HandRecord, *, game: GameFacts, table: int, seats_max: int
) -> ExportedHand:
    """Return the hand with every card that was dealt; for operators, never for players."""
    events = kept.events()
    return ExportedHand(kept, game, table, seats_max, None, events)
