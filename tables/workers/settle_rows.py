"""SQL statements of a settle worker: reads and writes of a table's rows at every hand."""

from __future__ import annotations

from collections.abc import Sequence
from string import Template
from typing import Any, NamedTuple

from django.db import connection

from config.postgres.arrays import array_of
from config.postgres.statements import rows_of
from tables.dealer import carried
from tables.dealer.record import HandRecord, SeatAfter
from tables.dealer.sealed import SealedHand
from tables.dealer.state import TableSeat, TableState
from tables.models import Table
from tables.records import hand_leaves, parts, stored
from tables.statistics.counting import COUNT, counts


class BoundaryRow(NamedTuple):
    """Row of a table between two hands; `choices_differ` when seats in Redis have newer choices.

    `seal` is that of the next hand in this epoch, None before it is written.
    """

    director: str
    epoch: int
    hand: int
    open: bool
    choices_differ: bool
    seal: bytes | None


def director_of(hand: HandRecord) -> tuple[str, bytes | None]:
    """Return the name of the table's director, and the hand as it was decided if it is kept.

    None as well once a hand of this number is written.
    """
    for director, kept in rows_of(_DIRECTOR, [hand.epoch, hand.hand, hand.table]):
        return str(director), None if kept is None else bytes(kept)
    raise Table.DoesNotExist(hand.table)


def write(hand: HandRecord, next_seal: SealedHand | None = None, course: bytes = b"") -> bool:
    """Write a hand, its seats and its table in one statement; False when the row does not match.

    The row must be at this epoch, one hand earlier; the seats must be those of the hand. The seal
    of the hand gets its fate, and that of the next hand its row; a deck that the game of the hand
    could not use was not played. Players are counted where the hand is written. With the last link
    of its course the leaf of its end is known, else the keeper of the log replays the hand.
    """
    positions, after = hand.setup.positions, hand.seats
    split = parts.split(hand)
    played = hand_leaves.of_played(split.open, course)
    found = rows_of(
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
            "record": stored.encode_parts(split),
            "level": hand.level,
            "players": sum(seat.dealt for seat in after),
            "actions": len(hand.actions),
            "pot": sum(pot.amount for pot in hand.result.pots),
            "released_s": hand.released_ms / 1_000,
            "users": array_of(hand.users()),
            "seal": hand.called.sealed.seal if hand.called else None,
            "ended_ms": hand.ended_ms,
            "next_seal": next_seal.seal if next_seal else None,
            "next_sealed_ms": next_seal.sealed_ms if next_seal else None,
            "next_escrow": next_seal.escrow or None if next_seal else None,
            "leaf": played and played.leaf,
            "states": played and played.states,
            **_columns(after, carried.NAMES),
            **counts(hand),
        },
    )
    [(tables, written, fates, seats, chips)] = found
    if not tables:
        return False
    assert written == len(after) == seats, "the roster changed in play"
    assert fates == (hand.called is not None), "a deck was dealt whose seal has no row"
    kept = sum(seat.chips for seat in after) + hand.result.rake
    assert chips == kept, "chips were made or lost in a hand"
    return True


def standing(state: TableState, *, lock: bool = False) -> BoundaryRow:
    """Return the row of a table, compared with the choices of its state; `lock` locks the row."""
    found = rows_of(_STANDING + (" FOR UPDATE OF t" if lock else ""), _choices(state))
    for director, epoch, hand, is_open, differ, seal in found:
        return BoundaryRow(director, epoch, hand, is_open, differ, seal and bytes(seal))
    raise Table.DoesNotExist(state.table)


def keep_choices(state: TableState) -> None:
    """Write the choices players made between hands, such as to sit out.

    The table's row is locked and at the state's hand.
    """
    with connection.cursor() as cursor:
        cursor.execute(_KEEP_CHOICES, _choices(state))


def _choices(state: TableState) -> dict[str, Any]:
    return {"table": state.table, **_columns(state.seats, carried.CHOICES)}


def _columns(seats: Sequence[TableSeat | SeatAfter], names: tuple[str, ...]) -> dict[str, str]:
    """Return the entries of seats and these of their carried values, each as an array."""
    columns = carried.columns(seats, names)
    return {name: array_of(column) for name, column in columns.items()} | {
        "entries": array_of([seat.entry for seat in seats])
    }


