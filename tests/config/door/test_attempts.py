"""Limits of tries by address and in total, applied before Django without side effects."""

from __future__ import annotations

import asyncio
import json
from http.client import HTTPConnection, HTTPMessage
from itertools import takewhile
from urllib.parse import urlencode

import pytest
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from pytest_django.fixtures import Settings
from redis import Redis

from accounts.logins.minting import mint
from accounts.models import User
from config import limits
from config.door import known
from config.door.pages import Pages
from tests.redis_answers import monitored
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import PATIENCE_S, Site, wait_for

__all__ = ["site"]

PASSWORD = "three blind mice"
LOGIN, SIGNUP, ADMIN = "/accounts/login/", "/accounts/signup/", "/admin/login/"
LANGUAGE, SEARCH = "/i18n/setlang/", "/players/"
TOKEN = "c" * 32


class Visitor:
    """Client of the running server, from any address that a proxy may report."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.headers = HTTPMessage()
        self.text = ""

    def ask(
        self, path: str, form: dict[str, str] | None, seen: str = "127.0.0.2", **headers: str
    ) -> int:
        """Return the status of a page, or of a posted form."""
        line = HTTPConnection("127.0.0.1", self._site.port, timeout=PATIENCE_S)
        sent = {
            "Host": "localhost",
            "X-Forwarded-For": seen,
            "X-CSRFToken": TOKEN,
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "text/html",
        } | headers
        sent["Cookie"] = f"csrftoken={TOKEN}; " + headers.get("Cookie", "")
        try:
            if form is None:
                line.request("GET", path, headers=sent)
            else:
                line.request("POST", path, urlencode(form), sent)
            answer = line.getresponse()
            self.headers, self.text = answer.headers, answer.read().decode()
            return answer.status
        finally:
            line.close()


@pytest.fixture
def visitor(site: Site, room: Redis, settings: Settings) -> Visitor:
    """Visitor of the running server, which is behind one proxy."""
    settings.PROXIES = 1
    return Visitor(site)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Limits of three log-ins per address, five in all, two of the others, hardly refilled."""
    monkeypatch.setattr(limits, "LOGINS_BURST_PER_ADDRESS", 3)
    monkeypatch.setattr(limits, "LOGINS_BURST", 5)
    monkeypatch.setattr(limits, "SIGNUPS_BURST_PER_ADDRESS", 2)
    monkeypatch.setattr(limits, "SEARCHES_BURST", 2)
    monkeypatch.setattr(limits, "LANGUAGE_SWITCHES_BURST", 2)
    settings.SEARCHES_PER_MINUTE = settings.LANGUAGE_SWITCHES_PER_MINUTE = 1
    settings.LOGINS_PER_MINUTE_PER_ADDRESS = 1
    settings.LOGINS_PER_MINUTE = 1
    settings.SIGNUPS_PER_MINUTE_PER_ADDRESS = 1


def _guess(visitor: Visitor, number: int, seen: str, path: str = LOGIN) -> int:
    return visitor.ask(path, {"username": f"invented{number}", "password": "wrong"}, seen)


def test_invented_names_from_one_address_are_refused_at_every_log_in(
    few: None, visitor: Visitor
) -> None:
    User.objects.create_user("olga", PASSWORD)
    paths = [LOGIN, ADMIN, LOGIN, LOGIN, ADMIN]
    found = [_guess(visitor, number, "127.0.0.2", path) for number, path in enumerate(paths)]
    assert found == [200, 200, 200, 429, 429]
    right = {"username": "olga", "password": PASSWORD}
    assert visitor.ask(LOGIN, right, "127.0.0.2") == 429
    assert not Session.objects.exists()
    assert visitor.ask(LOGIN, right, "127.0.0.3") == 302


def test_an_ipv6_network_is_one_address(few: None, visitor: Visitor) -> None:
    found = [_guess(visitor, number, f"2001:db8:1:2::{number}") for number in range(1, 5)]
    assert found == [200, 200, 200, 429]
    assert _guess(visitor, 9, "2001:db8:1:3::1") == 200


def test_all_addresses_together_are_limited_too(few: None, visitor: Visitor) -> None:
    found = [_guess(visitor, number, f"127.0.1.{number}") for number in range(1, 8)]
    assert found == [200] * 5 + [429] * 2


