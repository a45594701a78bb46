"""Work that one process at a time may do, of all that share a database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def exclusively(kind: int, number: int) -> Iterator[bool]:
    """Try to hold the advisory lock of a kind of work; False where another process holds it.

    The lock is held in a transaction of a connection of its own: a lock of the session would be
    lost behind a pooler, and one of the work's own transactions would end with the first of them.
    """
    lock = connection.copy()
    try:
        with lock.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [kind, number])
            (is_mine,) = cursor.fetchone()
        yield is_mine
    finally:
        # No ROLLBACK: PostgreSQL ends the transaction with its connection, and a pooler drops the
        # session of a client that leaves within one. Where the connection broke meanwhile, a
        # ROLLBACK would fail work that is complete.
        lock.close()
