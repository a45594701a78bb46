"""Records of finished hands as they may be shown: without the names of deleted accounts."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from accounts.models import User
from tables.dealer import record
from tables.dealer.record import HandRecord
from tables.models import Hand


def kept_of(row: Hand) -> HandRecord:
    """Return the record of a hand; deleted accounts have their anonymous names in it."""
    return all_kept([row])[0]


def all_kept(rows: Iterable[Hand]) -> list[HandRecord]:
    """Return the records of hands, with one query for the names of deleted accounts.

    Stored records never change: they are the proof of what was played.
    """
    records = [record.decode(bytes(row.record)) for row in rows]
    users = {seat.user for one in records for seat in one.seats}
    deleted = User.objects.filter(pk__in=users, deleted_at__isnull=False)
    names = dict(deleted.values_list("pk", "name"))
    return [_renamed(one, names) for one in records] if names else records


def _renamed(kept: HandRecord, names: dict[int, str]) -> HandRecord:
    seats = (
        msgspec.structs.replace(seat, name=names.get(seat.user, seat.name)) for seat in kept.seats
    )
    return msgspec.structs.replace(kept, seats=tuple(seats))
