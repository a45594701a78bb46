"""Seat of a ring game as its bot holds it: the game, and the stay at a table or in its pool."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from tables.bots.ring.rows import RingGameRow, RingStay


class HeldRingSeat(msgspec.Struct, frozen=True):
    """A seat that a bot has taken; in a rapid pool its table changes from hand to hand."""

    game: RingGameRow
    stay: RingStay

    def is_at(self, table: int) -> bool:
        """Return whether the seat is at this table now."""
        return self.stay.table == table

    def moved(self, table: int) -> HeldRingSeat:
        """Return the seat at the table of the next hand of a pool."""
        return replace(self, stay=replace(self.stay, table=table))
