"""The only place that asks for the time: the system's, PostgreSQL's and Redis' clock in ms."""

from __future__ import annotations

import time
from typing import Any


def now_ms() -> int:
    """This machine's clock in ms since the epoch; for what is only shown, never for deadlines."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    """Milliseconds of a clock that never goes back; for measuring spans within one process."""
    return time.monotonic_ns() // 1_000_000


def database_now_ms() -> int:
    """PostgreSQL's clock in ms since the epoch, moving within a transaction: tournaments' time."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        row = cursor.fetchone()
    assert row is not None
    return int(row[0])


def redis_now_ms(client: Any) -> int:
    """A Redis server's clock in ms since the epoch: the tables' time."""
    seconds, microseconds = client.time()
    return int(seconds) * 1_000 + int(microseconds) // 1_000
