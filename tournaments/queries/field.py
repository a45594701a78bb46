"""Stacks of a whole field, counted by the database: chips in play and their players."""

from __future__ import annotations

import msgspec
from django.db import connection

from tournaments.models import Tournament

STACKS = """
WITH stacks AS (
    SELECT s.entry, s.chips, s.table_id, s.seat
      FROM tables_seat s JOIN tables_table t ON t.id = s.table_id
     WHERE t.director = 'tournament' AND t.game = %(tournament)s
     UNION ALL
    SELECT entry_id, chips, to_table_id, to_seat
      FROM tournaments_move WHERE tournament_id = %(tournament)s AND state = 'left'
)"""
"""Start of a query over stacks: each stack once, at its seat or on the way to its next seat."""


class Chips(msgspec.Struct, frozen=True):
    """All chips in play and the stacks, in chips; `left` entries have chips or may buy some."""

    total: int
    left: int
    largest: int
    smallest: int

    @property
    def average(self) -> int:
        """Average stack of the entries left; 0 without any."""
        return self.total // self.left if self.left else 0


def chips(tournament: Tournament) -> Chips:
    """Count chips at seats, in moves, and on the way between merging entries (E-03)."""
    with connection.cursor() as cursor:
        cursor.execute(STACKS + _CHIPS, {"tournament": tournament.pk})
        total, merging, largest, smallest = cursor.fetchone()
    return Chips(int(total + merging), tournament.left, largest, smallest)


_CHIPS = """
SELECT coalesce(sum(chips), 0),
       (SELECT coalesce(sum(chips), 0) FROM tournaments_offer
         WHERE tournament_id = %(tournament)s AND kind = 'merge' AND state = 'accepted'),
       coalesce(max(chips), 0), coalesce(min(chips), 0)
  FROM stacks
"""
