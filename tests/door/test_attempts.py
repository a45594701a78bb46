"""Log-ins and sign-ups are limited by address and in all, and nothing changes when refused."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from config import limits

pytestmark = pytest.mark.django_db

PASSWORD = "three blind mice"
LOGIN, SIGNUP, ADMIN = "/accounts/login/", "/accounts/signup/", "/admin/login/"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Three log-ins of an address and five of everybody at once, two sign-ups; then hardly any."""
    monkeypatch.setattr(limits, "LOGINS_BURST_PER_ADDRESS", 3)
    monkeypatch.setattr(limits, "LOGINS_BURST", 5)
    monkeypatch.setattr(limits, "SIGNUPS_BURST_PER_ADDRESS", 2)
    settings.LOGINS_PER_MINUTE_PER_ADDRESS = 1
    settings.LOGINS_PER_MINUTE = 1
    settings.SIGNUPS_PER_MINUTE_PER_ADDRESS = 1


def _guess(client: Client, number: int, seen: str, path: str = LOGIN) -> int:
    form = {"username": f"invented{number}", "password": "wrong"}
    return client.post(path, form, REMOTE_ADDR=seen).status_code


def test_invented_names_from_one_address_are_refused_at_every_log_in(
    few: None, client: Client
) -> None:
    User.objects.create_user("olga", PASSWORD)
    paths = [LOGIN, ADMIN, LOGIN, LOGIN, ADMIN]
    found = [_guess(client, number, "127.0.0.2", path) for number, path in enumerate(paths)]
    assert found == [200, 200, 200, 429, 429]
    right = {"username": "olga", "password": PASSWORD}
    assert client.post(LOGIN, right, REMOTE_ADDR="127.0.0.2").status_code == 429
    assert "_auth_user_id" not in client.session
    assert client.post(LOGIN, right, REMOTE_ADDR="127.0.0.3").status_code == 302


def test_an_ipv6_network_is_one_address(few: None, client: Client) -> None:
    found = [_guess(client, number, f"2001:db8:1:2::{number}") for number in range(1, 5)]
    assert found == [200, 200, 200, 429]
    assert _guess(client, 9, "2001:db8:1:3::1") == 200


def test_all_addresses_together_are_limited_too(few: None, client: Client) -> None:
    found = [_guess(client, number, f"127.0.1.{number}") for number in range(1, 8)]
    assert found == [200] * 5 + [429] * 2


def test_what_an_address_is_refused_is_not_taken_from_the_others(few: None, client: Client) -> None:
    for number in range(50):
        _guess(client, number, "127.0.0.2")
    assert _guess(client, 51, "127.0.0.3") == 200


def test_a_refusal_says_when_to_come_back_in_the_visitors_language(
    few: None, client: Client
) -> None:
    for number in range(3):
        _guess(client, number, "127.0.0.2")
    form = {"username": "invented", "password": "wrong"}
    refused = client.post(LOGIN, form, REMOTE_ADDR="127.0.0.2", headers={"Accept-Language": "de"})
    assert 0 < int(refused["Retry-After"]) <= 60
    assert "Zu viele Versuche" in refused.content.decode()
    assert "frame-ancestors" in refused["Content-Security-Policy"]
    told = client.post(
        LOGIN, form, REMOTE_ADDR="127.0.0.2", headers={"Accept": "application/json"}
    ).json()
    assert told["code"] == "slow_down"


def test_sign_ups_of_one_address_are_limited_and_make_nobody(few: None, client: Client) -> None:
    found = []
    for number in range(4):
        form = {"name": f"Sockpuppet{number}", "password": "a-long-and-odd-password"}
        found.append(Client().post(SIGNUP, form, REMOTE_ADDR="127.0.0.2").status_code)
    assert found == [302, 302, 429, 429]
    assert User.objects.filter(name__startswith="Sockpuppet").count() == 2


def test_looking_at_the_pages_costs_no_try(few: None, client: Client) -> None:
    assert {client.get(LOGIN, REMOTE_ADDR="127.0.0.2").status_code for _ in range(10)} == {200}
