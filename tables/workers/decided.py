"""Decided hands in PostgreSQL from the moment nobody bets any more, until they are settled.

A run-out takes seconds, and its result is certain from the first of them: losing Redis meanwhile
must not undo it. Nobody reads these rows but recovery, so that nothing is told early.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection
from msgspec.structs import replace

from tables.dealer import state as states
from tables.dealer.state import TableState
from tables.models import DecidedHand, Table


def keep(state: TableState) -> bool:
    """Write a table's decided hand; False when its row stands at another hand or epoch."""
    assert state.phase == "run_out"
    with connection.cursor() as cursor:
        cursor.execute(_KEEP, [states.encode(state), state.table, state.epoch, state.hand_number])
        return bool(cursor.rowcount)


def take_over(row: Table) -> bool:
    """Carry the decided hand of a locked table into its next epoch; False when it has none.

    Called before the row's epoch is raised.
    """
    if row.granted_hand == row.hand:
        return False
    found = DecidedHand.objects.filter(table=row, epoch=row.epoch, number=row.hand + 1)
    return bool(found.update(epoch=row.epoch + 1))


def of(rows: Sequence[Table]) -> dict[int, TableState]:
    """Table -> the state to go on from, of open tables that stand in a decided hand."""
    epochs = {row.pk: row.epoch for row in rows if row.granted_hand > row.hand}
    kept = DecidedHand.objects.filter(table__in=epochs)
    return {
        hand.table_id: replace(states.decode(bytes(hand.state)), epoch=hand.epoch, seq=0)
        for hand in kept
        if hand.epoch == epochs[hand.table_id]
    }


_KEEP = """
INSERT INTO tables_decidedhand AS d (table_id, epoch, number, state, decided_at)
SELECT id, epoch, hand + 1, %s, statement_timestamp()
  FROM tables_table WHERE id = %s AND epoch = %s AND hand = %s - 1
    ON CONFLICT (table_id) DO UPDATE
   SET epoch = excluded.epoch, number = excluded.number, state = excluded.state,
       decided_at = excluded.decided_at
"""
