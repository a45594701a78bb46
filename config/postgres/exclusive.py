"""Work that one process at a time may do, of all that share a database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import Error, connection


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
        # 1. PostgreSQL notices a closed connection a moment later, and refuses the lock until then:
        #    whoever asks next would be told that this work still goes on.
        # 2. Where the connection broke meanwhile, the work is complete all the same.
        with suppress(Error), lock.cursor() as cursor:
            cursor.execute("ROLLBACK")
        lock.close()
