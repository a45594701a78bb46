"""Granted hands in PostgreSQL: a director that is asked again gives the answer it gave before."""

from __future__ import annotations

import msgspec
from django.db import connection

from tables.dealer.director import Grant
from tables.models import Table

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Grant).decode


def stored(table: Table, hand: int) -> Grant | None:
    """Return the grant stored for this hand, or None."""
    if table.granted_hand != hand or table.grant is None:
        return None
    return _decode(bytes(table.grant))


def keep(table: Table, grant: Grant) -> None:
    """Store the grant of a locked table's next hand."""
    table.granted_hand, table.grant = grant.hand, _encode(grant)
    with connection.cursor() as cursor:
        cursor.execute(
            'UPDATE tables_table SET granted_hand = %s, "grant" = %s WHERE id = %s',
            [grant.hand, table.grant, table.pk],
        )
        assert cursor.rowcount == 1, "a locked table still exists"
