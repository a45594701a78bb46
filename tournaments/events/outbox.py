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

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q
from redis.exceptions import RedisError

from accounts.retention.rows import AgingRows
from config import limits, redis
from tables.store import keys, streams
from tournaments.models import Announcement, StreamHead

log = structlog.get_logger(__name__)

PUBLISH_BATCH = 1_000
PIPELINED = 200
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
    heads = _advance_heads({stream: len(payloads) for stream, payloads in told.items()})
    Announcement.objects.bulk_create(
        (
            Announcement(stream=stream, seq=seq, payload=payload)
            for stream, payloads in told.items()
            for seq, payload in enumerate(payloads, start=heads[stream] - len(payloads) + 1)
        ),
        batch_size=1_000,
    )
    names = sorted(told)
    transaction.on_commit(lambda: publish(names), robust=True)


def publish(told_streams: Iterable[str]) -> int:
    """Publish the unpublished events of these streams in order; safe to run concurrently."""
    rows = Announcement.objects.filter(stream__in=list(told_streams), published=False)
    return _publish(rows.order_by("stream", "seq"))


def publish_rest() -> int:
    """Publish events left behind by a process that died after its commit; return their number.

    A shard that does not answer is left to the next call: the tick that calls goes on.
    """
    rest = Announcement.objects.filter(published=False).order_by("stream", "seq")
    try:
        return _publish(rest[:PUBLISH_BATCH])
    except RedisError as error:
        log.warning("events not published yet", error=str(error))
        return 0


def prune() -> int:
    """Delete published events older than `KEPT`; return the number of rows."""
    return ANNOUNCEMENTS.prune()


def head(stream: str) -> int:
    """Return the number of the last event of a stream; 0 before the first."""
    seq = StreamHead.objects.filter(stream=stream).values_list("seq", flat=True).first()
    return seq or 0


def _publish(rows: Iterable[Announcement]) -> int:
    """Publish rows in order, in pipelined batches; an event already in Redis is skipped.

    Raises RedisError when a shard does not answer, after the events of the others are published.
    """
    by_shard: dict[int, list[Announcement]] = {}
    for row in rows:
        by_shard.setdefault(keys.shard(row.stream, settings.SHARDS), []).append(row)
    failed: RedisError | None = None
    for pending in by_shard.values():
        try:
            for start in range(0, len(pending), PIPELINED):
                _publish_batch(pending[start : start + PIPELINED])
        except RedisError as error:
            failed = error
    if failed is not None:
        raise failed
    return sum(map(len, by_shard.values()))


def _publish_batch(batch: list[Announcement]) -> None:
    pipe = redis.room().pipeline(transaction=False)
    for row in batch:
        streams.publish(pipe, row.stream, row.seq, bytes(row.payload))
    for stream in {row.stream for row in batch}:
        pipe.expire(keys.events(stream, settings.SHARDS), limits.STREAM_KEPT_S)
    for answer in pipe.execute(raise_on_error=False):
        if isinstance(answer, Exception) and not streams.is_repeated(answer):
            raise answer
    Announcement.objects.filter(pk__in=[row.pk for row in batch]).update(published=True)


def _advance_heads(counts: Mapping[str, int]) -> dict[str, int]:
    # All tournaments share the lobby's head: it is locked last, so that no transaction holds it
    # while it waits for another lock.
    names = sorted(counts, key=lambda name: (name == LOBBY, name))
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO tournaments_streamhead AS h (stream, seq)"
            " SELECT stream, seq"
            " FROM unnest(%s::text[], %s::bigint[]) WITH ORDINALITY AS v(stream, seq, position)"
            " ORDER BY position"
            " ON CONFLICT (stream) DO UPDATE SET seq = h.seq + excluded.seq"
            " RETURNING h.stream, h.seq",
            [names, [counts[name] for name in names]],
        )
        return dict(cursor.fetchall())
