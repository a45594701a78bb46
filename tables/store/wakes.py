"""Due-time sorted set: one member per table and tournament, leased by timers, never popped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from django.conf import settings
from redis import Redis

from config import clock, limits
from config.redis.scripts import ScriptCall, run
from tables.dealer.state import QueueKind
from tables.store import keys, lua


class DueWake(msgspec.Struct, frozen=True):
    """A member with a wake that is due, the queue that answers for it, and its count of bells."""

    member: str
    kind: QueueKind
    rings: int


class Sweep(msgspec.Struct, frozen=True):
    """Result of one sweep of a shard; `generation` is None before this run of Redis is adopted."""

    generation: str | None
    next_ms: int | None
    now_ms: int
    due: tuple[DueWake, ...]


def sweep(redis: Redis, shard: int) -> Sweep:
    """Lease the due members: move each wake on by the lease, so that a lost bell is rung again."""
    names = [keys.wakes(shard), keys.beat(shard), keys.generation(shard), keys.run(shard)]
    values = [
        limits.WAKES_BATCH_MAX,
        limits.WAKE_LEASE_MS,
        limits.BEAT_GAP_MS,
        keys.tag(shard),
        limits.SWEEP_NOTED_EVERY_MS,
        limits.CLOCK_BACK_MAX_MS,
    ]
    reply = run(redis, ScriptCall(lua.source("lease"), names, values))
    found, next_ms, now_ms, *rest = reply
    due = tuple(
        DueWake(member=member.decode(), kind=_queue_kind(kind), rings=int(rings))
        for member, kind, rings in zip(rest[::3], rest[1::3], rest[2::3], strict=True)
    )
    return Sweep(
        generation=found.decode() or None,
        next_ms=None if int(next_ms) < 0 else int(next_ms),
        now_ms=int(now_ms),
        due=due,
    )


def schedule(redis: Redis, member: str, due_ms: int, kind: QueueKind) -> None:
    """Set the wake of a member without a state of its own in Redis (a tournament)."""
    shards = settings.SHARDS
    with redis.pipeline(transaction=True) as pipe:
        pipe.hset(keys.state(member, shards), mapping={"desk": kind, "rings": 0})
        pipe.zadd(keys.wakes(keys.shard(member, shards)), {member: due_ms})
        pipe.execute()


def due(redis: Redis, member: str) -> float | None:
    """Return the time of a member's wake in ms; None when it has no wake."""
    found = redis.zscore(keys.wakes(keys.shard(member, settings.SHARDS)), member)
    return None if found is None else float(found)


def reschedule(redis: Redis, member: str, due_ms: int, kind: QueueKind, seen: float | None) -> bool:
    """Set a member's wake unless it was moved since it was `seen`; False when it was."""
    shards = settings.SHARDS
    names = [keys.wakes(keys.shard(member, shards)), keys.state(member, shards)]
    values = [member, due_ms, kind, "" if seen is None else seen]
    return bool(run(redis, ScriptCall(lua.source("reschedule"), names, values)))


def pull(redis: Redis, member: str, due_ms: int = 0) -> None:
    """Move a member's wake forward to `due_ms` (0: now), never back; no effect without a wake."""
    wakes = keys.wakes(keys.shard(member, settings.SHARDS))
    redis.zadd(wakes, {member: due_ms}, xx=True, lt=True)


def await_rebuild(redis: Redis, member: str) -> None:
    """Take away the state of a table and make it due: a settle worker rebuilds it when it can."""
    shards = settings.SHARDS
    with redis.pipeline(transaction=True) as pipe:
        pipe.delete(keys.state(member, shards))
        pipe.zadd(keys.wakes(keys.shard(member, shards)), {member: 0})
        pipe.execute()


def cancel(redis: Redis, member: str) -> None:
    """Remove the wake and the state of a member that is over."""
    shards = settings.SHARDS
    with redis.pipeline(transaction=True) as pipe:
        pipe.zrem(keys.wakes(keys.shard(member, shards)), member)
        pipe.delete(keys.state(member, shards))
        pipe.execute()


def members(redis: Redis, shard: int, most: int = 0) -> list[str]:
    """Return the members of a shard with a wake, earliest first; at most `most` unless it is 0."""
    # redis-py types this answer for all protocols and options of the command at once.
    names: Any = redis.zrange(keys.wakes(shard), 0, most - 1)
    return [name.decode() for name in names]


def tables(redis: Redis, shard: int) -> set[int]:
    """Return the tables of a shard with a wake in this Redis, whatever PostgreSQL knows of them."""
    names = members(redis, shard)
    return {keys.number(name) for name in names if name == keys.table(keys.number(name))}


def now_ms(redis: Redis, shard: int) -> int:
    """Return the clock of a shard in ms since the epoch; those of a cluster differ a little."""
    if settings.ROOM_REDIS_MODE != "cluster":
        return clock.redis_now_ms(redis)
    # A script goes where its key is, also when that is another server by now.
    return int(run(redis, ScriptCall(lua.source("now"), [keys.run(shard)], [])))


_QUEUE_KINDS: Mapping[bytes, QueueKind] = {kind.encode(): kind for kind in get_args(QueueKind)}


def _queue_kind(raw: bytes) -> QueueKind:
    # A member without state (Redis was emptied), or with a damaged queue, goes to the settle queue:
    # its workers know PostgreSQL and restore the table, or pass it on.
    return _QUEUE_KINDS.get(raw, "settle")
