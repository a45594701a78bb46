"""Presence of workers: each reports every second that it is alive and which queues it serves.

The processes of slow outside services and of cards-up streams report, too; they have no queues.
"""

from __future__ import annotations

import os
from socket import gethostname

import msgspec
import structlog
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from config import clock
from config.redis import room
from tables.store import keys

log = structlog.get_logger(__name__)

FORGOTTEN_MS = 3_600_000


class Worker(msgspec.Struct, frozen=True):
    """A worker, the queues it serves, its last sign of life (room's clock, ms), and its room.

    Workers that adopt name their room (`other_rooms.py`); of others it is "". `shards` and
    `play_queues` are the settings by which a worker of queues finds keys and queues, else 0.
    """

    name: str
    queues: tuple[str, ...]
    seen_ms: int
    room: str = ""
    shards: int = 0
    play_queues: int = 0


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Worker).decode


def note(redis: Redis, worker: Worker, shard: int = 0) -> None:
    """Report to a shard that a worker is alive."""
    redis.hset(keys.workers(shard), worker.name, _encode(worker))


def report(kind: str) -> None:
    """Report a process of a kind without queues as alive; log a Redis that does not answer."""
    try:
        redis = room()
        note(redis, Worker(_own_name(kind), (), clock.redis_now_ms(redis)))
    except (RedisError, OSError) as error:
        log.warning("heartbeat not told", error=str(error))


def leave(kind: str) -> None:
    """Forget this process of a kind without queues, which ends as it was told to."""
    forget_or_log(room(), _own_name(kind))


def forget(redis: Redis, name: str) -> None:
    """Forget a worker that ended as it was told to: nobody misses it."""
    for shard in range(settings.SHARDS):
        redis.hdel(keys.workers(shard), name)


def forget_or_log(redis: Redis, name: str) -> None:
    """Forget a worker; log a Redis that does not answer."""
    try:
        forget(redis, name)
    except (RedisError, OSError) as error:
        log.warning("worker stays on the list for an hour", error=str(error))


def forget_old(redis: Redis, shard: int, now_ms: int) -> None:
    """Delete the reports of workers that were killed long ago: each name is new in a container."""
    reports = redis.hgetall(keys.workers(shard))
    old = [name for name, raw in reports.items() if now_ms - _decode(raw).seen_ms >= FORGOTTEN_MS]
    if old:
        redis.hdel(keys.workers(shard), *old)


def workers(redis: Redis, now_ms: int) -> list[Worker]:
    """Workers heard of in the last hour, by name, with their newest report to any shard."""
    shards = map(keys.workers, range(settings.SHARDS))
    found = [_decode(raw) for shard in shards for raw in redis.hvals(shard)]
    alive = [worker for worker in found if now_ms - worker.seen_ms < FORGOTTEN_MS]
    newest = {worker.name: worker for worker in sorted(alive, key=lambda worker: worker.seen_ms)}
    return sorted(newest.values(), key=lambda worker: worker.name)


def _own_name(kind: str) -> str:
    return f"{os.environ.get('PROCESS_NAME') or kind}@{gethostname()}"
