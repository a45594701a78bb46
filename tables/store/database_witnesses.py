"""Witnesses of PostgreSQL in the room's Redis: the run that was adopted, and how far it came."""

from __future__ import annotations

import msgspec
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from config.postgres.database_run import DatabaseWitness
from config.redis.scripts import ScriptCall, run
from tables.store import keys, lua

ACCEPTED_S = 3_600
"""Time in s for which an operator's word on a run of PostgreSQL counts."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(DatabaseWitness).decode


def latest(redis: Redis) -> DatabaseWitness | None:
    """Return the latest witness of all shards, None when there is none.

    A shard that does not answer is passed over; raises RedisError when none answers.
    """
    found: list[DatabaseWitness] = []
    failed: RedisError | None = None
    answered = False
    for shard in range(settings.SHARDS):
        try:
            raw = redis.hget(keys.database(shard), "witness")
        except RedisError as error:
            failed = error
            continue
        answered = True
        if raw is not None:
            found.append(_decode(raw))
    if failed is not None and not answered:
        raise failed
    return newest(*found)


def newest(*found: DatabaseWitness | None) -> DatabaseWitness | None:
    """Return the witness of the latest adoption, of several the one that saw most."""
    known = [one for one in found if one is not None]
    return max(known, key=lambda one: (one.number, one.position), default=None)


def attest(redis: Redis, witness: DatabaseWitness) -> None:
    """Keep a witness in every shard that answers; raises RedisError when none does."""
    values = [witness.number, witness.position, _encode(witness)]
    failed: RedisError | None = None
    kept = 0
    for shard in range(settings.SHARDS):
        call = ScriptCall(lua.source("attest"), [keys.database(shard)], values)
        try:
            run(redis, call)
        except RedisError as error:
            failed = error
        else:
            kept += 1
    if failed is not None and not kept:
        raise failed


def accept(redis: Redis, run_name: str) -> None:
    """Note that the operator accepts a run of PostgreSQL with what it lost."""
    redis.set(keys.accepted_database(0), run_name, ex=ACCEPTED_S)


def is_accepted(redis: Redis, run_name: str) -> bool:
    """Return whether the operator accepted this very run of PostgreSQL."""
    return redis.get(keys.accepted_database(0)) == run_name.encode()
