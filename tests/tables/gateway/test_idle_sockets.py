"""Idle time-out and sockets: commands keep a session, ended sessions lose their sockets."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client as Browser
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.logins.minting import mint
from accounts.models import LoginSession
from config import limits
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Site, users, wait_for

__all__ = ["site"]

LONG_AGO = timedelta(minutes=60, seconds=limits.LOGIN_SEEN_EVERY_S + 1)
ACT = {"type": "act", "id": "a" * 8, "table": 1, "epoch": 1, "hand": 1, "turn": 1, "action": "fold"}


@pytest.fixture
def hourly(settings: Settings) -> None:
    settings.IDLE_MINUTES = 60


@pytest.mark.usefixtures("hourly")
def test_the_next_request_cuts_the_sockets_of_an_idle_session(site: Site) -> None:
    ann, bob = users("ann", "bob")
    key = mint([ann], 1)[0][1]
    client, other = site.client(key=key), site.client(bob)
    LoginSession.objects.filter(user=ann).update(seen_at=timezone.now() - LONG_AGO)
    assert client.silent()
    browser = Browser()
    browser.cookies["sessionid"] = key
    assert browser.get("/account/").status_code == 302
    rest, code = client.cut_off()
    assert (rest[-1]["code"], code) == ("session_expired", 1008)
    other.say(type="ping", sent_ms=1)
    other.expect("pong")


@pytest.mark.usefixtures("hourly")
def test_an_idle_session_opens_no_socket_of_its_user(site: Site) -> None:
    (ann,) = users("ann")
    key = mint([ann], 1)[0][1]
    assert site.client(key=key).welcome["user"] == ann.pk
    LoginSession.objects.update(seen_at=timezone.now() - LONG_AGO)
    assert site.client(key=key).welcome["user"] is None


@pytest.mark.usefixtures("hourly")
def test_commands_at_a_table_are_use_and_pings_are_not(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SESSIONS_CHECK_MS", 100)
    monkeypatch.setattr(limits, "LOGIN_SEEN_EVERY_S", 0)
    ann, bob = users("ann", "bob")
    player, watcher = site.client(ann), site.client(bob)
    before = timezone.now() - timedelta(minutes=30)
    LoginSession.objects.update(seen_at=before)
    watcher.say(type="ping", sent_ms=1)
    watcher.expect("pong")
    player.say(**ACT)
    player.expect("refused")
    wait_for(lambda: LoginSession.objects.get(user=ann).seen_at > before)
    assert LoginSession.objects.get(user=bob).seen_at == before


def test_commands_of_players_write_nothing_where_only_staff_times_out(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SESSIONS_CHECK_MS", 100)
    monkeypatch.setattr(limits, "LOGIN_SEEN_EVERY_S", 0)
    ann, olga = users("ann", "olga")
    olga.is_staff = True
    olga.save()
    player, staff = site.client(ann), site.client(olga)
    before = timezone.now() - timedelta(minutes=30)
    LoginSession.objects.update(seen_at=before)
    for client in (player, staff):
        client.say(**ACT)
        client.expect("refused")
    wait_for(lambda: LoginSession.objects.get(user=olga).seen_at > before)
    assert LoginSession.objects.get(user=ann).seen_at == before
