"""Presence of workers: each reports every second that it is alive and which queues it serves."""

from __future__ import annotations

import msgspec
from redis import Redis

WORKERS = "workers"
"""Redis hash: name of a worker -> its last report."""

FORGOTTEN_MS = 3_600_000


class Worker(msgspec.Struct, frozen=True):
    """A worker, the queues it serves, and its last sign of life (room's clock, ms)."""

    name: str
    queues: tuple[str, ...]
    seen_ms: int


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Worker).decode


def note(redis: Redis, worker: Worker) -> None:
    """Report a worker as alive."""
    redis.hset(WORKERS, worker.name, _encode(worker))


def workers(redis: Redis, now_ms: int) -> list[Worker]:
    """Workers heard of in the last hour, by name."""
    found = [_decode(raw) for raw in redis.hvals(WORKERS)]
    alive = [worker for worker in found if now_ms - worker.seen_ms < FORGOTTEN_MS]
    return sorted(alive, key=lambda worker: worker.name)
