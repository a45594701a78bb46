"""Planted defect of statistics."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from django.db import connection

from tables.dealer.record import HandRecord
from tables.statistics.counting import COUNT, counts
from tables.workers import settle, settle_rows

_ALONE = f"WITH t AS (SELECT id, director FROM tables_table WHERE id = %(table)s) {COUNT}"


@contextmanager
def counted_before_the_fence() -> Iterator[None]:
    """Count a hand by a statement of its own before it is written: a worker may die between."""
    real = settle.settle_hand
    clause = f", c AS (\n{COUNT})"
    assert clause in settle_rows._WRITE

    def settle_hand(hand: HandRecord, *seal: Any) -> bool:
        with connection.cursor() as cursor:
            cursor.execute(_ALONE, {"table": hand.table, **counts(hand)})
        return real(hand, *seal)

    with (
        patch.object(settle, "settle_hand", settle_hand),
        patch.object(settle_rows, "_WRITE", settle_rows._WRITE.replace(clause, "")),
    ):
        yield
