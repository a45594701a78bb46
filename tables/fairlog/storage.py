"""Log in PostgreSQL: pending leaves, appended leaves, tiles, and the last signed head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from django.db import connection

from tables.fairlog.models import LogLeaf
from tables.fairness.leaves import Fate, LeafKind
from tables.fairness.tiles import TileReader, Tiles
from tables.models import Hand
from tables.records import hand_months


class LogDamaged(Exception):
    """The stored log is not the one that was signed, or does not hold together."""


class PendingLeaf(NamedTuple):
    """Row of a leaf without its place: what its bytes are made of.

    `leaf` and the `states` of its seats are there already where the settlement of a hand knew them.
    `record` is that of another played hand, for its fate.
    """

    pk: int
    kind: LeafKind
    table: int
    epoch: int
    hand: int
    seal: bytes
    sealed_ms: int
    fate: int | None
    reason: int
    ended_ms: int
    record: bytes | None
    escrow: bytes
    leaf: bytes | None
    states: bytes


class PlacedLeaf(NamedTuple):
    """Leaf with its place in the log; `pk` None for one that has no row yet."""

    pk: int | None
    kind: LeafKind
    leaf: bytes


class LogSizes(NamedTuple):
    """Number of leaves in the log, and of those under the newest signed head."""

    leaves: int
    signed: int


class SignedHead(NamedTuple):
    """Newest signed head, kept with its UTC day; `note` is the head as a signed note."""

    day: date
    size: int
    root: bytes
    note: str


class Waiting(NamedTuple):
    """Work for a keeper: the oldest pending leaf, and the log's size unless a head is over it."""

    leaf: int | None
    unsigned: int | None


def waiting() -> Waiting:
    """Return the work that waits for a keeper."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITING)
        return Waiting(*cursor.fetchone())


def size() -> int:
    """Return the number of leaves in the log."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {_SIZE}")
        return int(cursor.fetchone()[0])


def pending(most: int) -> tuple[LogSizes, list[PendingLeaf]]:
    """Return the oldest leaves that wait for their place, by their rows, and the log's sizes."""
    with connection.cursor() as cursor:
        cursor.execute(_PENDING, [most])
        rows = cursor.fetchall()
    sizes = LogSizes(*rows[0][:2])
    records = _records(
        [
            (table, hand)
            for _, _, _, kind, table, _, hand, *_, leaf, _ in rows
            if kind == LeafKind.FATE and leaf is None
        ]
    )
    return sizes, [
        PendingLeaf(
            pk=pk,
            kind=LeafKind(kind),
            table=table,
            epoch=epoch,
            hand=hand,
            seal=bytes(seal),
            sealed_ms=sealed_ms,
            fate=fate,
            reason=reason,
            ended_ms=ended_ms,
            record=records.get((table, hand)) if fate == Fate.PLAYED else None,
            escrow=bytes(escrow or b""),
            leaf=leaf and bytes(leaf),
            states=bytes(states or b""),
        )
        for _, _, pk, kind, table, epoch, hand, seal, sealed_ms, fate, reason, *rest in rows
        for ended_ms, escrow, leaf, states in (rest,)
        if pk is not None
    ]


def _records(hands: Sequence[tuple[int, int]]) -> dict[tuple[int, int], bytes]:
    """Return the records of hands by table and number.

    A settlement leaves few leaves without bytes: an older release did, or a player who showed cards
    afterwards. So the many months of hands are planned for these alone.
    """
    if not hands:
        return {}
    tables, numbers = zip(*hands, strict=True)
    found = Hand.objects.filter(hand_months.of_tables(set(tables)), number__in=set(numbers))
    return {
        (table, number): bytes(record)
        for table, number, record in found.values_list("table", "number", "record")
    }


def append(first: int, leaves: Sequence[PlacedLeaf]) -> None:
    """Write leaves at their places from `first` on; raise LogDamaged if one is placed already."""
    placed = [(leaf.pk, first + at, leaf.leaf) for at, leaf in enumerate(leaves)]
    known = [row for row in placed if row[0] is not None]
    if known:
        with connection.cursor() as cursor:
            cursor.execute(_PLACE, [list(column) for column in zip(*known, strict=True)])
            if cursor.rowcount != len(known):
                raise LogDamaged("a leaf was to be appended twice")
    LogLeaf.objects.bulk_create(
        LogLeaf(kind=leaf.kind, index=index, leaf=leaf.leaf)
        for leaf, (pk, index, _) in zip(leaves, placed, strict=True)
        if pk is None
    )


