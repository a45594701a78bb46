"""Timer of every worker: leases what is due and rings; adopts a restarted Redis.

The timers that adopt publish the key that signs calls, once, before their first sweep.
"""

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

from config import limits
from config.celery import SETTLE
from config.heartbeat import heart
from config.process import durable
from config.redis import room
from tables.models import ShardGeneration
from tables.store import keys, wakes
from tables.workers import bells, other_rooms, presence, recovery, sealing
from tables.workers.presence import Worker

log = structlog.get_logger(__name__)

PRESENCE_MS = 1_000
"""Interval in ms at which a worker reports that it is alive."""

AGAIN_MS = 200
"""Pause after a failure, in ms."""

STOP_S = 1.0
"""Longest wait in s for a sweep in progress when a worker stops."""

POLL_MS = 50
"""Longest sleep between two sweeps, in ms; a wake may be set for sooner meanwhile."""


class Timer:
    """Sweep all shards until stopped; only workers of the settle queue may adopt (PostgreSQL)."""

    def __init__(
        self, redis: Redis, *, adopts: bool, worker: str = "", queues: Iterable[str] = ()
    ) -> None:
        self._redis = redis
        self._adopts = adopts
        self._worker = worker
        self._queues = tuple(sorted(queues))
        self._room = ""
        self._told_ms: dict[int, int] = {}
        self._begun: set[int] = set()
        self._trusted: dict[int, str] = {}
        self._now_ms: dict[int, int] = {}
        self._threads: list[threading.Thread] = []
        self._stopping = threading.Event()

    def start(self) -> None:
        """Start sweeping: one thread for each shard, so that a lost one delays no other."""
        for shard in range(settings.SHARDS):
            thread = threading.Thread(
                target=self._run, args=[shard], name=f"timer {shard}", daemon=True
            )
            thread.start()
            self._threads.append(thread)
        if self._adopts:
            marking = threading.Thread(target=self._mark_broker, name="broker mark", daemon=True)
            marking.start()
            self._threads.append(marking)

    def stop(self) -> None:
        """Stop after the sweep in progress, and leave the list of workers."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(STOP_S)  # a report after this one would put the worker on the list again
        presence.forget_or_log(self._redis, self._worker)

    def _run(self, shard: int) -> None:
        sleep_ms = 0
        while not self._stopping.wait(sleep_ms / 1000):
            try:
                heart.beat()  # before PostgreSQL is asked: who waits for it is alive
                self._begin(shard)
                sleep_ms = self.sweep(shard)
                self._tell_presence(shard)
            except (RedisError, DatabaseError, OSError) as error:
                # Forget which generation is trusted: after a broken connection another Redis may
                # answer.
                self._trusted.pop(shard, None)
                log.warning("timer interrupted", shard=shard, error=str(error))
                sleep_ms = AGAIN_MS
            except Exception:
                log.exception("timer failed")
                sleep_ms = AGAIN_MS

    def _begin(self, shard: int) -> None:
        """Publish the key that signs calls and say which server may forget; once, if it adopts.

        Reports of workers that ended long ago go then.
        """
        if self._adopts and shard not in self._begun:
            close_old_connections()
            sealing.publish_call_key()
            presence.forget_old(self._redis, shard, wakes.now_ms(self._redis, shard))
            self._room = other_rooms.own_name()
            for advice in (
                durable.advice_on_database(),
                durable.advice_on_redis(self._redis, keys.tag(shard)),
            ):
                if advice:
                    log.warning("a server may forget", advice=advice)
            close_old_connections()
            self._begun.add(shard)

    def sweep(self, shard: int) -> int:
        """Ring for everything due in a shard; return the time to sleep, in ms."""
        # 1. Adopt the shard before its first sweep: its data may be older than PostgreSQL.
        if self._adopts and shard not in self._trusted:
            self._adopt(shard)
        # 2. Lease what is due; nothing before this run of Redis is adopted.
        swept = wakes.sweep(self._redis, shard)
        self._now_ms[shard] = swept.now_ms
        # 3. Adopt at the next sweep when this run of Redis, or this generation, is not adopted.
        if self._adopts and swept.generation != self._trusted.get(shard):
            self._trusted.pop(shard, None)
        # 4. Ring. A queue with too many waiting bells gets no second bell for a member.
        again = {bells.queue(due.member, due.kind) for due in swept.due if due.rings > 1}
        crowded = {queue for queue in again if bells.is_crowded(queue)}
        for due in swept.due:
            if due.rings > 1 and bells.queue(due.member, due.kind) in crowded:
                continue  # the first bell of the member still waits there
            if not bells.ring(due.member, due.kind):
                # the broker is unreachable; the leases end in a second, then everything rings again
                break
        # 5. Sleep until the next wake, but no longer than POLL_MS: it may be moved forward.
        if swept.next_ms is None:
            return POLL_MS
        return max(1, min(POLL_MS, swept.next_ms - swept.now_ms))

    def _tell_presence(self, shard: int) -> None:
        if heart.is_stuck:
            return  # nobody answers this worker's bells
        now_ms = self._now_ms[shard]
        if self._worker and not 0 <= now_ms - self._told_ms.get(shard, 0) < PRESENCE_MS:
            self._told_ms[shard] = now_ms
            divided = (settings.SHARDS, settings.PLAY_QUEUES)
            report = Worker(self._worker, self._queues, now_ms, self._room, *divided)
            presence.note(self._redis, report, shard)

    def _mark_broker(self) -> None:
        """Name this room in the broker once a second; no sweep waits for it."""
        while not self._stopping.wait(PRESENCE_MS / 1_000):
            try:
                if self._room and not heart.is_stuck:
                    other_rooms.mark_broker(self._room)
            except (RedisError, OSError) as error:
                log.debug("broker not marked", error=str(error))

    def _adopt(self, shard: int) -> None:
        try:
            recovery.adopt(self._redis, shard)
            # none while another process adopts a new room for the first time
            row = ShardGeneration.objects.filter(shard=shard).first()
            if row is not None:
                self._trusted[shard] = row.generation
        finally:
            close_old_connections()


class TimerStep(bootsteps.StartStopStep):
    """Start a timer with every Celery worker."""

    requires = ("celery.worker.components:Pool",)

    def __init__(self, parent: WorkController, **options: object) -> None:
        super().__init__(parent, **options)
        self._timer: Timer | None = None

    def start(self, parent: WorkController) -> None:
        """Start the timer when Celery has started the worker."""
        queues = parent.app.amqp.queues.consume_from
        name = str(parent.hostname)  # type: ignore[attr-defined]  # not in the stubs of Celery
        self._timer = Timer(room(), adopts=SETTLE in queues, worker=name, queues=queues)
        self._timer.start()

    def stop(self, parent: WorkController) -> None:
        """Stop the timer when Celery stops the worker."""
        if self._timer is not None:
            self._timer.stop()


assert POLL_MS * 4 < limits.BEAT_GAP_MS
