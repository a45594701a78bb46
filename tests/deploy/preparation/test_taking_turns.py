"""Of two preparations of one database at once the second waits, and finds the work done."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import psycopg
import pytest
from django.db import connection

from deploy.preparation import taking_turns
from tests.conftest import world

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def other() -> Iterator[psycopg.Connection]:
    """Connection of another process that prepares the same database."""
    server, name = world.servers.postgres, str(connection.settings_dict["NAME"])
    with psycopg.connect(server.url_of("room", name), autocommit=True) as opened:
        yield opened


def _holds(other: psycopg.Connection) -> bool:
    row = other.execute("SELECT pg_try_advisory_lock(%s, %s)", taking_turns.LOCK).fetchone()
    return row == (True,)


def test_a_second_preparation_waits_for_the_first(other: psycopg.Connection) -> None:
    assert _holds(other)
    began_s = time.monotonic()
    threading.Timer(0.7, other.close).start()  # it ends, in whatever way
    with taking_turns.in_turn():
        assert time.monotonic() - began_s >= 0.7


def test_a_preparation_lets_the_next_one_in(other: psycopg.Connection) -> None:
    with taking_turns.in_turn():
        assert not _holds(other)
    assert _holds(other)
