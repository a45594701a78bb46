"""Partitions of hands that nobody made."""

from __future__ import annotations

from django.db import connection


def take_away(month: int) -> None:
    """Take the partition of a month (as 202612) away, with its hands."""
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE tables_hand DETACH PARTITION tables_hand_{month}")
        cursor.execute(f"DROP TABLE tables_hand_{month}")
