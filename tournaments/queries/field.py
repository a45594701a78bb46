"""Stacks of a whole field, counted by the database: chips in play and their players."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

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
    """Stacks of a field in chips, smallest first, as they were at `read_ms` of this process.

    `own` are the same stacks by user.
    """

    read_ms: int
    stacks: Sequence[int]
    own: Mapping[int, Sequence[int]]
    average: int

    def rank(self, chips: int, user: int | None) -> int:
        """Return the rank of a user's stack among those of the others; equal stacks have one rank.

        The field may still have the stack of before the hand: the own one nearest to `chips` does
        not count. A visitor without a log-in (None) has none.
        """
        above = len(self.stacks) - bisect_right(self.stacks, chips)
        own = () if user is None else self.own.get(user, ())
        nearest = min(own, key=lambda stack: abs(stack - chips), default=chips)
        return 1 + above - (nearest > chips)


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
        rows = cursor.fetchall()
    own: dict[int, list[int]] = {}
    for stack, user in rows:
        own.setdefault(user, []).append(stack)
    stacks = [stack for stack, _ in rows]
    fresh = RecentStacks(now_ms, stacks, own, chips(tournament).average)
    if len(_recent) >= limits.RANKED_FIELDS_MAX:
        forget_recent()
    _recent[tournament.pk] = fresh
    return fresh


def forget_recent() -> None:
    """Forget all stacks that were read."""
    _recent.clear()


_SORTED = """
SELECT k.chips, e.user_id FROM stacks k JOIN tournaments_entry e ON e.id = k.entry ORDER BY k.chips
"""

_CHIPS = """
SELECT coalesce(sum(chips), 0),
       (SELECT coalesce(sum(chips), 0) FROM tournaments_offer
         WHERE tournament_id = %(tournament)s AND kind = 'merge' AND state = 'accepted'),
       coalesce(max(chips), 0), coalesce(min(chips), 0)
  FROM stacks
"""
