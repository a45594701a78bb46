"""Arrays as text: PostgreSQL reads the values that were written."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from config.postgres.arrays import array_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("bigint", [0, -5, 2**62]),
        ("bool", [True, False, True]),
        ("text", ["auto", "muck"]),
        ("bytea", [b"", bytes(range(256)), b'\\"{},']),
        ("int", []),
    ],
)
def test_postgresql_reads_what_was_written(kind: str, values: list[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT %s::{kind}[]", [array_of(values)])
        assert cursor.fetchone()[0] == values
