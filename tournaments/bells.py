"""Wakes of tournaments and of their tables, always set after the commit they belong to."""

from __future__ import annotations

from collections.abc import Iterable

from config import clock, redis
from tables import keys, wakes

LOBBY_MS = 300
"""Changes of a field are gathered this long before the lobby is told, in ms."""


def member(tournament_id: int) -> str:
    """The name under which a tournament is woken."""
    return f"tournament:{tournament_id}"


def schedule(tournament_id: int, in_ms: int) -> None:
    """Set a tournament's one wake, `in_ms` from now on the room's clock."""
    client = redis.room()
    due_ms = clock.redis_now_ms(client) + max(0, in_ms)
    wakes.schedule(client, member(tournament_id), due_ms, "tournament")


def wake(tournament_id: int, in_ms: int = 0) -> None:
    """Wake a tournament in `in_ms` at the latest."""
    client = redis.room()
    due_ms = clock.redis_now_ms(client) + in_ms if in_ms else 0
    wakes.pull(client, member(tournament_id), due_ms)


def cancel(tournament_id: int) -> None:
    """A tournament that is over is not woken any more."""
    wakes.cancel(redis.room(), member(tournament_id))


def wake_tables(table_ids: Iterable[int]) -> None:
    """Let tables that wait ask their director again at once."""
    client = redis.room()
    for table_id in table_ids:
        wakes.pull(client, keys.table(table_id))
