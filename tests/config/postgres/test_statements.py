"""A statement that is built once gives the rows of its query, for every value and thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections
from django.db.models import Count, QuerySet
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import AccessToken, User
from accounts.users import access_tokens
from config.postgres.statements import ANY_KEY, ANY_TEXT, ANY_TIME, BuiltOnce

PASSWORD = "a long password"


def _tokens(user: int, now: object) -> QuerySet[AccessToken]:
    rows = AccessToken.objects.filter(user=user, expires_at__gt=now).select_related("user")
    return rows.annotate(others=Count("user__access_tokens")).order_by("-pk")[:3]


@pytest.fixture
def users(transactional_db: None) -> list[User]:
    made = [User.objects.create_user(f"Player{n}", PASSWORD) for n in range(3)]
    for number, user in enumerate(made):
        for day in range(number * 2):
            access_tokens.issue(user, name=f"t{day}", scopes=("play", "watch"), days=day + 1)
    return made


def _seen(rows: list[AccessToken]) -> list[Any]:
    return [
        (row.pk, row.name, row.scopes, row.expires_at, row.user.name, vars(row).get("others"))
        for row in rows
    ]


def _values(row: AccessToken) -> dict[str, Any]:
    return vars(row) | {"_state": vars(row._state)}


def test_rows_are_those_of_the_query_for_all_values(users: list[User]) -> None:
    built = BuiltOnce(_tokens, ANY_KEY, ANY_TIME)
    for user in (*users, *users):
        for days in (0, 2, 10):
            now = timezone.now() + timedelta(days=days)
            with CaptureQueriesContext(connection) as queries:
                rows = built.rows(user.pk, now)
                assert _seen(rows) == _seen(list(_tokens(user.pk, now)))
            assert len(queries) == 2, "related rows come with the first query"
            assert queries[0]["sql"] == queries[1]["sql"]


def test_rows_of_one_model_are_those_that_django_makes(users: list[User]) -> None:
    def query(key: int) -> QuerySet[AccessToken]:
        return AccessToken.objects.filter(user=key).order_by("pk")

    built = BuiltOnce(query, ANY_KEY)
    for user in users:
        rows, plain = built.rows(user.pk), list(query(user.pk))
        assert [_values(row) for row in rows] == [_values(row) for row in plain]
    [row, *_] = built.rows(users[1].pk)
    row.name = "renamed"
    row.save(update_fields=["name"])
    assert AccessToken.objects.get(pk=row.pk).name == "renamed"


def test_the_query_is_built_once(users: list[User]) -> None:
    times: list[object] = []

    def query(name: object) -> QuerySet[User]:
        times.append(name)
        return User.objects.filter(name=name)

    built = BuiltOnce(query, ANY_TEXT)
    assert [row.name for name in ("Player1", "nobody", "Player2") for row in built.rows(name)] == [
        "Player1",
        "Player2",
    ]
    assert times == [ANY_TEXT]


def test_lists_of_values_and_columns_alone(users: list[User]) -> None:
    keys = [user.pk for user in users]
    names = BuiltOnce(
        lambda key, other: User.objects.filter(pk__in=[key, other]).order_by("pk").values("name"),
        ANY_KEY,
        ANY_KEY - 1,
    )
    assert names.rows(keys[0], keys[2]) == [{"name": "Player0"}, {"name": "Player2"}]
    flat = BuiltOnce(
        lambda key: User.objects.filter(pk=key).values_list("name", flat=True), ANY_KEY
    )
    assert flat.rows(keys[1]) == ["Player1"]


def test_each_thread_asks_by_its_own_connection(users: list[User]) -> None:
    built = BuiltOnce(lambda key: User.objects.filter(pk=key), ANY_KEY)
    assert built.rows(users[0].pk)

    def name(key: int) -> str:
        try:
            return built.rows(key)[0].name
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as threads:
        found = list(threads.map(name, [user.pk for user in users] * 5))
    assert found == [user.name for user in users] * 5


def test_a_mark_that_the_query_does_not_use_is_a_bug(users: list[User]) -> None:
    with pytest.raises(AssertionError, match="not used"):
        BuiltOnce(lambda key, now: User.objects.filter(pk=key), ANY_KEY, ANY_TIME).rows(1, 2)
    built = BuiltOnce(lambda key: User.objects.filter(pk=key), ANY_KEY)
    with pytest.raises(ValueError, match="argument"):
        built.rows(1, 2)
