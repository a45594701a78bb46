"""Stacks of a whole field, counted by the database: chips in play and their players."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import msgspec
from django.db import connection

from config import clock, limits
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


class RecentStacks(msgspec.Struct, frozen=True):
    """Stacks of a field in chips, smallest first, as they were at `read_ms` of this process."""

    read_ms: int
    stacks: Sequence[int]
    average: int

    def rank(self, chips: int) -> int:
        """Return the rank of a stack in this field; equal stacks have one rank."""
        return 1 + len(self.stacks) - bisect_right(self.stacks, chips)


_recent: dict[int, RecentStacks] = {}


def recent(tournament: Tournament) -> RecentStacks:
    """Return the stacks as this process read them at most STACKS_RECENT_MS ago.

    Every page of a table asks for a rank after its hands, and counting a field takes the longer
    the larger it is: one count serves all.
    """
    now_ms = clock.monotonic_ms()
    kept = _recent.get(tournament.pk)
    if kept is not None and now_ms - kept.read_ms < limits.STACKS_RECENT_MS:
        return kept
    with connection.cursor() as cursor:
        cursor.execute(STACKS + _SORTED, {"tournament": tournament.pk})
        stacks = [chips for (chips,) in cursor.fetchall()]
    fresh = RecentStacks(now_ms, stacks, chips(tournament).average)
    if len(_recent) >= limits.RANKED_FIELDS_MAX:
        forget_recent()
    _recent[tournament.pk] = fresh
    return fresh


def forget_recent() -> None:
    """Forget all stacks that were read."""
    _recent.clear()


_SORTED = "SELECT chips FROM stacks ORDER BY chips"

_CHIPS = """
SELECT coalesce(sum(chips), 0),
       (SELECT coalesce(sum(chips), 0) FROM tournaments_offer
         WHERE tournament_id = %(tournament)s AND kind = 'merge' AND state = 'accepted'),
       coalesce(max(chips), 0), coalesce(min(chips), 0)
  FROM stacks
"""