def _filled(statement: str, names: tuple[str, ...]) -> str:
    """Return a statement with the values of these names `given` as rows, `assigned`, compared."""
    arrays = "".join(f", %({name})s::{carried.SQL_TYPES[name]}[]" for name in names)
    old, new = (", ".join(f"{owner}.{name}" for name in names) for owner in "sv")
    return Template(statement).substitute(
        assigned=", ".join(f"{name} = v.{name}" for name in names),
        different=f"({old}) <> ({new})",
        count=COUNT,
        given=f"unnest(%(entries)s::bigint[]{arrays}) AS v(entry, {', '.join(names)})",
    )


_DIRECTOR = """
SELECT t.director, d.state
  FROM tables_table t
  LEFT JOIN tables_decidedhand d
    ON d.table_id = t.id AND d.epoch = t.epoch AND d.number = t.hand + 1
   AND d.epoch = %s AND d.number = %s
 WHERE t.id = %s
"""

_WRITE = _filled(
    """
WITH t AS (
  UPDATE tables_table
     SET hand = %(number)s, button = %(button)s, small_blind = %(small_blind)s,
         big_blind = %(big_blind)s, dead_small_blind = %(dead_small_blind)s,
         round = %(round)s, "grant" = NULL
   WHERE id = %(table)s AND epoch = %(epoch)s AND hand = %(number)s - 1
  RETURNING id, director
), h AS (
  INSERT INTO tables_hand (table_id, number, epoch, digest, record, level, players, actions, pot,
                           finished_at, released_at, users)
  SELECT id, %(number)s, %(epoch)s, %(digest)s, %(record)s, %(level)s, %(players)s, %(actions)s,
         %(pot)s, statement_timestamp(), to_timestamp(%(released_s)s),
         %(users)s::bigint[]
    FROM t
  RETURNING id
), w AS (
  INSERT INTO conduct_uncountedhand (hand) SELECT id FROM h
), s AS (
  UPDATE tables_seat s
     SET $assigned, newcomer = false
    FROM t, $given
   WHERE s.table_id = t.id AND s.entry = v.entry
  RETURNING 1
), f AS (
  UPDATE tables_sealeddeck d
     SET fate = CASE WHEN d.seal = %(seal)s THEN 1 ELSE 4 END,
         reason = CASE WHEN d.seal = %(seal)s THEN 0 ELSE 7 END,
         ended_ms = %(ended_ms)s
    FROM t
   WHERE d.table_id = t.id AND d.fate IS NULL
  RETURNING d.id, fate
), c AS (
$count), n AS (
  INSERT INTO tables_sealeddeck (table_id, epoch, hand, seal, sealed_ms, escrow, reason, ended_ms)
  SELECT id, %(epoch)s, %(number)s + 1, %(next_seal)s, %(next_sealed_ms)s, %(next_escrow)s, 0, 0
    FROM t
   WHERE %(next_seal)s::bytea IS NOT NULL
     AND (SELECT count(*) FROM f) >= 0 -- after f: a table has one open seal
  RETURNING id
), l AS (
  INSERT INTO fairlog_logleaf (deck_id, kind, leaf, states) -- of the fate and of the next seal
  SELECT id, 2, CASE WHEN fate = 1 THEN %(leaf)s::bytea END,
         CASE WHEN fate = 1 THEN %(states)s::bytea END FROM f
   UNION ALL SELECT id, 1, NULL, NULL FROM n
)
SELECT (SELECT count(*) FROM t), (SELECT count(*) FROM s), (SELECT count(*) FROM f WHERE fate = 1),
       count(*), coalesce(sum(chips), 0)
  FROM tables_seat WHERE table_id = %(table)s
""",
    carried.NAMES,
)

_STANDING = _filled(
    """
SELECT t.director, t.epoch, t.hand, t.status = 'open',
       EXISTS (SELECT 1 FROM tables_seat s
                 JOIN $given ON v.entry = s.entry
                WHERE s.table_id = t.id AND $different),
       (SELECT d.seal FROM tables_sealeddeck d
         WHERE d.table_id = t.id AND d.epoch = t.epoch AND d.hand = t.hand + 1)
  FROM tables_table t WHERE t.id = %(table)s
""",
    carried.CHOICES,
)

_KEEP_CHOICES = _filled(
    """
UPDATE tables_seat s SET $assigned
  FROM $given
 WHERE s.entry = v.entry AND $different AND s.table_id = %(table)s
""",
    carried.CHOICES,
)
