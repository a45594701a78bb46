"""Decided hands in PostgreSQL, from the end of the betting until they are settled.

The result of a run-out is certain seconds before it is shown, and losing Redis meanwhile must not
undo it. Only recovery and settlement of the same hand read these rows, so that no result is
published early.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import F, Q
from django.utils import timezone
from msgspec.structs import replace

from accounts.retention.rows import AgingRows
from config import limits
from config.door.rates import Rate
from tables.dealer.state import Played, TableState
from tables.engine.state import HandSetup
from tables.models import DecidedHand, Table
from tables.store import hidden_states, readable


def keep(state: TableState) -> bool:
    """Write a table's decided hand; False when its row is at another hand or epoch.

    Also False when the hand was decided otherwise before: a Redis that was set back may play it
    again until that is noticed, and what players saw stays.
    """
    assert state.phase == "run_out" and state.setup is not None
    raw = hidden_states.encode(state)
    with connection.cursor() as cursor:
        cursor.execute(_KEEP, [raw, state.table, state.epoch, state.hand_number])
        found = cursor.fetchone()
    if found is None or bytes(found[0]) == raw:
        return found is not None
    if not is_course(bytes(found[0]), state.setup, state.actions):
        return False
    kept = DecidedHand.objects.filter(
        table=state.table, epoch=state.epoch, number=state.hand_number
    )
    return bool(kept.update(state=raw))


def is_course(kept: bytes, setup: HandSetup, actions: tuple[Played, ...]) -> bool:
    """Return whether the decided hand in `kept` is the one with this deal and these actions.

    Also True for one that nobody can read: it stands against nothing, and may be replaced.
    """
    state = readable.kept_state(kept)
    return state is None or (state.setup, state.actions) == (setup, actions)


def take_over(row: Table, epoch: int) -> bool:
    """Carry the decided hand of a locked table into its next `epoch`; False when it has none.

    Also False for one that nobody can read. Called before the row's epoch is raised. Raises
    NoDeckKey for one that is hidden with a key not held here: such a hand is not lost.
    """
    if row.granted_hand == row.hand:
        return False
    found = DecidedHand.objects.filter(table=row, epoch=row.epoch, number=row.hand + 1)
    kept = found.values_list("state", flat=True).first()
    if kept is None or readable.kept_state(bytes(kept)) is None:
        return False
    return bool(found.update(epoch=epoch))


def of(rows: Sequence[Table]) -> dict[int, TableState]:
    """States to resume from, by table id, for open tables with a decided hand.

    Without pledges: if PostgreSQL lost the end of that hand, the next one may have been called with
    them, and their seeds opened.
    """
    epochs = {row.pk: row.epoch for row in rows if row.granted_hand > row.hand}
    hands = DecidedHand.objects.filter(table__in=epochs)
    kept = {
        hand: readable.kept_state(bytes(hand.state))
        for hand in hands
        if hand.epoch == epochs[hand.table_id]
    }
    return {
        hand.table_id: replace(
            state,
            epoch=hand.epoch,
            seq=0,
            seats=tuple(replace(seat, pledge=b"") for seat in state.seats),
        )
        for hand, state in kept.items()
        if state is not None
    }


class ShownHands(AgingRows):
    """Decided hands that are settled or void: nobody reads them, but their boxes have all cards.

    A table has one row, which its next decided hand takes over.
    """

    __slots__ = ()

    def prune(self, now: datetime | None = None, most: int | None = None) -> int:
        """Delete rows past their time, in one statement: a hand decided meanwhile stays."""
        left = limits.PRUNED_AT_ONCE_MAX if most is None else most
        until = (now or timezone.now()) - self.lasts()
        with connection.cursor() as cursor:
            cursor.execute(_PRUNE, [until, until, left])
            return int(cursor.rowcount)


_GOES_ON = Q(table__status="open", epoch=F("table__epoch"), number=F("table__hand") + 1)
SHOWN = ShownHands(
    "decided-hands", DecidedHand, "decided_at", lambda: timedelta(days=1), only=~_GOES_ON
)
HOURLY = Rate("prune-decided", burst=1, per_minute=1 / 60)
"""Rate of one turn an hour for the whole room."""


def prune_hourly() -> int:
    """Prune at most once an hour; return the number of deleted rows."""
    return SHOWN.prune() if HOURLY.take("room") == 0.0 else 0


_PRUNE = """
DELETE FROM tables_decidedhand
 WHERE decided_at < %s
   AND table_id IN (SELECT d.table_id
                      FROM tables_decidedhand d JOIN tables_table t ON t.id = d.table_id
                     WHERE d.decided_at < %s
                       AND NOT (t.status = 'open' AND d.epoch = t.epoch AND d.number = t.hand + 1)
                     ORDER BY d.table_id LIMIT %s)
"""

_KEEP = """
INSERT INTO tables_decidedhand AS d (table_id, epoch, number, state, decided_at)
SELECT id, epoch, hand + 1, %s, statement_timestamp()
  FROM tables_table WHERE id = %s AND epoch = %s AND hand = %s - 1
    ON CONFLICT (table_id) DO UPDATE
   SET epoch = excluded.epoch, number = excluded.number, decided_at = excluded.decided_at,
       state = CASE WHEN (d.epoch, d.number) = (excluded.epoch, excluded.number) THEN d.state
                    ELSE excluded.state END
RETURNING state
"""
