"""Transactional outbox: events are written with their fact and published in order after the commit.

1. `write` numbers the events of a stream under the row lock of its head, and stores them in
   the transaction of the fact.
2. After the commit `publish` sends them to Redis in order; Redis refuses a number it already has,
   so publishing twice is harmless.
3. Events of a process that died between 1 and 2 are published by the next tick (`publish_rest`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone
from redis.exceptions import RedisError

from accounts.retention.rows import AgingRows
from config import limits, redis
from config.postgres.statements import ANY_TEXT, BuiltOnce
from tables.store import keys, streams
from tournaments.models import Announcement, StreamHead

log = structlog.get_logger(__name__)

PUBLISH_BATCH = 1_000
TOGETHER = 100
"""Events of one script: Redis does nothing else meanwhile."""
KEPT = timedelta(days=30)
LOBBY = "lobby"

ANNOUNCEMENTS = AgingRows("announcements", Announcement, "at", lambda: KEPT, only=Q(published=True))


def tournament(tournament_id: int) -> str:
    """Return the name of a tournament's stream."""
    return f"tournament:{tournament_id}"


def user(user_id: int) -> str:
    """Return the name of a user's stream of notices."""
    return f"user:{user_id}"


def write(told: Mapping[str, Sequence[bytes]]) -> None:
    """Number and store encoded events by stream; publish them as soon as the transaction commits.

    Called once, as the last statement of a transaction (`UnitOfWork.write`): the heads of all
    streams are locked in one order, so that transactions with common players cannot deadlock.
    """
    assert connection.in_atomic_block, "events are written in the transaction of their fact"
    if not told:
        return
    # All tournaments share the lobby's head: it is locked last, so that no transaction holds it
    # while it waits for another lock.
    names = sorted(told, key=lambda name: (name == LOBBY, name))
    rows = [
        (name, behind, payload)
        for name in names
        for behind, payload in zip(range(len(told[name]) - 1, -1, -1), told[name], strict=True)
    ]
    of, behind, payloads = (list(column) for column in zip(*rows, strict=True))
    with connection.cursor() as cursor:
        cursor.execute(
            _WRITE,
            {
                "names": names,
                "counts": [len(told[name]) for name in names],
                "streams": of,
                "behind": behind,
                "payloads": payloads,
                "at": timezone.now(),
            },
        )
        assert cursor.rowcount == len(rows), "every event is stored"
    transaction.on_commit(lambda: publish(names), robust=True)


def publish(told_streams: Iterable[str]) -> int:
    """Publish the unpublished events of these streams in order; safe to run concurrently."""
    return _publish(_unpublished("stream = ANY(%s)", [list(told_streams)]))


def publish_rest() -> int:
    """Publish events left behind by a process that died after its commit; return their number.

    A shard that does not answer is left to the next call: the tick that calls goes on.
    """
    try:
        return _publish(_unpublished("true", [], f"LIMIT {PUBLISH_BATCH}"))
    except RedisError as error:
        log.warning("events not published yet", error=str(error))
        return 0


def prune() -> int:
    """Delete published events older than `KEPT`; return the number of rows."""
    return ANNOUNCEMENTS.prune()


def head(stream: str) -> int:
    """Return the number of the last event of a stream; 0 before the first."""
    return _HEAD.first(stream) or 0


class _Unpublished(NamedTuple):
    """An event that is stored and not published yet."""

    pk: int
    stream: str
    seq: int
    payload: bytes


def _unpublished(which: str, values: Sequence[Any], limit: str = "") -> list[_Unpublished]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, stream, seq, payload FROM tournaments_announcement"
            f" WHERE {which} AND NOT published ORDER BY stream, seq {limit}",  # nosec B608
            values,
        )
        return [_Unpublished(*row) for row in cursor.fetchall()]


def _publish(rows: Iterable[_Unpublished]) -> int:
    """Publish rows in order, in batches; an event already in Redis is skipped.

    Raises RedisError when a shard does not answer, after the events of the others are published.
    """
    by_shard: dict[int, list[_Unpublished]] = {}
    for row in rows:
        by_shard.setdefault(keys.shard(row.stream, settings.SHARDS), []).append(row)
    failed: RedisError | None = None
    for pending in by_shard.values():
        try:
            for start in range(0, len(pending), TOGETHER):
                _publish_batch(pending[start : start + TOGETHER])
        except RedisError as error:
            failed = error
    if failed is not None:
        raise failed
    return sum(map(len, by_shard.values()))


def _publish_batch(batch: Sequence[_Unpublished]) -> None:
    """Append events of one shard to their streams in one script, and note that they are there."""
    facts = [streams.Fact(row.stream, row.seq, bytes(row.payload)) for row in batch]
    streams.publish_all(redis.room(), facts, kept_s=limits.STREAM_KEPT_S)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tournaments_announcement SET published = true WHERE id = ANY(%s)",
            [[row.pk for row in batch]],
        )


_WRITE = """
WITH h AS (
  INSERT INTO tournaments_streamhead AS h (stream, seq)
  SELECT stream, count
    FROM unnest(%(names)s::text[], %(counts)s::bigint[])
         WITH ORDINALITY AS v(stream, count, position)
   ORDER BY position
  ON CONFLICT (stream) DO UPDATE SET seq = h.seq + excluded.seq
  RETURNING h.stream, h.seq
)
INSERT INTO tournaments_announcement (stream, seq, payload, published, at)
SELECT h.stream, h.seq - v.behind, v.payload, false, %(at)s
  FROM unnest(%(streams)s::text[], %(behind)s::bigint[], %(payloads)s::bytea[])
       AS v(stream, behind, payload)
  JOIN h USING (stream)
"""


_HEAD = BuiltOnce(
    lambda name: StreamHead.objects.filter(stream=name).values_list("seq", flat=True), ANY_TEXT
)
