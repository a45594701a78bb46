"""Which workers there are: each tells every second that it lives, and what it listens to."""

from __future__ import annotations

import msgspec
from redis import Redis

WORKERS = "workers"
"""Hash: name of a worker -> what it said last."""

FORGOTTEN_MS = 3_600_000


class Worker(msgspec.Struct, frozen=True):
    """A worker, the queues it listens to, and when it was last heard of (room's clock, ms)."""

    name: str
    queues: tuple[str, ...]
    seen_ms: int


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Worker).decode


def note(redis: Redis, worker: Worker) -> None:
    """Say that a worker lives."""
    redis.hset(WORKERS, worker.name, _encode(worker))


def workers(redis: Redis, now_ms: int) -> list[Worker]:
    """Everybody heard of in the last hour, by name."""
    found = [_decode(raw) for raw in redis.hvals(WORKERS)]
    alive = [worker for worker in found if now_ms - worker.seen_ms < FORGOTTEN_MS]
    return sorted(alive, key=lambda worker: worker.name)
