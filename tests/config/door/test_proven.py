"""A connection that answered a moment ago is not asked again; one that ended meanwhile is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import close_old_connections, connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper
from django.http import HttpRequest, HttpResponse

from config.door import proven
from config.door.computing import in_turn
from tests.tables.gateway.sockets import wait_for


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """One item for each time that Django asked a connection whether it works."""
    questions: list[None] = []
    is_usable = DatabaseWrapper.is_usable

    def counted(self: DatabaseWrapper) -> bool:
        questions.append(None)
        return bool(is_usable(self))

    monkeypatch.setattr(DatabaseWrapper, "is_usable", counted)
    return questions


@pytest.fixture
def serve_request(transactional_db: None) -> Iterator[Callable[[], int]]:
    """Request in a thread with a lasting connection; return the process of PostgreSQL behind it."""

    def page(_: HttpRequest) -> HttpResponse:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            return HttpResponse(str(cursor.fetchone()[0]))

    answer = in_turn(page)

    def begin() -> int:
        connection.settings_dict = connection.settings_dict | {
            "CONN_MAX_AGE": 600,
            "CONN_HEALTH_CHECKS": True,
        }
        request = HttpRequest()
        request.method, request.path = "GET", "/"
        close_old_connections()
        proven.trust()
        return int(answer(request).content)

    with ThreadPoolExecutor(1) as thread:
        yield lambda: thread.submit(begin).result(timeout=60)
        thread.submit(connections.close_all).result()


def test_a_connection_that_just_answered_is_not_asked(
    serve_request: Callable[[], int], asked: list[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proven, "TRUSTED_S", 60.0)
    assert len({serve_request() for _ in range(3)}) == 1
    assert not asked


def test_a_connection_that_rested_is_asked(
    serve_request: Callable[[], int], asked: list[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proven, "TRUSTED_S", 0.0)
    assert len({serve_request() for _ in range(3)}) == 1
    assert len(asked) == 2


def test_a_connection_that_its_server_ended_is_replaced(
    serve_request: Callable[[], int], asked: list[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proven, "TRUSTED_S", 60.0)
    first = serve_request()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [first])

        def ended() -> bool:
            cursor.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [first])
            return cursor.fetchone() is None

        wait_for(ended)
    assert serve_request() != first
    assert len(asked) == 1
