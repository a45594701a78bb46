"""Boxing of records that releases before wrote in plain, in batches that can be stopped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import structlog
from django.db import connection, transaction

from tables.dealer import record
from tables.records import stored

ROWS_AT_ONCE = 200

log = structlog.get_logger(__name__)


class BoxedBatch(NamedTuple):
    """Numbers of records that a batch boxed, and that it left as nobody can read them."""

    boxed: int
    unreadable: int


def left() -> int:
    """Return the number of records in plain."""
    with connection.cursor() as cursor:
        cursor.execute(_LEFT)
        return int(cursor.fetchone()[0])


def box_all() -> Iterator[BoxedBatch]:
    """Box the records in plain, a batch in each transaction; raises NoMonthKey.

    A hand's digest, and with it the log, stays what it was.
    """
    last = 0
    while True:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_PLAIN, [last, ROWS_AT_ONCE])
            rows = [(pk, bytes(raw)) for pk, raw in cursor.fetchall()]
            if not rows:
                return
            last = rows[-1][0]
            boxed = {pk: raw for pk, plain in rows if (raw := _boxed(pk, plain)) is not None}
            cursor.execute(_WRITE, [list(boxed), list(boxed.values())])
        yield BoxedBatch(len(boxed), len(rows) - len(boxed))


def _boxed(pk: int, plain: bytes) -> bytes | None:
    try:
        kept = record.decode(plain)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        log.error("record left in plain", hand=pk, error=str(error))
        return None
    return stored.encode(kept)


_LEFT = "SELECT count(*) FROM tables_hand WHERE get_byte(record, 0) >= 128"

_PLAIN = """
SELECT id, record FROM tables_hand
 WHERE id > %s AND get_byte(record, 0) >= 128
 ORDER BY id LIMIT %s
"""

_WRITE = """
UPDATE tables_hand h SET record = v.record
  FROM unnest(%s::bigint[], %s::bytea[]) AS v(id, record)
 WHERE h.id = v.id
"""
