"""Hands that are void where a table is rebuilt: to be told now, or told in an epoch before."""

from __future__ import annotations

from typing import NamedTuple

from tables.dealer.state import TableState
from tables.models import Table
from tables.workers import sealing


class Void(NamedTuple):
    """Hands to be told void in the next epoch, and the one that was told before (or None)."""

    hands: tuple[int, ...]
    before: int | None = None

    @property
    def last(self) -> int | None:
        """Hand that snapshots name."""
        return self.hands[-1] if self.hands else self.before


def of(row: Table, stored: TableState | None, *, but_for: int = 0) -> Void:
    """Return the hands of a locked table to be told void in its next epoch, in order.

    Usually the hand in play; more of them where PostgreSQL lost hands that players saw end. All
    `but_for` the first where that is a decided hand that goes on.
    """
    # 1. The hands after the last settled one, as far as PostgreSQL or Redis knows them.
    last = row.granted_hand
    if stored is not None:
        last = max(last, stored.hand_number - (stored.phase == "granted"))
    if last > row.hand:
        return Void(tuple(range(row.hand + 1 + but_for, last + 1)), _before(row, stored))
    # 2. The hand that the last raise of the epoch made void.
    if stored is not None and stored.epoch >= row.epoch:
        return Void((), _before(row, stored))
    return Void(untold(row), _before(row, stored))


def untold(row: Table) -> tuple[int, ...]:
    """Return the hand that the last raise of the epoch made void, where Redis lacks that epoch.

    Its process may have died before Redis had it, with the event that tells players.
    """
    return (row.hand + 1,) if sealing.is_void(row.pk, row.hand + 1) else ()


def _before(row: Table, stored: TableState | None) -> int | None:
    """Return the hand that the stored state names as void, until its number is settled.

    Who was away in the epoch before is told by snapshots alone.
    """
    return row.hand + 1 if stored is not None and stored.voided == row.hand + 1 else None
