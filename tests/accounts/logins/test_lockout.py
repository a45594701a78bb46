"""Lock-out of password guessers, under any spelling of the name."""

from __future__ import annotations

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.logins import lockout
from accounts.models import User
from accounts.users.password_links import path_for
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


def test_a_wrong_password_is_told_in_the_words_of_the_reader(
    operator: User, client: Client
) -> None:
    typed = {"username": "Olga", "password": "wrong"}
    english = client.post("/accounts/login/", typed).content.decode()
    assert "Wrong name or password." in english
    german = client.post("/accounts/login/", typed, headers={"Accept-Language": "de"})
    assert "Name oder Passwort falsch." in german.content.decode()


def test_too_many_failures_shut_even_the_right_password_out(operator: User, client: Client) -> None:
    spellings = ["Olga", "OLGA", "olga", "oLGA", " Olga", "OlGa", "olGA", "OLga"]
    for spelling in spellings[: limits.LOGIN_FAILURES_MAX]:
        _try(client, spelling, "wrong")
    assert _try(client, "Olga", PASSWORD) == 429
    assert _try(client, "ｏｌｇａ", PASSWORD) == 429
    assert "_auth_user_id" not in client.session


def test_a_lock_out_is_prolonged_by_no_further_try(operator: User, client: Client) -> None:
    for _ in range(limits.LOGIN_FAILURES_MAX):
        _try(client, "Olga", "wrong")
    lately = timezone.now() - timedelta(seconds=limits.LOGIN_LOCK_S - 60)
    AccessAttempt.objects.update(attempt_time=lately)
    for password in ("wrong", PASSWORD):
        assert _try(client, "Olga", password) == 429
    assert AccessAttempt.objects.get().attempt_time == lately
    AccessAttempt.objects.update(attempt_time=lately - timedelta(seconds=60))
    assert _try(client, "Olga", PASSWORD) == 302


def test_success_resets_the_count_of_failures(operator: User, client: Client) -> None:
    for _ in range(2):
        for _ in range(limits.LOGIN_FAILURES_MAX - 1):
            assert _try(client, "Olga", "wrong") == 200
        assert _try(client, "OLGA", PASSWORD) == 302
        client.post("/admin/logout/")


def _guess(client: Client, seen: str) -> int:
    return client.post(
        LOGIN,
        {"username": "Olga", "password": "wrong", "next": "/admin/"},
        headers={"X-Forwarded-For": seen},
        REMOTE_ADDR="10.0.0.1",
    ).status_code


def test_behind_a_proxy_each_address_is_counted_for_itself(
    operator: User, client: Client, settings: Settings
) -> None:
    settings.PROXIES = 1
    for number in range(limits.LOGIN_FAILURES_MAX + 1):
        last = _guess(client, f"198.51.100.{number}, 203.0.113.7")
    assert last == 429, "values a client wrote are not read"
    assert _guess(client, "203.0.113.8") == 200
    settings.PROXIES = 2
    assert _guess(client, "203.0.113.7, 10.0.0.9") == 429, "seen by the outer proxy of two"
    assert _guess(client, "203.0.113.8, 10.0.0.9") == 200


def test_without_a_proxy_nobody_passes_for_another(operator: User, client: Client) -> None:
    for number in range(limits.LOGIN_FAILURES_MAX):
        _guess(client, f"203.0.113.{number}")
    assert _guess(client, "203.0.113.200") == 429


@pytest.mark.parametrize("seen", ["", "unknown", "::1]:443", "1.2.3.4.5"])
def test_an_address_that_is_none_counts_for_the_proxy(
    rf: RequestFactory, settings: Settings, seen: str
) -> None:
    settings.PROXIES = 1
    asked = rf.get("/", headers={"X-Forwarded-For": seen}, REMOTE_ADDR="10.0.0.1")
    assert lockout.address(asked) == "10.0.0.1"


def test_lock_out_spares_other_users(operator: User, client: Client) -> None:
    User.objects.create_superuser(name="Paul", password=PASSWORD)
    for _ in range(limits.LOGIN_FAILURES_MAX + 1):
        _try(client, "Olga", "wrong")
    assert _try(client, "Paul", PASSWORD) == 302


def test_a_new_password_by_a_link_ends_the_lock_out_of_its_address_alone(operator: User) -> None:
    here, there = Client(REMOTE_ADDR="203.0.113.9"), Client(REMOTE_ADDR="198.51.100.9")
    for client in (here, there):
        for _ in range(limits.LOGIN_FAILURES_MAX):
            _try(client, "Olga", "wrong")
    form = here.get(path_for(operator), follow=True).request["PATH_INFO"]
    here.post(form, {"new_password1": "see how they run", "new_password2": "see how they run"})
    assert _try(here, "Olga", "see how they run") == 302
    assert _try(there, "Olga", "see how they run") == 429


def test_a_log_in_that_would_lead_back_to_itself_leads_to_the_lobby(
    operator: User, client: Client
) -> None:
    page = "/accounts/login/"
    typed = {"username": "Olga", "password": PASSWORD, "next": f"{page}?next={page}"}
    assert client.post(page, typed).headers["Location"] == "/"
    assert client.get(f"{page}?next={page}").headers["Location"] == "/"
    assert client.get(f"{page}?next=/wallet/").headers["Location"] == "/wallet/"


def test_a_banned_user_stays_outside_and_his_session_ends(operator: User, client: Client) -> None:
    assert _try(client, "Olga", PASSWORD) == 302
    User.objects.filter(pk=operator.pk).update(is_active=False)
    assert client.get("/admin/").status_code == 302
    assert _try(client, "Olga", PASSWORD) == 200


@pytest.mark.parametrize("name", ["", "x" * 100_000, "a\0b", "' OR 1=1 --"])
def test_senseless_names_are_refused_quietly(client: Client, name: str) -> None:
    assert _try(client, name, "wrong") == 200
