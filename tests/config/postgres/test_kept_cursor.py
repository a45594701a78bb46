"""Rows by the cursors that a connection keeps: those of each statement, after a loss as well."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import DataError, InternalError, connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from psycopg.adapt import Transformer

from accounts.models import User
from config.postgres.statements import rows_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_each_statement_gives_its_own_rows() -> None:
    assert rows_of("SELECT %s::int, 'a'", [1]) == [(1, "a")]
    assert rows_of("SELECT now() > %s, %s::bytea, NULL", ["2020-01-01", b"\0"]) == [
        (True, b"\0", None)
    ]
    assert rows_of("SELECT 1 WHERE false", []) == []


def test_a_statement_takes_values_of_any_type_in_each_run() -> None:
    for value in (1, "a", None, 2**40, True, 1.5):
        assert rows_of("SELECT %s", [value]) == [(value,)]


def test_a_statement_keeps_what_it_learned_while_others_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learned: list[object] = []

    def learning(cursor: object) -> object:
        learned.append(cursor)
        return Transformer(cursor)  # type: ignore[arg-type]

    for _ in range(2):
        learned.clear()
        monkeypatch.setattr("psycopg.adapt.Transformer", learning)
        assert rows_of("SELECT 'first', %s", [1]) == [("first", 1)]
        assert rows_of("SELECT 'second', %s", [2]) == [("second", 2)]
    assert learned == []


def test_rows_come_by_a_new_connection_once_the_old_one_is_closed() -> None:
    [(before,)] = rows_of("SELECT pg_backend_pid()", [])
    connection.close()
    [(after,)] = rows_of("SELECT pg_backend_pid()", [])
    assert after != before
    assert rows_of("SELECT pg_backend_pid()", []) == [(after,)]


def test_a_failed_statement_ends_its_transaction_and_no_other() -> None:
    with transaction.atomic():
        with pytest.raises(DataError):
            rows_of("SELECT 1 / %s", [0])
        with pytest.raises(InternalError, match="aborted"):
            rows_of("SELECT 1", [])
        transaction.set_rollback(True)
    with transaction.atomic():
        assert rows_of("SELECT 2", []) == [(2,)]


def test_writes_are_rolled_back_with_their_transaction() -> None:
    user = User.objects.create_user("Player1", "a long password")
    renamed = "UPDATE accounts_user SET name = %s WHERE id = %s RETURNING id"
    with transaction.atomic():
        assert rows_of(renamed, ["Player2", user.pk]) == [(user.pk,)]
        transaction.set_rollback(True)
    user.refresh_from_db()
    assert user.name == "Player1"


def test_statements_are_logged_as_others() -> None:
    with CaptureQueriesContext(connection) as queries:
        rows_of("SELECT %s", [7])
    assert [query["sql"] for query in queries] == ["SELECT 7"]


def test_threads_read_by_their_own_connections() -> None:
    def own(number: int) -> bool:
        try:
            return all(rows_of("SELECT %s", [number]) == [(number,)] for _ in range(50))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(own, range(4)))
