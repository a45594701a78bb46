"""The outbox: events written in the transaction of their fact, published in order after commit."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import timedelta

import msgspec
from django.db import connection, transaction
from django.utils import timezone

from config import redis
from tables.engine.events import Event
from tables.store import streams
from tournaments.models import Announcement, StreamHead

_json = msgspec.json.Encoder().encode

PUBLISH_BATCH = 1_000
PIPELINED = 200
KEPT = timedelta(days=30)
LOBBY = "lobby"


def tournament(tournament_id: int) -> str:
    """The stream of a tournament."""
    return f"tournament:{tournament_id}"


def user(user_id: int) -> str:
    """The stream of a user's notices."""
    return f"user:{user_id}"


class Outbox:
    """Collects what one transaction has to tell; `write` is its last statement.

    Writing once, at the end, takes the streams' row locks in one order, so that transactions
    with players in common cannot wait for each other in a circle.
    """

    def __init__(self) -> None:
        self._told: dict[str, list[bytes]] = defaultdict(list)

    def tell(self, stream: str, event: Event) -> None:
        """Say one event on a stream, after what was said before on it."""
        self._told[stream].append(_json(event))

    def write(self) -> None:
        """Number and store everything, and publish it as soon as the transaction commits."""
        assert connection.in_atomic_block, "an announcement belongs to the transaction of its fact"
        if not self._told:
            return
        counts = Counter({stream: len(told) for stream, told in self._told.items()})
        heads = _advance_heads(counts)
        Announcement.objects.bulk_create(
            (
                Announcement(stream=stream, seq=seq, payload=payload)
                for stream, told in self._told.items()
                for seq, payload in enumerate(told, start=heads[stream] - len(told) + 1)
            ),
            batch_size=1_000,
        )
        told_streams = sorted(self._told)
        self._told.clear()
        transaction.on_commit(lambda: publish(told_streams), robust=True)


def publish(told_streams: Iterable[str]) -> int:
    """Publish what these streams have not seen yet, in order; safe to run twice at once."""
    rows = Announcement.objects.filter(stream__in=list(told_streams), published=False)
    return _publish(rows.order_by("stream", "seq"))


def publish_rest() -> int:
    """Publish what a process that died after its commit left behind; how many there were."""
    rest = Announcement.objects.filter(published=False).order_by("stream", "seq")
    return _publish(rest[:PUBLISH_BATCH])


def prune() -> int:
    """Forget what was told so long ago that nobody asks for it; how many rows that were."""
    old = Announcement.objects.filter(published=True, at__lt=timezone.now() - KEPT)
    return old.delete()[0]


def head(stream: str) -> int:
    """The number of the last event of a stream; 0 before the first."""
    found = StreamHead.objects.filter(stream=stream).values_list("seq", flat=True).first()
    return found or 0


def _publish(rows: Iterable[Announcement]) -> int:
    """Publish rows in their order, many in one round trip; what is there already stays once."""
    client = redis.room()
    told = list(rows)
    for start in range(0, len(told), PIPELINED):
        batch = told[start : start + PIPELINED]
        pipe = client.pipeline(transaction=False)
        for row in batch:
            streams.publish(pipe, row.stream, row.seq, bytes(row.payload))
        for answer in pipe.execute(raise_on_error=False):
            if isinstance(answer, Exception) and "equal or smaller" not in str(answer):
                raise answer
        Announcement.objects.filter(pk__in=[row.pk for row in batch]).update(published=True)
    return len(told)


def _advance_heads(counts: Counter[str]) -> dict[str, int]:
    names = sorted(counts)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO tournaments_streamhead AS h (stream, seq)"
            " SELECT stream, seq FROM unnest(%s::text[], %s::bigint[]) AS v(stream, seq)"
            " ORDER BY stream"
            " ON CONFLICT (stream) DO UPDATE SET seq = h.seq + excluded.seq"
            " RETURNING h.stream, h.seq",
            [names, [counts[name] for name in names]],
        )
        return dict(cursor.fetchall())