def test_refused_tries_of_an_address_leave_the_common_budget_alone(
    few: None, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LOGINS_BURST", limits.LOGINS_BURST_PER_ADDRESS + 1)
    for number in range(50):
        _guess(visitor, number, "127.0.0.2")
    assert _guess(visitor, 51, "127.0.0.3") == 200


def test_a_refusal_says_when_to_come_back_in_the_visitors_language(
    few: None, visitor: Visitor
) -> None:
    for number in range(3):
        _guess(visitor, number, "127.0.0.2")
    form = {"username": "invented", "password": "wrong"}
    assert visitor.ask(LOGIN, form, **{"Accept-Language": "de"}) == 429
    seconds = int(visitor.headers["Retry-After"])
    assert 0 < seconds <= 60
    assert f"Zu viele Versuche in kurzer Zeit. Bitte in {seconds} Sekunde" in visitor.text
    assert "frame-ancestors" in visitor.headers["Content-Security-Policy"]
    assert len(visitor.text) < 1_000
    assert visitor.ask(LOGIN, form, Accept="application/json") == 429
    assert json.loads(visitor.text)["code"] == "too_often"


def test_a_refused_log_in_costs_no_session_and_one_trip(
    few: None, visitor: Visitor, room: Redis
) -> None:
    for number in range(3):
        _guess(visitor, number, "127.0.0.2")
    with monitored(room) as commands:
        for number in range(20):
            assert _guess(visitor, number, "127.0.0.2") == 429
        room.echo("over")
        told = list(takewhile(lambda told: told["command"] != "ECHO over", commands))
    assert (
        len([one for one in told if "EVALSHA" in one["command"] and "rate-" in one["command"]]) == 1
    )
    assert "Set-Cookie" not in visitor.headers


def test_a_refusal_takes_no_connection_to_the_database(few: None, visitor: Visitor) -> None:
    """Refuse although a lock blocks every reader of sessions, users and log-ins."""
    for number in range(3):
        _guess(visitor, number, "127.0.0.2")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE django_session, accounts_user, axes_accessattempt")
        cookie = f"sessionid={'q' * 32}"
        form = {"username": "invented", "password": "wrong"}
        assert visitor.ask(LOGIN, form, "127.0.0.2", Cookie=cookie) == 429


def test_tries_that_cannot_be_counted_soon_are_refused_as_busy(
    site: Site, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    from config.asgi import application

    pages = application.application_mapping["http"]
    assert isinstance(pages, Pages)
    turns = pages._attempts._turns
    holding: list[asyncio.Task[None]] = []

    async def hold() -> None:
        async with turns.turn(0, "127.0.0.9"):
            await asyncio.Event().wait()

    def occupy() -> None:
        holding.extend(asyncio.ensure_future(hold()) for _ in range(limits.ATTEMPT_THREADS))

    site.ask(lambda _: occupy())
    wait_for(lambda: turns.busy == limits.ATTEMPT_THREADS)
    with monkeypatch.context() as patched:
        patched.setattr(limits, "PAGE_WAITS_S", 0.2)
        assert _guess(visitor, 1, "127.0.0.2") == 503
    assert int(visitor.headers["Retry-After"]) == limits.BUSY_RETRY_S
    site.ask(lambda _: [task.cancel() for task in holding])
    assert _guess(visitor, 2, "127.0.0.2") == 200


def test_refused_sign_ups_of_one_address_create_no_user(few: None, visitor: Visitor) -> None:
    found = []
    for number in range(4):
        form = {"name": f"Sockpuppet{number}", "password": "a-long-and-odd-password"}
        found.append(visitor.ask(SIGNUP, form))
    assert found == [302, 302, 429, 429]
    assert User.objects.filter(name__startswith="Sockpuppet").count() == 2


def test_looking_at_the_pages_costs_no_try(few: None, visitor: Visitor) -> None:
    assert {visitor.ask(LOGIN, None) for _ in range(10)} == {200}
    assert {visitor.ask(SEARCH, None) for _ in range(10)} == {200}


def test_searches_are_limited_per_address_for_strangers_and_per_user_for_players(
    few: None, visitor: Visitor
) -> None:
    search = f"{SEARCH}?name=olga"
    assert [visitor.ask(search, None) for _ in range(4)] == [200, 200, 429, 429]
    assert visitor.ask(search, None, "127.0.0.3") == 200
    olga = User.objects.create_user("olga")
    key = mint([olga], 1)[0][1]
    assert visitor.ask("/", None, Cookie=f"sessionid={key}") == 200, "the session is known now"
    assert known.user_of(key) == olga.pk
    found = [visitor.ask(search, None, Cookie=f"sessionid={key}") for _ in range(3)]
    assert found == [200, 200, 429]


def test_switches_of_the_language_are_limited_by_address(few: None, visitor: Visitor) -> None:
    switch = {"language": "de", "next": "/"}
    assert [visitor.ask(LANGUAGE, switch) for _ in range(3)] == [302, 302, 429]
    assert "Set-Cookie" not in visitor.headers
    assert visitor.ask(LANGUAGE, switch, "127.0.0.3") == 302
