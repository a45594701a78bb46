"""Wakes of tournaments and their tables, always set after the commit they belong to.

A lost wake delays a tournament but loses no fact: `ensure_all` sets it again at the start of a
worker, and `ensure_recent` about once a minute.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

import structlog
from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from redis import Redis
from redis.exceptions import RedisError

from config import redis
from config.redis.silence import NodeSilentError
from tables.models import Table
from tables.store import keys, wakes
from tournaments.engine import lifecycle
from tournaments.models import Tournament
from tournaments.models.tournament import is_over

log = structlog.get_logger(__name__)

LOBBY_MS = 300
"""Time over which changes of a field are collected before the lobby is told, in ms."""


SCHEDULE = 0
"""Number of the schedule of templates in wakes; no tournament has it."""

ENSURE_EVERY_S = 60

RECENT = timedelta(days=7)
"""Time after its end in which a tournament with batches left is looked for once a minute."""


def member(tournament_id: int) -> str:
    """Return the member name of a tournament in the set of wakes."""
    return f"tournament:{tournament_id}"


def schedule(tournament_id: int, in_ms: int) -> None:
    """Set a tournament's only wake to `in_ms` from now on the room's clock."""
    client = redis.room()
    due_ms = _now_ms(client, tournament_id) + max(0, in_ms)
    wakes.schedule(client, member(tournament_id), due_ms, "tournament")


def due(tournament_id: int) -> float | None:
    """Return the time of a tournament's wake, in ms on the room's clock, or None."""
    return wakes.due(redis.room(), member(tournament_id))


def reschedule(tournament_id: int, in_ms: int, seen: float | None) -> None:
    """Set the next wake after a tick, unless the wake was changed since it was `seen`."""
    client = redis.room()
    due_ms = _now_ms(client, tournament_id) + max(0, in_ms)
    wakes.reschedule(client, member(tournament_id), due_ms, "tournament", seen)


def wake(tournament_id: int, in_ms: int = 0) -> None:
    """Wake a tournament in `in_ms` at the latest; set a lost wake again."""
    client = redis.room()
    due_ms = _now_ms(client, tournament_id) + in_ms if in_ms else 0
    # 1. Pull an existing wake forward; a later wake never replaces an earlier one.
    wakes.pull(client, member(tournament_id), due_ms)
    # 2. Set a missing wake: it was lost with Redis, or between a commit and its wake.
    if not _is_set(client, tournament_id):
        schedule(tournament_id, in_ms)


def ensure_all() -> None:
    """Give the schedule and every tournament that is not over a wake if one is missing.

    A shard that does not answer is left to its adoption.
    """
    _ensure_each(_watched())


def ensure_recent() -> None:
    """Do as `ensure_all`, without reading every tournament that ever ended.

    One that ended earlier than `RECENT` with batches left has its wake since the start of a worker.
    """
    asked = Q(state__in=lifecycle.NOT_ENDED) | Q(finished_at__gte=timezone.now() - RECENT)
    _ensure_each(_watched(asked))


def _ensure_each(members: Sequence[int]) -> None:
    for shard in range(settings.SHARDS):
        try:
            _ensure(shard, members)
        except RedisError as error:
            log.warning("wakes of a shard not ensured", shard=shard, error=str(error))


def ensure_shard(shard: int) -> None:
    """Give every member of a shard that `ensure_all` looks after a wake if one is missing."""
    _ensure(shard, _watched())


def _watched(asked: Q | None = None) -> list[int]:
    """Return the schedule and every tournament that is not over, of all or those `asked` for.

    No index finds it among all.
    """
    rows = Tournament.objects.filter(asked or Q()).exclude(is_over())
    return [SCHEDULE, *rows.values_list("pk", flat=True)]


def _ensure(shard: int, members: Iterable[int]) -> None:
    client = redis.room()
    for tournament_id in members:
        if _shard(tournament_id) == shard and not _is_set(client, tournament_id):
            schedule(tournament_id, 0)


def ensure_now_and_then(tournament_id: int) -> None:
    """Run `ensure_recent` at most once a minute, by ticks of the shard of this tournament."""
    if redis.room().set(ensured_key(_shard(tournament_id)), 1, nx=True, ex=ENSURE_EVERY_S):
        ensure_recent()


def cancel(tournament_id: int) -> None:
    """Delete the wake of a tournament that is over."""
    wakes.cancel(redis.room(), member(tournament_id))


def open_tables(tournament_id: int) -> list[int]:
    """Return every open table of a tournament."""
    rows = Table.objects.filter(director="tournament", game=tournament_id, status="open")
    return list(rows.values_list("pk", flat=True))


def wake_tables(table_ids: Iterable[int]) -> None:
    """Let waiting tables ask their director again at once.

    Raises RedisError; for a silent node of a cluster after the tables of the others are woken.
    """
    client = redis.room()
    silent: NodeSilentError | None = None
    for table_id in table_ids:
        try:
            wakes.pull(client, keys.table(table_id))
        except NodeSilentError as error:
            silent = error
    if silent is not None:
        raise silent


def _shard(tournament_id: int) -> int:
    return keys.shard(member(tournament_id), settings.SHARDS)


def ensured_key(shard: int) -> str:
    """Return the Redis key that says that wakes were ensured lately by a tick in a shard."""
    return f"{keys.tag(shard)}tournaments:ensured"


def _now_ms(client: Redis, tournament_id: int) -> int:
    return wakes.now_ms(client, _shard(tournament_id))


def _is_set(client: Redis, tournament_id: int) -> bool:
    name = member(tournament_id)
    return client.zscore(keys.wakes(keys.shard(name, settings.SHARDS)), name) is not None
