"""Numbers of the last facts in Redis by stream, for a PostgreSQL that lost its last rows."""

from __future__ import annotations

from collections.abc import Callable

from redis import Redis

from tables.store import readable

SCANNED = 1_000


def last_numbers(redis: Redis, is_wanted: Callable[[str], bool]) -> dict[str, int]:
    """Return the last number told on each wanted stream of facts that Redis holds.

    A stream in a key of another type has told none.
    """
    found: dict[str, int] = {}
    batch: list[bytes] = []
    for key in redis.scan_iter(match="*:events", count=SCANNED):
        if is_wanted(_stream(key)):
            batch.append(key)
        if len(batch) >= SCANNED:
            found |= _heads(redis, batch)
            batch = []
    return found | _heads(redis, batch)


def _heads(redis: Redis, keys: list[bytes]) -> dict[str, int]:
    if not keys:
        return {}
    with redis.pipeline(transaction=False) as pipe:
        for key in keys:
            pipe.xrevrange(key, count=1)
        answers = pipe.execute(raise_on_error=False)
    return {
        _stream(key): int(entries[0][0].decode().partition("-")[2])
        for key, entries in zip(keys, answers, strict=True)
        if not readable.is_other_type(entries) and entries
    }


def _stream(key: bytes) -> str:
    """Return the stream of a key `{SHARD}:STREAM:events`."""
    return key.decode().partition("}:")[2].removesuffix(":events")
