"""SQL statements of a settle worker: reads and writes of a table's rows at every hand."""

from __future__ import annotations

from typing import NamedTuple

from django.db import connection

from tables.dealer import record
from tables.dealer.record import HandRecord
from tables.dealer.state import TableState
from tables.models import Table


class BoundaryRow(NamedTuple):
    """Row of a table between two hands; `choices_differ` when seats in Redis have newer choices."""

    director: str
    epoch: int
    hand: int
    open: bool
    choices_differ: bool


def director_of(hand: HandRecord) -> tuple[str, bytes | None]:
    """Return the name of the table's director, and the hand as it was decided if it is kept.

    None as well once a hand of this number is written.
    """
    with connection.cursor() as cursor:
        cursor.execute(_DIRECTOR, [hand.epoch, hand.hand, hand.table])
        found = cursor.fetchone()
    if found is None:
        raise Table.DoesNotExist(hand.table)
    return str(found[0]), None if found[1] is None else bytes(found[1])


def write(hand: HandRecord) -> bool:
    """Write a hand, its seats and its table in one statement; False when the row does not match.

    The row must be at this epoch, one hand earlier; the seats must be those of the hand.
    """
    positions, after = hand.setup.positions, hand.seats
    with connection.cursor() as cursor:
        cursor.execute(
            _WRITE,
            {
                "table": hand.table,
                "number": hand.hand,
                "epoch": hand.epoch,
                "button": positions.button,
                "small_blind": positions.small_blind,
                "big_blind": positions.big_blind,
                "dead_small_blind": positions.dead_small_blind,
                "round": hand.round,
                "digest": hand.digest(),
                "record": record.encode(hand),
                "level": hand.level,
                "players": sum(seat.dealt for seat in after),
                "actions": len(hand.actions),
                "pot": sum(pot.amount for pot in hand.result.pots),
                "released_s": hand.released_ms / 1_000,
                "entries": [seat.entry for seat in after],
                "chips": [seat.chips for seat in after],
                "banks": [seat.bank_ms for seat in after],
                "absent": [seat.absent for seat in after],
                "showdown": [seat.showdown for seat in after],
            },
        )
        tables, written, seats, chips = cursor.fetchone()
    if not tables:
        return False
    assert written == len(after) == seats, "the roster changed in play"
    kept = sum(seat.chips for seat in after) + hand.result.rake
    assert chips == kept, "chips were made or lost in a hand"
    return True


def standing(state: TableState, *, lock: bool = False) -> BoundaryRow:
    """Return the row of a table, compared with the choices of its state; `lock` locks the row."""
    with connection.cursor() as cursor:
        cursor.execute(
            _STANDING + (" FOR UPDATE OF t" if lock else ""),
            [*_choices(state), state.table],
        )
        found = cursor.fetchone()
    if found is None:
        raise Table.DoesNotExist(state.table)
    return BoundaryRow(*found)


def keep_choices(state: TableState) -> None:
    """Write which seats sit out, and the showdown choice of each.

    The table's row is locked and at the state's hand.
    """
    with connection.cursor() as cursor:
        cursor.execute(_KEEP_CHOICES, [*_choices(state), state.table])


def _choices(state: TableState) -> tuple[list[int], list[bool], list[str]]:
    seats = state.seats
    return (
        [seat.entry for seat in seats],
        [seat.absent for seat in seats],
        [seat.showdown for seat in seats],
    )


_DIRECTOR = """
SELECT t.director, d.state
  FROM tables_table t
  LEFT JOIN tables_decidedhand d
    ON d.table_id = t.id AND d.epoch = t.epoch AND d.number = t.hand + 1
   AND d.epoch = %s AND d.number = %s
 WHERE t.id = %s
"""

_WRITE = """
WITH t AS (
  UPDATE tables_table
     SET hand = %(number)s, button = %(button)s, small_blind = %(small_blind)s,
         big_blind = %(big_blind)s, dead_small_blind = %(dead_small_blind)s,
         round = %(round)s, "grant" = NULL
   WHERE id = %(table)s AND epoch = %(epoch)s AND hand = %(number)s - 1
  RETURNING id
), h AS (
  INSERT INTO tables_hand (table_id, number, epoch, digest, record, level, players, actions, pot,
                           finished_at, released_at)
  SELECT id, %(number)s, %(epoch)s, %(digest)s, %(record)s, %(level)s, %(players)s, %(actions)s,
         %(pot)s, statement_timestamp(), to_timestamp(%(released_s)s)
    FROM t
), s AS (
  UPDATE tables_seat s
     SET chips = v.chips, bank_ms = v.bank_ms, absent = v.absent, showdown = v.showdown,
         newcomer = false
    FROM t, unnest(%(entries)s::bigint[], %(chips)s::bigint[], %(banks)s::int[],
                   %(absent)s::bool[], %(showdown)s::text[])
            AS v(entry, chips, bank_ms, absent, showdown)
   WHERE s.table_id = t.id AND s.entry = v.entry
  RETURNING 1
)
SELECT (SELECT count(*) FROM t), (SELECT count(*) FROM s), count(*), coalesce(sum(chips), 0)
  FROM tables_seat WHERE table_id = %(table)s
"""

_STANDING = """
SELECT t.director, t.epoch, t.hand, t.status = 'open',
       EXISTS (SELECT 1 FROM tables_seat s
                 JOIN unnest(%s::bigint[], %s::bool[], %s::text[])
                      AS v(entry, absent, showdown) ON v.entry = s.entry
                WHERE s.table_id = t.id
                  AND (s.absent, s.showdown) <> (v.absent, v.showdown))
  FROM tables_table t WHERE t.id = %s
"""

_KEEP_CHOICES = """
UPDATE tables_seat s SET absent = v.absent, showdown = v.showdown
  FROM unnest(%s::bigint[], %s::bool[], %s::text[]) AS v(entry, absent, showdown)
 WHERE s.entry = v.entry AND (s.absent, s.showdown) <> (v.absent, v.showdown)
   AND s.table_id = %s
"""
