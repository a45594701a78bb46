"""Open and close tables in Redis after the transaction that did so is committed."""

from __future__ import annotations

from collections.abc import Sequence

from config.redis import room
from tables.store import keys
from tables.workers import recovery
from tables.workers.bells import ring


def close_tables(tables: Sequence[int]) -> None:
    """End tables whose closing is committed; a hand in play at one of them is void."""
    recovery.close_tables(room(), tables)


def open_tables(tables: Sequence[int]) -> None:
    """Put tables into Redis as PostgreSQL has them, and ask for their first hand."""
    recovery.open_tables(room(), tables)
    for table in tables:
        ring(keys.table(table), "settle")
