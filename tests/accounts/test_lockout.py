"""Who guesses passwords is shut out, however he spells the name."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from config import limits

pytestmark = pytest.mark.django_db

PASSWORD = "three blind mice"
LOGIN = "/admin/login/"


@pytest.fixture
def operator() -> User:
    return User.objects.create_superuser(name="Olga", password=PASSWORD)


def _try(client: Client, name: str, password: str) -> int:
    answer = client.post(LOGIN, {"username": name, "password": password, "next": "/admin/"})
    return answer.status_code


def test_the_right_password_logs_in_and_log_out_ends_it(operator: User, client: Client) -> None:
    assert _try(client, "olga", PASSWORD) == 302
    assert client.get("/admin/").status_code == 200
    client.post("/admin/logout/")
    assert client.get("/admin/").status_code == 302


def test_a_wrong_password_logs_nobody_in(operator: User, client: Client) -> None:
    assert _try(client, "Olga", "wrong") == 200
    assert "_auth_user_id" not in client.session


def test_too_many_failures_shut_even_the_right_password_out(operator: User, client: Client) -> None:
    spellings = ["Olga", "OLGA", "olga", "oLGA", " Olga", "OlGa", "olGA", "OLga"]
    for spelling in spellings[: limits.LOGIN_FAILURES_MAX]:
        _try(client, spelling, "wrong")
    assert _try(client, "Olga", PASSWORD) == 429
    assert _try(client, "ｏｌｇａ", PASSWORD) == 429
    assert "_auth_user_id" not in client.session


def test_one_failure_fewer_does_not_and_a_success_forgets_them(
    operator: User, client: Client
) -> None:
    for _ in range(2):
        for _ in range(limits.LOGIN_FAILURES_MAX - 1):
            assert _try(client, "Olga", "wrong") == 200
        assert _try(client, "OLGA", PASSWORD) == 302
        client.post("/admin/logout/")


def test_others_are_not_shut_out_with_him(operator: User, client: Client) -> None:
    User.objects.create_superuser(name="Paul", password=PASSWORD)
    for _ in range(limits.LOGIN_FAILURES_MAX + 1):
        _try(client, "Olga", "wrong")
    assert _try(client, "Paul", PASSWORD) == 302


def test_a_banned_user_stays_outside_and_his_session_ends(operator: User, client: Client) -> None:
    assert _try(client, "Olga", PASSWORD) == 302
    User.objects.filter(pk=operator.pk).update(is_active=False)
    assert client.get("/admin/").status_code == 302
    assert _try(client, "Olga", PASSWORD) == 200


@pytest.mark.parametrize("name", ["", "x" * 100_000, "a\0b", "' OR 1=1 --"])
def test_senseless_names_are_refused_quietly(client: Client, name: str) -> None:
    assert _try(client, name, "wrong") == 200
