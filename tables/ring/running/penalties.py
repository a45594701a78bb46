"""Penalties at the boundary of a table: open ones, and those that the coming hand takes (P-03)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from tables.ring.models import Penalty


class OpenPenalties:
    """Penalties of the sessions of a locked table that no settled hand has taken."""

    def __init__(self, sessions: Collection[int]) -> None:
        self._rows: dict[int, list[Penalty]] = defaultdict(list)
        rows = Penalty.objects.filter(session__in=sessions, taken_hand=None)
        for row in rows.order_by("pk"):
            self._rows[row.session_id].append(row)

    def take_over(self, settled: int) -> None:
        """Count the penalties planned for a hand up to `settled` as taken; reopen the others."""
        for session, rows in self._rows.items():
            for row in rows:
                if row.planned_hand is None:
                    continue
                if row.planned_hand <= settled:
                    row.taken_hand, row.taken = row.planned_hand, row.planned
                row.planned_hand, row.planned = None, 0
                row.save(update_fields=["planned_hand", "planned", "taken_hand", "taken"])
            self._rows[session] = [row for row in rows if row.taken_hand is None]

    def of(self, session: int) -> int:
        """Return the chips that a session still has to pay."""
        return sum(row.amount for row in self._rows.get(session, ()))

    def plan(self, hand: int, paid: Mapping[int, int]) -> None:
        """Note which penalties this hand takes; `paid` are the chips posted, by session.

        The oldest is paid first. One that the stack pays in part is over with that part, and one
        that finds nothing left waits for the next hand.
        """
        for session, amount in paid.items():
            left = amount
            for row in self._rows[session]:
                row.planned_hand = hand if left else None
                row.planned = min(left, row.amount)
                left -= row.planned
                row.save(update_fields=["planned_hand", "planned"])
