"""Condition of the tables now: queues, late wakes, tables rung for repeatedly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from django.conf import settings
from django.utils import timezone
from redis import Redis

from config import clock, redis
from config.celery import all_queues
from config.metrics import Row
from tables.models import Table
from tables.records import hand_months
from tables.store import keys, readable, wakes
from tables.workers import presence
from tables.workers.presence import Worker

RINGS_STUCK = 3
"""Unanswered bells after which a table counts as stuck."""

QUIET_MS = 5_000
"""Silence in ms after which a worker counts as away."""

LOOKED_AT_MAX = 5_000


class Stuck(msgspec.Struct, frozen=True):
    """A member of the due-time set with unanswered bells."""

    member: str
    queue: str
    rings: int


class Condition(msgspec.Struct, frozen=True):
    """Room as its servers report it; `late_ms` is how long the oldest wake is overdue."""

    now_ms: int
    tables: int
    queues: dict[str, int]
    wakes: int
    late_ms: int
    stuck: tuple[Stuck, ...]
    workers: tuple[Worker, ...]

    def is_away(self, worker: Worker) -> bool:
        """Return whether a worker has not been heard of lately."""
        return self.now_ms - worker.seen_ms > QUIET_MS


def read_condition() -> Condition:
    """Read the condition from PostgreSQL and both Redis servers; a hung one fails within a second.

    Who asks wants to know just then which server is away.
    """
    client = redis.room_at_once()
    now_ms = clock.redis_now_ms(client)
    shards = range(settings.SHARDS)
    oldest = [score for shard in shards for score in _first(client, shard)]
    return Condition(
        now_ms=now_ms,
        tables=Table.objects.filter(status=Table.Status.OPEN).count(),
        queues=_queues(redis.broker_at_once()),
        wakes=sum(int(client.zcard(keys.wakes(shard))) for shard in shards),
        late_ms=max((now_ms - int(score) for score in oldest if score < now_ms), default=0),
        stuck=tuple(_stuck(client, shards)),
        workers=tuple(presence.workers(client, now_ms)),
    )


def gauges() -> Iterator[Row]:
    """Yield the condition as rows for Prometheus."""
    now = read_condition()
    yield "room_tables", "Open tables", {}, now.tables
    yield "room_tables_stuck", "Tables nobody answers for", {}, len(now.stuck)
    yield "room_wakes", "Tables and tournaments in the due-time set", {}, now.wakes
    yield "room_wake_late_seconds", "How overdue the oldest wake is", {}, now.late_ms / 1_000
    ahead = hand_months.months_ahead(timezone.now())
    yield "room_hand_months_ahead", "Months to come that have a partition of hands", {}, ahead
    for queue, waiting in now.queues.items():
        yield "room_queue_waiting", "Bells that wait in a queue", {"queue": queue}, waiting
    for worker in now.workers:
        up = float(not now.is_away(worker))
        yield "room_worker_up", "Whether a worker was heard of lately", {"worker": worker.name}, up


def _first(client: Redis, shard: int) -> list[float]:
    # redis-py types this answer for all protocols and options of the command at once.
    found: Any = client.zrange(keys.wakes(shard), 0, 0, withscores=True)
    return [float(score) for _, score in found]


def _queues(client: Redis) -> dict[str, int]:
    names = all_queues()
    with client.pipeline(transaction=False) as pipe:
        for name in names:
            pipe.llen(name)
        return dict(zip(names, map(int, pipe.execute()), strict=True))


def _stuck(client: Redis, shards: Iterable[int]) -> Iterator[Stuck]:
    for shard in shards:
        members = wakes.members(client, shard, LOOKED_AT_MAX)
        with client.pipeline(transaction=False) as pipe:
            for member in members:
                pipe.hget(keys.state(member, settings.SHARDS), "rings")
                pipe.hget(keys.state(member, settings.SHARDS), "desk")
            answers = pipe.execute(raise_on_error=False)
        for member, rings, queue in zip(members, answers[::2], answers[1::2], strict=True):
            if readable.count(rings) >= RINGS_STUCK:
                yield Stuck(member, (queue or b"").decode(), readable.count(rings))
