"""Open tables in Redis after the transaction that did so is committed."""

from __future__ import annotations

from collections.abc import Sequence

from config.redis import room
from tables.store import keys
from tables.workers import recovery
from tables.workers.bells import ring


def open_tables(tables: Sequence[int]) -> None:
    """Put tables into Redis as PostgreSQL has them, and ask for their first hand."""
    recovery.open_tables(room(), tables)
    for table in tables:
        ring(keys.table(table), "settle")
