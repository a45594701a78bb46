"""Wakes of tournaments and of their tables, always set after the commit they belong to."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.db import transaction
from redis import Redis

from config import clock, redis
from tables.models import Table
from tables.store import keys, wakes
from tournaments.engine.lifecycle import ENDED
from tournaments.models import Tournament

LOBBY_MS = 300
"""Changes of a field are gathered this long before the lobby is told, in ms."""


SCHEDULE = 0
"""No tournament has this number: under it the schedule of the templates is woken."""

ENSURED = "tournaments:ensured"
ENSURE_EVERY_S = 60


def member(tournament_id: int) -> str:
    """The name under which a tournament is woken."""
    return f"tournament:{tournament_id}"


def schedule(tournament_id: int, in_ms: int) -> None:
    """Set a tournament's one wake, `in_ms` from now on the room's clock."""
    client = redis.room()
    due_ms = clock.redis_now_ms(client) + max(0, in_ms)
    wakes.schedule(client, member(tournament_id), due_ms, "tournament")


def due(tournament_id: int) -> float | None:
    """When a tournament wants to be looked at, in ms on the room's clock."""
    return wakes.due(redis.room(), member(tournament_id))


def reschedule(tournament_id: int, in_ms: int, seen: float | None) -> None:
    """Set the next wake after a tick, unless somebody asked for another one since it was `seen`."""
    client = redis.room()
    due_ms = clock.redis_now_ms(client) + max(0, in_ms)
    wakes.reschedule(client, member(tournament_id), due_ms, "tournament", seen)


def wake(tournament_id: int, in_ms: int = 0) -> None:
    """Wake a tournament in `in_ms` at the latest; a wake that got lost is set anew."""
    client = redis.room()
    due_ms = clock.redis_now_ms(client) + in_ms if in_ms else 0
    wakes.pull(client, member(tournament_id), due_ms)
    if not _is_set(client, tournament_id):
        schedule(tournament_id, in_ms)


def ensure_all() -> None:
    """Give every tournament that is not over, and the schedule, a wake if it has none."""
    live = Tournament.objects.exclude(state__in=ENDED).values_list("pk", flat=True)
    client = redis.room()
    for tournament_id in (SCHEDULE, *live):
        if not _is_set(client, tournament_id):
            schedule(tournament_id, 0)


def ensure_now_and_then() -> None:
    """The same, at most once a minute however many ask."""
    if redis.room().set(ENSURED, 1, nx=True, ex=ENSURE_EVERY_S):
        ensure_all()


def cancel(tournament_id: int) -> None:
    """A tournament that is over is not woken any more."""
    wakes.cancel(redis.room(), member(tournament_id))


def wake_tables_after_commit(tournament_id: int) -> None:
    """Once this transaction is committed, let every open table of a tournament ask again."""
    rows = Table.objects.filter(director="tournament", game=tournament_id, status="open")
    ids = list(rows.values_list("pk", flat=True))
    transaction.on_commit(lambda: wake_tables(ids), robust=True)


def wake_tables(table_ids: Iterable[int]) -> None:
    """Let tables that wait ask their director again at once."""
    client = redis.room()
    for table_id in table_ids:
        wakes.pull(client, keys.table(table_id))


def _is_set(client: Redis, tournament_id: int) -> bool:
    name = member(tournament_id)
    return client.zscore(keys.wakes(keys.shard(name, settings.SHARDS)), name) is not None
