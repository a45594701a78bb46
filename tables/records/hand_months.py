"""Monthly partitions of hands: the month is in a hand's key, so that queries name few of them.

A key is YYMM * 10^10 + a number that counts on, after the UTC clock of PostgreSQL; the database
gives it (`hand_key()`). Hands from before partitions have keys below 10^10.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

import structlog
from django.db import DatabaseError, connection, transaction
from django.db.models import F, Max, Min, Q
from django.utils import timezone

from config.door.rates import Rate
from tables.models import Hand, Table

KEYS_OF_MONTH = 10**10
AHEAD = 3
"""Months after this one whose partitions are made before they begin."""

HOURLY = Rate("hand-months", burst=1, per_minute=1 / 60)

_SLACK = timedelta(days=1)
"""Difference of clocks: a table is opened by one machine, its hands get their keys from another."""
_CENTURY = 2000

log = structlog.get_logger(__name__)


def first_key(moment: datetime) -> int:
    """Return the lowest key of the hands of a moment's month (UTC)."""
    month = moment.astimezone(UTC)
    return ((month.year - _CENTURY) * 100 + month.month) * KEYS_OF_MONTH


def key_before(end: int, months: int) -> int:
    """Return the lowest key of so many months up to the one in which the keys below `end` end.

    0 where these reach back to hands from before partitions.
    """
    year, month = divmod((end - 1) // KEYS_OF_MONTH, 100)
    year, month = divmod(year * 12 + month - months, 12)
    return max(0, (year * 100 + month + 1) * KEYS_OF_MONTH)


def of_table(table: Table) -> Q:
    """Return the condition of a table's hands that names the months in which it was open."""
    return Q(table=table) & between(table.opened_at, table.closed_at)


def of_game(director: str, game: int) -> Q:
    """Return the condition of a game's hands that names the months of its tables; one query."""
    tables = Table.objects.filter(director=director, game=game)
    months = tables.aggregate(
        first=Min("opened_at"), last=Max("closed_at"), open=Min("pk", filter=Q(closed_at=None))
    )
    if months["first"] is None:
        return Q(pk__in=[])
    last = months["last"] if months["open"] is None else None
    return Q(table__director=director, table__game=game) & between(months["first"], last)


def last_key(director: str, game: int) -> int:
    """Return the key of the hand that a game settled last; 0 before the first.

    A list of the newest hands that begins there reads none of the hands that others played later.
    """
    last_ones = Hand.objects.filter(of_game(director, game), number=F("table__hand"))
    return last_ones.aggregate(last=Max("pk"))["last"] or 0


def of_tables(tables: Collection[int]) -> Q:
    """Return the condition of the hands of some tables that names their months; one query."""
    opened = Table.objects.filter(pk__in=tables).aggregate(first=Min("opened_at"))["first"]
    return Q(pk__in=[]) if opened is None else Q(table__in=tables) & between(opened, None)


def between(first: datetime, last: datetime | None) -> Q:
    """Return the condition of keys in the months of two moments, and from before; None is now."""
    known = Q(pk__lt=KEYS_OF_MONTH) | Q(pk__gte=first_key(first - _SLACK))
    return known & Q(pk__lt=end_key(last or timezone.now()))


def end_key(moment: datetime) -> int:
    """Return a key above those of all hands up to a moment.

    Lists that end below it are read month by month, and no further than they go.
    """
    end = (moment + _SLACK).astimezone(UTC)
    return first_key((end.replace(day=1) + timedelta(days=32)).replace(day=1))


def make(ahead: int = AHEAD) -> int:
    """Make the missing partitions of this month and of those ahead; return their number.

    Raises DatabaseError where play holds the locks of tables for a second; nothing is made then.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT make_hand_months(%s)", [ahead])
        made = int(cursor.fetchone()[0])
    if made:
        log.info("partitions of hands made", months=made)
    return made


def make_hourly() -> int:
    """Make missing partitions at most once an hour; return their number."""
    return make_soon() if HOURLY.take("room") == 0.0 else 0


def make_soon() -> int:
    """Make missing partitions; a failure is logged, and the next hour tries again."""
    try:
        return make()
    except DatabaseError:
        log.warning("partitions of hands not made", exc_info=True)
        return 0


def months() -> list[int]:
    """Return the months that have a partition, as 202612, in order."""
    with connection.cursor() as cursor:
        cursor.execute(_MONTHS)
        return sorted(int(month) for (month,) in cursor.fetchall())


def months_ahead(now: datetime) -> int:
    """Return how many months after this one have a partition without a gap; -1 if this has none."""
    known, ahead = set(months()), -1
    month = now.astimezone(UTC)
    number = month.year * 12 + month.month - 1
    while (number // 12) * 100 + number % 12 + 1 in known:
        number, ahead = number + 1, ahead + 1
    return ahead


_MONTHS = """
SELECT right(c.relname, 6)
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
 WHERE i.inhparent = 'tables_hand'::regclass AND c.relname ~ '^tables_hand_[0-9]{6}$'
"""
