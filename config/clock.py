"""Only source of time: the clocks of the system, of PostgreSQL and of Redis, in ms."""

from __future__ import annotations

import time
from typing import Any


def now_ms() -> int:
    """Return this machine's clock in ms since the epoch; for display only, never for deadlines."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    """Return ms of a clock that never goes back, to measure spans within one process."""
    return time.monotonic_ns() // 1_000_000


def database_now_ms() -> int:
    """Return PostgreSQL's clock in ms since the epoch, for tournaments; transactions do not stop
    it.
    """
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        row = cursor.fetchone()
    assert row is not None
    return int(row[0])


def redis_now_ms(client: Any) -> int:
    """Return the clock of a Redis server in ms since the epoch; of a cluster that of any server."""
    default = getattr(client, "DEFAULT_NODE", None)
    seconds, microseconds = client.time(**({"target_nodes": default} if default else {}))
    return int(seconds) * 1_000 + int(microseconds) // 1_000
