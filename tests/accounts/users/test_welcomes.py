"""First play money of newcomers: limited by address and day, without refusing sign-ups."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.ledger.transfers import held_by
from accounts.models import AccountKind, User, WelcomeCount
from accounts.users import bots
from accounts.users import newcomers as welcomes
from config import limits

SIGNUP, PASSWORD = "/accounts/signup/", "a-long-and-odd-password"


def _sign_up(name: str, seen: str, **headers: str) -> tuple[User, Client]:
    client = Client(headers=headers)
    answer = client.post(SIGNUP, {"name": name, "password": PASSWORD}, REMOTE_ADDR=seen)
    assert answer.status_code == 302
    return User.objects.get(name=name), client


def _money(user: User) -> int:
    return held_by(user, AccountKind.PLAYER)


def test_an_address_gets_the_play_money_so_often_in_a_day(db: None, settings: Settings) -> None:
    settings.WELCOMES_PER_ADDRESS_PER_DAY = 2
    given = [_money(_sign_up(f"Sock{number}", "127.0.0.2")[0]) for number in range(4)]
    assert given == [limits.PLAY_MONEY_WELCOME_CENTS] * 2 + [0, 0]
    elsewhere, _ = _sign_up("Elsewhere", "127.0.0.3")
    assert _money(elsewhere) == limits.PLAY_MONEY_WELCOME_CENTS
    WelcomeCount.objects.update(day=F("day") - timedelta(days=1))
    tomorrow, _ = _sign_up("Tomorrow", "127.0.0.2")
    assert _money(tomorrow) == limits.PLAY_MONEY_WELCOME_CENTS


def test_newcomer_without_play_money_plays_and_sees_the_reason(
    db: None, settings: Settings
) -> None:
    settings.WELCOMES_PER_ADDRESS_PER_DAY = 0
    poor, client = _sign_up("Poor", "127.0.0.2", **{"Accept-Language": "de"})
    assert client.session["_auth_user_id"] == str(poor.pk)
    page = client.get("/").content.decode()
    assert "Das freie Spielgeld für dein Netz ist für heute vergeben" in page
    assert "vergeben" not in client.get("/").content.decode(), "the message is shown once"
    assert client.get("/wallet/").status_code == 200
    assert _money(poor) == 0


def test_an_ipv6_network_is_one_address(db: None, settings: Settings) -> None:
    settings.WELCOMES_PER_ADDRESS_PER_DAY = 1
    assert _money(_sign_up("First", "2001:db8:1:2::1")[0]) > 0
    assert _money(_sign_up("Second", "2001:db8:1:2:ffff::2")[0]) == 0


def test_the_address_is_not_kept_and_old_days_are_forgotten(db: None) -> None:
    _sign_up("First", "203.0.113.7")
    row = WelcomeCount.objects.get()
    assert "203.0.113.7" not in row.source
    assert row.given == 1
    WelcomeCount.objects.update(day=row.day - timedelta(days=10))
    _sign_up("Second", "203.0.113.8")
    assert WelcomeCount.objects.count() == 1


def test_bots_and_operators_are_not_counted(db: None, settings: Settings) -> None:
    settings.WELCOMES_PER_ADDRESS_PER_DAY = 0
    assert [_money(bot) for bot in bots.create(3)] == [limits.PLAY_MONEY_WELCOME_CENTS] * 3


def test_a_refused_sign_up_takes_nothing(db: None) -> None:
    _sign_up("First", "127.0.0.2")
    Client().post(SIGNUP, {"name": "first", "password": PASSWORD}, REMOTE_ADDR="127.0.0.2")
    assert WelcomeCount.objects.get().given == 1


@pytest.mark.django_db(transaction=True)
def test_two_concurrent_sign_ups_share_one_last_welcome(settings: Settings) -> None:
    settings.WELCOMES_PER_ADDRESS_PER_DAY = 3

    def take(_: int) -> bool:
        try:
            with transaction.atomic():
                return welcomes.take("127.0.0.2")
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as newcomers:
        assert sum(newcomers.map(take, range(16))) == 3
