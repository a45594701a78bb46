"""Preparations of one database take turns, as of a job that is started twice."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import structlog
from django.db import Error as DatabaseError
from django.db import connection

log = structlog.get_logger(__name__)

LOCK = (7_011_004, 0)
"""Keys of the advisory lock of the process that prepares a database."""

ASKS_EVERY_S = 0.5


@contextmanager
def in_turn() -> Iterator[None]:
    """Wait while another process prepares the database; it lets others in when it ends.

    Two that migrated at once would meet each other's tables, and one would fail. Behind a pooler
    no lock outlives its transaction: there nobody waits.
    """
    if connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"]:
        yield
        return
    if not _ask("pg_try_advisory_lock"):
        log.info("another process prepares the database: waiting for it")
        while not _ask("pg_try_advisory_lock"):
            time.sleep(ASKS_EVERY_S)
    try:
        yield
    finally:
        with suppress(DatabaseError):  # a lost connection has given it back
            _ask("pg_advisory_unlock")


def _ask(function: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s, %s)", LOCK)  # nosec B608 - names of this module
        return bool(cursor.fetchone()[0])
