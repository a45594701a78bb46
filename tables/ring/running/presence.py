"""Presence of players at tables of ring games (X-03)."""

from __future__ import annotations

from django.conf import settings

from config import redis
from tables.store import connections, keys, wakes


def is_away(table: int, user: int) -> bool:
    """Return whether no connection of a user plays a table (X-03)."""
    client = redis.room()
    shard = keys.shard(keys.table(table), settings.SHARDS)
    return not connections.is_connected(client, table, user, wakes.now_ms(client, shard))
