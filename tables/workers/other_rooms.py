"""Living workers that a process must not join: of another room, or of another division of keys."""

from __future__ import annotations

import structlog
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from redis.exceptions import RedisError

from config import clock, limits
from config.redis import broker_at_once, room_at_once
from tables.workers import presence
from tables.workers.presence import Worker

log = structlog.get_logger(__name__)

BROKER_KEY = "room"
"""Key of the broker: name of the room whose workers take its messages, while they are alive."""


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
        own, reports = own_name(), _living_workers()
    except (RedisError, DatabaseError, OSError) as error:
        log.warning("other rooms not looked for", error=str(error))
        return ""
    for worker in reports:
        if worker.room not in ("", own):
            return (
                f"ROOM_REDIS_URL: another room plays on this Redis: its worker {worker.name} keeps"
                f" {worker.room}, this one {own}. Give each room a Redis of its own, or another"
                " database number"
            )
    return ""


def mark_broker(own: str) -> None:
    """Say in the broker that workers of the room `own` take its messages. Raises RedisError."""
    broker_at_once().set(BROKER_KEY, own, px=limits.OTHER_ROOM_SILENT_MS)


def find_other_broker() -> str:
    """Return why no process of this room may start: another one has its broker; else "".

    Each room would take half of the other one's bells, and find no such tables.
    """
    try:
        own, found = own_name(), broker_at_once().get(BROKER_KEY)
    except (RedisError, DatabaseError, OSError) as error:
        log.warning("broker not looked at", error=str(error))
        return ""
    marked = found.decode() if isinstance(found, bytes) else own
    if marked == own:
        return ""
    return (
        f"BROKER_URL: workers of another room take the messages of this broker: of {marked}, this"
        f" one is {own}. Give each room a broker of its own, or another database number"
    )


def find_other_division() -> str:
    """Return why no process may start with these SHARDS and PLAY_QUEUES; "" when it may.

    With other slices a worker finds none of the tables, adopts them and voids their hands; with
    other queues nobody answers some of the bells.
    """
    try:
        reports = _living_workers()
    except (RedisError, OSError) as error:
        log.warning("living workers not compared", error=str(error))
        return ""
    for worker in reports:
        for name, told in (("SHARDS", worker.shards), ("PLAY_QUEUES", worker.play_queues)):
            own = getattr(settings, name)
            if told not in (0, own):
                return (
                    f"{name} is {own} here, and {told} in the worker {worker.name}, which is alive:"
                    " it is equal in all processes, and changed while none of them runs"
                )
    return ""


def _living_workers() -> list[Worker]:
    redis = room_at_once()
    now_ms = clock.redis_now_ms(redis)
    reports = presence.workers(redis, now_ms)
    return [one for one in reports if now_ms - one.seen_ms < limits.OTHER_ROOM_SILENT_MS]
