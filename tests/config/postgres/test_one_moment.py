"""Reading as of one moment lasts as long as what is done with the rows."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from django.db import connection

from config.postgres.one_moment import one_moment

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def impatient() -> Iterator[None]:
    """A session that PostgreSQL ends after a tenth of a second without a query."""
    with connection.cursor() as cursor:
        cursor.execute("SET idle_in_transaction_session_timeout = 100")
    yield
    connection.close()


def _asked(query: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return str(cursor.fetchone()[0])


def test_a_reader_may_think_between_two_queries(impatient: None) -> None:
    with one_moment():
        snapshot = _asked("SELECT pg_current_snapshot()")
        time.sleep(0.5)
        assert _asked("SELECT pg_current_snapshot()") == snapshot
    assert _asked("SHOW idle_in_transaction_session_timeout") == "100ms", "for the block alone"
