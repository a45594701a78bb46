"""Records of finished hands as they may be shown: without the names of deleted accounts."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from accounts.models import User
from tables.dealer.record import HandRecord
from tables.models import Hand
from tables.records import stored


def kept_of(row: Hand, user: int | None = None) -> HandRecord:
    """Return the record of a hand as a user may know it (None: the public).

    Deleted accounts have their anonymous names in it.
    """
    return all_kept([row], user)[0]


def all_kept(rows: Iterable[Hand], user: int | None = None) -> list[HandRecord]:
    """Return the records of hands, with one query for the names of deleted accounts.

    Stored records never change: they are the proof of what was played.
    """
    return _named([_of(row, stored.decode_seen(bytes(row.record), user)) for row in rows])


def all_whole(rows: Iterable[Hand]) -> list[HandRecord]:
    """Return the records of hands with all cards, where this process holds the record key.

    Raises NoMonthKey.
    """
    return _named([whole_of(row) for row in rows])


def whole_of(row: Hand) -> HandRecord:
    """Return the record of a hand with all cards, as it was written; raises NoMonthKey."""
    return _of(row, stored.decode(bytes(row.record)))


def _of(row: Hand, kept: HandRecord) -> HandRecord:
    if (kept.table, kept.hand, kept.epoch) != (row.table_id, row.number, row.epoch):
        raise stored.DamagedRecord(f"the record of table {kept.table} hand {kept.hand}")
    return kept


def _named(records: list[HandRecord]) -> list[HandRecord]:
    users = {seat.user for one in records for seat in one.seats}
    deleted = User.objects.filter(pk__in=users, deleted_at__isnull=False)
    names = dict(deleted.values_list("pk", "name"))
    return [_renamed(one, names) for one in records] if names else records


def _renamed(kept: HandRecord, names: dict[int, str]) -> HandRecord:
    seats = (
        msgspec.structs.replace(seat, name=names.get(seat.user, seat.name)) for seat in kept.seats
    )
    return msgspec.structs.replace(kept, seats=tuple(seats))
