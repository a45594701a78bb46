"""The timer that runs in every worker: leases what is due and rings; adopts a new Redis."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import structlog
from celery import bootsteps
from celery.worker import WorkController
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import close_old_connections
from redis import Redis
from redis.exceptions import RedisError

from config import entropy, limits
from config.celery import SETTLE
from config.redis import room
from tables.models import ShardGeneration
from tables.store import wakes
from tables.workers import bells, presence, recovery
from tables.workers.presence import Worker

log = structlog.get_logger(__name__)

PRESENCE_MS = 1_000
"""A worker says this often that it lives."""

AGAIN_MS = 200
"""Sleep after a failure."""

POLL_MS = 50
"""Longest sleep between two looks at the due-time set; a wake may be set for sooner meanwhile."""


class Timer:
    """Sweeps all shards until stopped; only workers of the settle desk may adopt (PostgreSQL)."""

    def __init__(
        self, redis: Redis, *, adopts: bool, worker: str = "", queues: Iterable[str] = ()
    ) -> None:
        self._redis = redis
        self._adopts = adopts
        self._worker = worker
        self._queues = tuple(sorted(queues))
        self._told_ms = 0
        self._trusted: dict[int, str] = {}
        self._name = entropy.name()
        # The last sweep of each shard in each of its generations: when by Redis' clock, and how
        # many by then. Data of an older generation may come back, and the newer after it.
        self._swept: dict[int, dict[str, wakes.Sweep]] = {}
        self._now_ms = 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="timer", daemon=True)

    def start(self) -> None:
        """Begin to sweep in a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the sweep under way."""
        self._stopping.set()

    def _run(self) -> None:
        sleep_ms = 0
        while not self._stopping.wait(sleep_ms / 1000):
            try:
                sleep_ms = min(self.sweep(shard) for shard in range(settings.SHARDS))
                self._tell_presence()
            except (RedisError, DatabaseError, OSError) as error:
                # Forget what was trusted: after a broken line it may be another Redis.
                self._trusted.clear()
                log.warning("timer interrupted", error=str(error))
                sleep_ms = AGAIN_MS
            except Exception:
                log.exception("timer failed")
                sleep_ms = AGAIN_MS

    def sweep(self, shard: int) -> int:
        """Ring for everything due in a shard; how long to sleep, in ms."""
        if self._adopts and shard not in self._trusted:
            self._adopt(shard)
        found = self._sweep(shard)
        if found.generation is not None and self._was_set_back(shard, found.generation, found):
            log.warning("redis was set back", shard=shard)
            wakes.distrust(self._redis, shard, found.generation)
            found = self._sweep(shard)
        self._now_ms = found.now_ms
        if found.generation is not None:
            self._remember(shard, found.generation, found)
        if self._adopts and found.generation != self._trusted.get(shard):
            self._trusted.pop(shard, None)
        again = {due.desk for due in found.due if due.rings > 1}
        crowded = {desk for desk in again if bells.is_crowded(desk)}
        for due in found.due:
            if due.rings > 1 and due.desk in crowded:
                continue  # its first bell still waits there
            if not bells.ring(due.member, due.desk, due.rings):
                break  # the broker is away: what was leased is due again in a second
        if found.next_ms is None:
            return POLL_MS
        return max(1, min(POLL_MS, found.next_ms - found.now_ms))

    def _sweep(self, shard: int) -> wakes.Sweep:
        before = self._swept.get(shard, {})
        knew = {generation: sweep.count for generation, sweep in before.items()}
        return wakes.sweep(self._redis, shard, self._name, knew=knew)

    def _was_set_back(self, shard: int, generation: str, found: wakes.Sweep) -> bool:
        """Whether Redis forgot sweeps of this timer, whoever swept since, whatever its clock."""
        before = self._swept.get(shard, {}).get(generation)
        return before is not None and _recent(before, found) and found.count < before.count

    def _remember(self, shard: int, generation: str, found: wakes.Sweep) -> None:
        before = self._swept.get(shard, {})
        kept = {name: sweep for name, sweep in before.items() if _recent(sweep, found)}
        self._swept[shard] = {**kept, generation: found}

    def _tell_presence(self) -> None:
        if self._worker and not 0 <= self._now_ms - self._told_ms < PRESENCE_MS:
            self._told_ms = self._now_ms
            presence.note(self._redis, Worker(self._worker, self._queues, self._now_ms))

    def _adopt(self, shard: int) -> None:
        try:
            recovery.adopt(self._redis, shard)
            row = ShardGeneration.objects.get(shard=shard)
            self._trusted[shard] = row.generation
        finally:
            close_old_connections()


def _recent(before: wakes.Sweep, found: wakes.Sweep) -> bool:
    return found.now_ms - before.now_ms < limits.SWEEPS_REMEMBERED_MS


class TimerStep(bootsteps.StartStopStep):
    """Starts a timer with every Celery worker."""

    requires = {"celery.worker.components:Pool"}

    def __init__(self, parent: WorkController, **options: object) -> None:
        super().__init__(parent, **options)
        self._timer: Timer | None = None

    def start(self, parent: WorkController) -> None:
        """Celery started the worker."""
        queues = parent.app.amqp.queues.consume_from
        name = str(parent.hostname)
        self._timer = Timer(room(), adopts=SETTLE in queues, worker=name, queues=queues)
        self._timer.start()

    def stop(self, parent: WorkController) -> None:
        """Celery stops the worker."""
        if self._timer is not None:
            self._timer.stop()


assert POLL_MS * 4 < limits.BEAT_GAP_MS