def tile(level: int, number: int) -> bytes:
    """Return the hashes of a tile; empty for one that is not begun."""
    with connection.cursor() as cursor:
        cursor.execute(_TILE, [level, number])
        found = cursor.fetchone()
    return b"" if found is None else bytes(found[0])


def write_tiles(tiles: Tiles) -> None:
    """Write new tiles, and old ones that grew."""
    levels, numbers = zip(*tiles, strict=True)
    with connection.cursor() as cursor:
        cursor.execute(_WRITE_TILES, [list(levels), list(numbers), list(tiles.values())])


def count(day: date, counts: Mapping[str, int]) -> None:
    """Add to the counts of a UTC day, by their columns in `LogDay`."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {**dict.fromkeys(COUNTS, 0), **counts, "day": day})


def head() -> SignedHead | None:
    """Return the newest signed head; None before the first one."""
    with connection.cursor() as cursor:
        cursor.execute(_HEAD)
        found = cursor.fetchone()
    if found is None:
        return None
    day, leaves, root, note = found
    return SignedHead(day, leaves, bytes(root), note)


def write_head(head: SignedHead) -> None:
    """Write a signed head as the last one of its day."""
    with connection.cursor() as cursor:
        cursor.execute(_WRITE_HEAD, head._asdict())


def entries(first: int, end: int) -> list[bytes]:
    """Return the leaves from `first` up to, not including, `end`, as far as they are there."""
    with connection.cursor() as cursor:
        cursor.execute(_ENTRIES, [first, end])
        return [bytes(leaf) for (leaf,) in cursor]


reader: TileReader = tile

COUNTS = (
    "played", "void", "unplayed", "in_time", "late", "silent", "unpledged", "uncut",
)  # fmt: skip
"""Columns of a day's counts."""

# A keeper runs these statements for every few hands: they are plain SQL, because the ORM takes
# three times as long to make them as PostgreSQL to answer.
_SIZE = "coalesce((SELECT max(index) + 1 FROM fairlog_logleaf), 0)"

_SIGNED = "coalesce((SELECT max(size) FROM fairlog_logday), 0)"

_WAITING = f"""
SELECT (SELECT min(id) FROM fairlog_logleaf WHERE index IS NULL), nullif({_SIZE}, {_SIGNED})
"""  # nosec B608

_PENDING = f"""
SELECT e.*, p.*
  FROM (SELECT {_SIZE} AS leaves, {_SIGNED} AS signed) e
  LEFT JOIN (
    SELECT l.id, l.kind, d.table_id, d.epoch, d.hand, d.seal, d.sealed_ms, d.fate, d.reason,
           d.ended_ms, d.escrow, l.leaf, l.states
      FROM fairlog_logleaf l
      JOIN tables_sealeddeck d ON d.id = l.deck_id
     WHERE l.index IS NULL
     ORDER BY l.id
     LIMIT %s
  ) p ON true
 ORDER BY p.id
"""  # nosec B608

_PLACE = """
UPDATE fairlog_logleaf l SET index = v.index, leaf = v.leaf
  FROM unnest(%s::bigint[], %s::bigint[], %s::bytea[]) AS v(id, index, leaf)
 WHERE l.id = v.id AND l.index IS NULL
"""

_TILE = "SELECT hashes FROM fairlog_logtile WHERE level = %s AND number = %s"

_WRITE_TILES = """
INSERT INTO fairlog_logtile (level, number, hashes)
SELECT * FROM unnest(%s::smallint[], %s::bigint[], %s::bytea[])
    ON CONFLICT (level, number) DO UPDATE SET hashes = excluded.hashes
"""

_COUNT = f"""
INSERT INTO fairlog_logday AS d (day, size, root, note, {", ".join(COUNTS)})
VALUES (%(day)s, 0, '', '', {", ".join(f"%({name})s" for name in COUNTS)})
    ON CONFLICT (day) DO UPDATE
   SET {", ".join(f"{name} = d.{name} + excluded.{name}" for name in COUNTS)}
"""  # nosec B608

_HEAD = """
SELECT day, size, root, note FROM fairlog_logday WHERE size > 0 ORDER BY size DESC, day DESC LIMIT 1
"""

_WRITE_HEAD = f"""
INSERT INTO fairlog_logday (day, size, root, note, {", ".join(COUNTS)})
VALUES (%(day)s, %(size)s, %(root)s, %(note)s{", 0" * len(COUNTS)})
    ON CONFLICT (day) DO UPDATE
   SET size = excluded.size, root = excluded.root, note = excluded.note
"""  # nosec B608

_ENTRIES = "SELECT leaf FROM fairlog_logleaf WHERE index >= %s AND index < %s ORDER BY index"
