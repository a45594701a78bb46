"""Other rooms on one Redis: keys of both would be the same, so a second room must not start."""

from __future__ import annotations

import structlog
from django.db import Error as DatabaseError
from django.db import connection
from redis.exceptions import RedisError

from config import clock, limits
from config.redis import room_at_once
from tables.workers import presence

log = structlog.get_logger(__name__)


def own_name() -> str:
    """Return the name of this room: its database and the server of that, also once promoted.

    Raises DatabaseError.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database(), system_identifier FROM pg_control_system()")
        database, server = cursor.fetchone()
    return f"{database} of PostgreSQL {server}"


def find_other_room() -> str:
    """Return why no process of this room may start: workers of another one are alive; else ""."""
    try:
        redis, own = room_at_once(), own_name()
        now_ms = clock.redis_now_ms(redis)
        reports = presence.workers(redis, now_ms)
    except (RedisError, DatabaseError, OSError) as error:
        log.warning("other rooms not looked for", error=str(error))
        return ""
    for worker in reports:
        is_alive = now_ms - worker.seen_ms < limits.OTHER_ROOM_SILENT_MS
        if worker.room not in ("", own) and is_alive:
            return (
                f"ROOM_REDIS_URL: another room plays on this Redis: its worker {worker.name} keeps"
                f" {worker.room}, this one {own}. Give each room a Redis of its own, or another"
                " database number"
            )
    return ""
