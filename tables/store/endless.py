"""Keys of the room's Redis without an expiry that nothing writes to any more.

Streams of facts expire some time after their last event, and keys of a table after its end. Streams
of releases before, and tables that were closed while Redis was away, have keys without a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice

from django.conf import settings

from accounts.retention.kinds import KindSurvey
from config import limits
from config.redis import room
from tables.models import Table
from tables.store import keys

KEYS_AT_ONCE = 500
"""Keys of one trip to Redis."""

CLOSED_FOR = timedelta(days=1)
"""Time since the end of a table after which none of its keys is in use."""


class EndlessStreams:
    """Streams of tournaments, users, clubs and the lobby that have no expiry.

    Pruning gives them the one that every stream gets with its next event.
    """

    name, unit, setting = "redis-streams", "keys", ""
    kept = f"{limits.STREAM_KEPT_S // 86_400} days after the last event"

    def survey(self, now: datetime) -> KindSurvey:
        """Count the streams, and those without an expiry."""
        found = list(_keys("*:events", without="table:"))
        return KindSurvey(len(found), "", len(_without_expiry(found)))

    def prune(self, now: datetime, most: int) -> int:
        """Give some streams an expiry; return their number."""
        found = _without_expiry(_keys("*:events", without="table:"))
        return _expire(islice(found, most), limits.STREAM_KEPT_S)


class ClosedTables:
    """Keys of tables that were closed more than a day ago and have no expiry."""

    name, unit, setting = "redis-tables", "keys", ""
    kept = f"{keys.KEY_LIFETIME_S // 3_600} hours after the end"

    def survey(self, now: datetime) -> KindSurvey:
        """Count the keys of tables, and those of closed ones without an expiry."""
        found = list(_keys("table:*"))
        return KindSurvey(len(found), "", len(_closed(found, now)))

    def prune(self, now: datetime, most: int) -> int:
        """Give some keys an expiry; return their number."""
        return _expire(islice(_closed(list(_keys("table:*")), now), most), keys.KEY_LIFETIME_S)


def _keys(pattern: str, *, without: str = "\0") -> Iterator[str]:
    """Yield the keys of all shards that fit a pattern after their tag, each once."""
    seen: set[str] = set()
    tags = {keys.tag(shard) for shard in range(settings.SHARDS)}
    for raw in room().scan_iter(match="{*}:" + pattern, count=KEYS_AT_ONCE):
        key = raw.decode()
        tag, _, rest = key.partition(":")
        if f"{tag}:" in tags and not rest.startswith(without) and key not in seen:
            seen.add(key)
            yield key


def _closed(found: list[str], now: datetime) -> list[str]:
    """Return the keys without an expiry of tables that were closed a day ago."""
    tables: dict[str, int] = {}
    for key in found:
        number = key.split(":")[2]
        if number.isdecimal():
            tables[key] = int(number)
    over: set[int] = set()
    every = sorted(set(tables.values()))
    for first in range(0, len(every), KEYS_AT_ONCE):
        rows = Table.objects.filter(
            pk__in=every[first : first + KEYS_AT_ONCE],
            status=Table.Status.CLOSED,
            closed_at__lt=now - CLOSED_FOR,
        )
        over.update(rows.values_list("pk", flat=True))
    return _without_expiry([key for key, table in tables.items() if table in over])


def _without_expiry(found: Iterator[str] | list[str]) -> list[str]:
    rest = iter(found)
    endless: list[str] = []
    while some := list(islice(rest, KEYS_AT_ONCE)):
        pipe = room().pipeline(transaction=False)
        for key in some:
            pipe.ttl(key)
        endless += [key for key, ttl in zip(some, pipe.execute(), strict=True) if ttl == -1]
    return endless


def _expire(found: Iterator[str], lifetime_s: int) -> int:
    """Give keys an expiry unless they have one; return how many got it."""
    given = 0
    while some := list(islice(found, KEYS_AT_ONCE)):
        pipe = room().pipeline(transaction=False)
        for key in some:
            pipe.expire(key, lifetime_s, nx=True)
        given += sum(pipe.execute())
    return given
