"""Testimony of web processes about a restarted Redis: does it hold all that they told?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from django.conf import settings
from redis import Redis

from config import limits
from config.redis.scripts import ScriptCall, run_async
from tables.store import connections, keys, lua

Told = Mapping[str, tuple[int, int]]
"""Stream of a table -> epoch and number of the last event that a process told of it."""

Finding = Literal["whole", "lost"]

CLOSED = b"none"
"""Adopted run of a shard that is closed by a loss, as `testify.lua` and `lease.lua` write it."""


class Testimony(NamedTuple):
    """Findings about one run of Redis, and the living web processes that have not spoken yet."""

    findings: Mapping[str, Finding]
    silent: frozenset[str]


async def testify(redis: Any, process: str, told: Told, shard: int) -> list[str]:
    """Compare what a web process told of a shard with the Redis that answers; return what it lacks.

    The finding is noted for the adoption of the shard; a loss closes the shard at once.
    """
    names = [keys.witnesses(shard), keys.run(shard)]
    values: list[str | int] = [process, limits.WITNESS_NOTES_KEPT_MS]
    streams = list(told)
    for stream in streams:
        names += keys.events(stream, settings.SHARDS), keys.state(stream, settings.SHARDS)
        values += told[stream]
    lost = await run_async(redis, ScriptCall(lua.source("testify"), names, values))
    return [streams[number - 1] for number in lost]


def testimony(redis: Redis, shard: int, run: str) -> Testimony:
    """Return what web processes found about a run of Redis.

    A process counts as living when its last sign of life is about as late as that of any other:
    all of them are as old as the loss.
    """
    # redis-py types these answers for all options of its client at once.
    notes: Any = redis.hgetall(keys.witnesses(shard))
    signs: Any = redis.hgetall(keys.gateways(shard))
    findings: dict[str, Finding] = {}
    for process, note in notes.items():
        seen_run, _, finding = note.decode().partition(" ")
        if seen_run == run:
            findings[process.decode()] = "whole" if finding == "whole" else "lost"
    last_ms = max(map(int, signs.values()), default=0)
    living = connections.living(signs, last_ms, silent_ms=limits.GATEWAY_SILENT_MAX_MS)
    return Testimony(findings, living - findings.keys())


def is_closed(redis: Redis, shard: int) -> bool:
    """Return whether a loss closed a shard, in this run of Redis or one before, until now."""
    return redis.get(keys.run(shard)) == CLOSED


def waited_ms(redis: Redis, shard: int, run: str, now_ms: int) -> int:
    """Return the time since the first adoption of this run was tried, in ms of Redis' clock."""
    field = f"since {run}"
    redis.hsetnx(keys.witnesses(shard), field, now_ms)
    since = redis.hget(keys.witnesses(shard), field)
    return abs(now_ms - int(since or now_ms))
