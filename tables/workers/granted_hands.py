"""Granted hands in PostgreSQL: a director that is asked again gives the answer it gave before."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from config.postgres.statements import rows_of
from tables.dealer.grants import Grant
from tables.models import Table

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Grant).decode


def was_played(table: Table, hand: int) -> bool:
    """Return whether a hand is settled: its worker was suspended while others played it.

    The next one may be in play, so that no seat and no chips of the table may change.
    """
    return hand <= table.hand


def stored(table: Table, hand: int) -> Grant | None:
    """Return the grant stored for this hand, or None.

    Its pledges may have been called and opened in a state that is lost: they are left out.
    """
    if table.granted_hand != hand or table.grant is None:
        return None
    kept = _decode(bytes(table.grant))
    return replace(kept, roster=tuple(replace(seat, pledge=b"") for seat in kept.roster))


def keep(table: Table, grant: Grant) -> None:
    """Store the grant of a locked table's next hand."""
    table.granted_hand, table.grant = grant.hand, _encode(grant)
    updated = 'UPDATE tables_table SET granted_hand = %s, "grant" = %s WHERE id = %s RETURNING id'
    kept = rows_of(updated, [grant.hand, table.grant, table.pk])
    assert len(kept) == 1, "a locked table still exists"
