"""Signs that a PostgreSQL lacks what the room was told by the one before it, and their mending."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from redis import Redis

from config.postgres.database_run import DatabaseRun, DatabaseWitness
from tables.dealer.state import TableState
from tables.store import fenced, keys, wakes

BATCH = 500
"""Tables compared in one trip."""

SEQUENCE_JUMP = 1_000
"""Numbers that each sequence skips after a loss, so that no lost id names another row."""

Comparison = Callable[[Any, Redis], Iterator[str]]
"""Takes a cursor of the PostgreSQL in question; yields what it lacks, each in a few words."""

Raising = Callable[[Any, Redis], None]
"""Takes such a cursor; lets PostgreSQL go on above what was ever told."""

_comparisons: list[Comparison] = []
_raisings: list[Raising] = []


def register(compare: Comparison, raise_above: Raising) -> None:
    """Register what an app told by numbers of its own: a comparison, and how numbers go on."""
    _comparisons.append(compare)
    on_loss(raise_above)


def on_loss(raise_above: Raising) -> None:
    """Register numbers that go on above what was ever told, once a loss is accepted."""
    _raisings.append(raise_above)


def drop_pledges(table: str) -> None:
    """Register a database table whose rows hold pledges of players on their way to a seat.

    A loss takes them: PostgreSQL may lack that they were called, and their seeds opened.
    """
    statement = f"UPDATE {table} SET pledge = '' WHERE pledge <> ''"  # nosec B608
    on_loss(lambda cursor, _redis: cursor.execute(statement))


def signs(cursor: Any, redis: Redis, run: DatabaseRun, witness: DatabaseWitness) -> Iterator[str]:
    """Yield why a run of PostgreSQL may lack what was told; nothing for one that is believed."""
    # 1. The server itself: another one, or the old primary after a standby took its place.
    if run.system != witness.system:
        yield "it is another server than the one the room played on"
        return
    if run.timeline < witness.timeline:
        yield f"it is on timeline {run.timeline}, and timeline {witness.timeline} was promoted"
    # 2. Its position: a log that ends before what settle workers saw.
    if run.position < witness.position:
        yield f"its log ends {witness.position - run.position} bytes before what was settled"
    # 3. A promoted standby has all that was answered only if the primary waited for it.
    elif run.timeline > witness.timeline and not witness.waits:
        yield "it was promoted, and its primary waited for no standby (synchronous_standby_names)"
    # 4. Its rows: tables and numbers that Redis knows further.
    yield from _tables_behind(cursor, redis)
    for compare in _comparisons:
        yield from compare(cursor, redis)


def go_on_above(cursor: Any, redis: Redis) -> None:
    """Let every number go on above what was told, and close all shards until they are adopted."""
    # 1. Nothing is played in Redis before the tables are rebuilt: all hands in play are void.
    for shard in range(settings.SHARDS):
        redis.set(keys.run(shard), CLOSED)
        redis.delete(keys.generation(shard))
    # 2. Epochs of tables that lost anything: Redis may be emptied before they are rebuilt, and then
    #    nobody knows those epochs. A run after this one is no more asked for what this one lost.
    for _, states in _told(redis):
        told = [state for state in states if state is not None]
        cursor.execute(
            _RAISE_EPOCHS,
            [
                [state.table for state in told],
                [state.epoch for state in told],
                [state.settled_hand for state in told],
                [state.hand_number for state in told],
            ],
        )
    # 3. Numbers of events, and ids of rows.
    for raise_above in _raisings:
        raise_above(cursor, redis)
    for (name,) in cursor.execute(_SEQUENCES).fetchall():
        cursor.execute(
            "SELECT count(nextval(%s::regclass)) FROM generate_series(1, %s)", [name, SEQUENCE_JUMP]
        )


CLOSED = "none"
"""Adopted run of a shard that nothing plays in; no run of a server has this name."""


def _tables_behind(cursor: Any, redis: Redis) -> Iterator[str]:
    behind: list[int] = []
    for tables, states in _told(redis):
        behind += _behind(cursor, tables, states)
    if behind:
        yield f"{len(behind)} tables are further in Redis, table {min(behind)} among them"


def _told(redis: Redis) -> Iterator[tuple[list[int], list[TableState | None]]]:
    """Yield the tables with a wake and their states in Redis, batch by batch."""
    for shard in range(settings.SHARDS):
        tables = sorted(wakes.tables(redis, shard))
        for first in range(0, len(tables), BATCH):
            batch = tables[first : first + BATCH]
            yield batch, fenced.peek_open_all(redis, batch)


def _behind(cursor: Any, tables: list[int], states: list[TableState | None]) -> list[int]:
    found = cursor.execute(_ROWS, [tables])
    rows = {table: (epoch, hand, granted) for table, epoch, hand, granted in found.fetchall()}
    return [
        table
        for table, state in zip(tables, states, strict=True)
        if state is not None and _is_further(state, rows.get(table))
    ]


def _is_further(state: TableState, row: tuple[int, int, int] | None) -> bool:
    """Return whether a state in Redis follows from a row that PostgreSQL does not have."""
    if row is None:
        return True
    # 1. A state of an older epoch is void: PostgreSQL had all of it when it raised the epoch, or
    #    what it lacks was accepted with that.
    epoch, hand, granted = row
    if state.epoch != epoch:
        return state.epoch > epoch
    # 2. A hand is granted in PostgreSQL before Redis has it, and settled before its boundary.
    return state.settled_hand > hand or state.hand_number > granted


_ROWS = "SELECT id, epoch, hand, granted_hand FROM tables_table WHERE id = ANY(%s)"

_RAISE_EPOCHS = """
WITH f AS (
  SELECT t.id, t.epoch AS lost, told.epoch + 1 AS next,
         CASE WHEN t.epoch = told.epoch AND t.hand < told.granted
              THEN greatest(t.granted_hand, t.hand + 1) -- its deck was dealt: void, not unplayed
              ELSE t.granted_hand END AS granted
    FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
      AS told (id, epoch, settled, granted)
    JOIN tables_table t USING (id)
   WHERE t.epoch < told.epoch
      OR t.epoch = told.epoch AND (t.hand < told.settled OR t.granted_hand < told.granted)
), d AS (
  UPDATE tables_decidedhand d SET epoch = f.next FROM f -- it goes on in the epoch of its table
   WHERE d.table_id = f.id AND d.epoch = f.lost
)
UPDATE tables_table t SET epoch = f.next, granted_hand = f.granted FROM f WHERE t.id = f.id
"""

_SEQUENCES = """
SELECT quote_ident(schemaname) || '.' || quote_ident(sequencename)
  FROM pg_sequences
 WHERE schemaname = current_schema()
   AND has_sequence_privilege(quote_ident(schemaname) || '.' || quote_ident(sequencename), 'USAGE')
 ORDER BY 1
"""
