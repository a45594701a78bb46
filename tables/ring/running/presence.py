"""Presence of players at tables of ring games (X-03)."""

from __future__ import annotations

from config import clock, redis
from tables.store import connections


def is_away(table: int, user: int) -> bool:
    """Return whether no connection of a user plays a table (X-03)."""
    client = redis.room()
    return not connections.is_connected(client, table, user, clock.redis_now_ms(client))
