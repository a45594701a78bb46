"""Reading of PostgreSQL as of one moment, for counts that must agree with each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def one_moment() -> Iterator[None]:
    """Read rows of one moment, and write none, unless the caller has a transaction of its own.

    The block may think for as long as it wants between two queries: it holds no lock that others
    wait for, and an audit of all hands must not end after hours because some took a minute.
    """
    inside = connection.in_atomic_block
    with transaction.atomic():
        if not inside:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        yield
