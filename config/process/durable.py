"""Guarantees that the room asks of its servers: what they answered is on their disks."""

from __future__ import annotations

from django.conf import settings
from django.db import connection
from redis import Redis
from redis.exceptions import RedisError, ResponseError

from config.redis import server_of

WANTED_OF_DATABASE = ("fsync", "synchronous_commit", "full_page_writes")
"""Settings of PostgreSQL that must not be off: else a loss of power takes committed rows."""

WANTED = {"appendonly": "yes", "appendfsync": "always", "no-appendfsync-on-rewrite": "no"}
"""Settings of a Redis server with which nothing leaves it before it is on its disk."""


def lacking_in_redis(redis: Redis, key: str = "") -> str:
    """Return why a restarted server may hold less than it answered; "" when it may not.

    With the settings wanted a server writes and syncs its file before it sends any answer, event
    or hint of the same turn of its loop. ROOM_REDIS_DURABLE answers for a server that may not be
    asked. Of a cluster the server of `key` is asked.
    """
    where, wrong = server_of(redis, key), []
    if settings.ROOM_REDIS_DURABLE == "no":
        return "ROOM_REDIS_DURABLE is no"
    if settings.ROOM_REDIS_DURABLE == "ask":
        try:
            found = redis.config_get(*WANTED, **where)
        except ResponseError as error:
            return f"CONFIG GET is refused ({error}); say ROOM_REDIS_DURABLE=yes or no"
        wrong = [
            f"{name} is {found.get(name)}" for name in WANTED if found.get(name) != WANTED[name]
        ]
    elif not settings.ROOM_REDIS_MODE:
        return ""
    # The second replication ID of a server names the one that it was a replica of: replication
    # does not wait, so a promoted replica may lack what its former master answered.
    if not wrong and redis.info("replication", **where).get("master_replid2"):
        wrong = ["it was promoted from a replica"]
    return ", ".join(wrong)


def advice_on_database() -> str:
    """Return one line for the operator about a PostgreSQL that may lose what it committed."""
    with connection.cursor() as cursor:
        sql = "SELECT name, setting FROM pg_settings WHERE name = ANY(%s) ORDER BY name"
        cursor.execute(sql, [list(WANTED_OF_DATABASE)])
        wrong = [f"{name} is off" for name, setting in cursor.fetchall() if setting == "off"]
    if not wrong:
        return ""
    return f"PostgreSQL: {', '.join(wrong)}. A loss of power may take settled hands and money."


def advice_on_redis(redis: Redis, key: str = "") -> str:
    """Return one line for the operator about a room's Redis without the guarantee; "" with it."""
    try:
        lacks = lacking_in_redis(redis, key)
    except RedisError as error:
        lacks = f"it does not answer ({error})"
    if not lacks:
        return ""
    return (
        f"room's Redis: {lacks}. After its next restart all hands in play are void. Set "
        "appendonly yes and appendfsync always, or ROOM_REDIS_DURABLE=yes where its provider "
        "guarantees as much."
    )
