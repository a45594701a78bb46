"""Log in PostgreSQL: pending leaves, appended leaves, tiles, and the last signed head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection
from django.db.models import Max

from tables.fairlog.models import LogDay, LogLeaf, LogTile
from tables.fairness.leaves import LeafKind
from tables.fairness.tiles import TileReader, Tiles


class LogDamaged(Exception):
    """The stored log is not the one that was signed, or does not hold together."""


class PendingLeaf(NamedTuple):
    """Row of a leaf without its place: what its bytes are made of.

    `record` is that of a played hand, for its fate.
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


class PlacedLeaf(NamedTuple):
    """Leaf with its place in the log; `pk` None for one that has no row yet."""

    pk: int | None
    kind: LeafKind
    leaf: bytes


def size() -> int:
    """Return the number of leaves in the log."""
    last = LogLeaf.objects.aggregate(last=Max("index"))["last"]
    return 0 if last is None else last + 1


def pending(most: int) -> list[PendingLeaf]:
    """Return the oldest leaves that wait for their place, in the order of their rows."""
    with connection.cursor() as cursor:
        cursor.execute(_PENDING, [most])
        rows = cursor.fetchall()
    return [
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
            record=record and bytes(record),
            escrow=bytes(escrow or b""),
        )
        for pk, kind, table, epoch, hand, seal, sealed_ms, fate, reason, ended_ms, *rest in rows
        for record, escrow in (rest,)
    ]


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
    found = LogTile.objects.filter(level=level, number=number).values_list("hashes", flat=True)
    return next((bytes(hashes) for hashes in found), b"")


def write_tiles(tiles: Tiles) -> None:
    """Write new tiles, and old ones that grew."""
    LogTile.objects.bulk_create(
        (LogTile(level=level, number=number, hashes=one) for (level, number), one in tiles.items()),
        update_conflicts=True,
        unique_fields=["level", "number"],
        update_fields=["hashes"],
    )


def head() -> LogDay | None:
    """Return the day with the newest signed head; None before the first one."""
    return LogDay.objects.filter(size__gt=0).order_by("-size", "-day").first()


def entries(first: int, end: int) -> list[bytes]:
    """Return the leaves from `first` up to, not including, `end`, as far as they are there."""
    rows = LogLeaf.objects.filter(index__gte=first, index__lt=end).order_by("index")
    return [bytes(leaf or b"") for leaf in rows.values_list("leaf", flat=True)]


reader: TileReader = tile

_PENDING = """
SELECT l.id, l.kind, d.table_id, d.epoch, d.hand, d.seal, d.sealed_ms, d.fate, d.reason,
       d.ended_ms, h.record, d.escrow
  FROM fairlog_logleaf l
  JOIN tables_sealeddeck d ON d.id = l.deck_id
  LEFT JOIN tables_hand h
    ON l.kind = 2 AND d.fate = 1 AND h.table_id = d.table_id AND h.number = d.hand
 WHERE l.index IS NULL
 ORDER BY l.id
 LIMIT %s
"""

_PLACE = """
UPDATE fairlog_logleaf l SET index = v.index, leaf = v.leaf
  FROM unnest(%s::bigint[], %s::bigint[], %s::bytea[]) AS v(id, index, leaf)
 WHERE l.id = v.id AND l.index IS NULL
"""
