"""Counters counted anew from the records of all hands, compared with the stored ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import structlog
from django.db import connection, transaction

from accounts.models import User
from config.postgres.one_moment import one_moment
from config.sums import add_to
from tables.dealer.record import HandRecord
from tables.models import Hand
from tables.records.archive import ArchiveAway
from tables.records.stored import decode_open
from tables.statistics.counters import NAMES, HandCounters, count_hand
from tables.statistics.models import PlayerCounts

log = structlog.get_logger(__name__)

READ_AT_ONCE = 500


class CountsKey(NamedTuple):
    """Key of a row of counters."""

    user: int
    director: str
    game: int
    variant: str


class CountsDifference(NamedTuple):
    """Row of counters that is not the sum of its hands; None where there is none."""

    key: CountsKey
    stored: HandCounters | None
    recounted: HandCounters | None


def differences() -> list[CountsDifference]:
    """Return every row that differs from its hands, in one snapshot of PostgreSQL.

    A hand with a damaged record is logged and passed over. Raises ArchiveAway.
    """
    with one_moment():
        stored, counted = _stored(), _recounted()
    keys = sorted(stored.keys() | counted.keys())
    return [
        CountsDifference(key, stored.get(key), counted.get(key))
        for key in keys
        if stored.get(key) != counted.get(key)
    ]


def rewrite() -> int:
    """Replace all counters by those of the hands; return the number of rows.

    Hands wait meanwhile: the table is locked against their counting. A hand with a damaged record
    is logged and counts no more. Raises ArchiveAway, in which case nothing has changed.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE statistics_playercounts IN SHARE ROW EXCLUSIVE MODE")
        counted = _recounted()
        PlayerCounts.objects.all().delete()
        rows = [
            PlayerCounts(
                user_id=key.user,
                director=key.director,
                game=key.game,
                variant=key.variant,
                **{name: getattr(counters, name) for name in NAMES},
            )
            for key, counters in counted.items()
        ]
        PlayerCounts.objects.bulk_create(rows, batch_size=1_000)
    return len(rows)


def _stored() -> dict[CountsKey, HandCounters]:
    rows = PlayerCounts.objects.values_list("user", "director", "game", "variant", *NAMES)
    return {CountsKey(*row[:4]): HandCounters(*row[4:]) for row in rows.iterator()}


def _recounted() -> dict[CountsKey, HandCounters]:
    deleted = set(User.objects.filter(deleted_at__isnull=False).values_list("pk", flat=True))
    found: dict[CountsKey, HandCounters] = {}
    for director, hand in _hands():
        for user, counters in count_hand(hand).items():
            if user not in deleted:
                key = CountsKey(user, director, hand.game, hand.setup.rules.variant)
                add_to(found, key, counters)
    return found


def _hands() -> Iterator[tuple[str, HandRecord]]:
    rows = Hand.objects.order_by("pk").values_list("pk", "table__director", "record")
    for hand, director, raw in rows.iterator(chunk_size=READ_AT_ONCE):
        try:
            kept = decode_open(bytes(raw))
        except ArchiveAway:
            raise
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            log.error("damaged record is in no statistics", hand=hand, error=str(error))
            continue
        yield director, kept
