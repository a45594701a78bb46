"""Operators see the room as it is now, in their language; nobody else does."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.models import User
from config import clock
from tables import presence
from tables.presence import Worker
from tests.conftest import Running
from tests.tournaments.cast import started
from tournaments import audit_watch

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def boss(house: Redis, broker: Redis, client: Client) -> Client:
    """A browser logged in as somebody who may do everything."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


def test_the_page_shows_workers_queues_and_findings(boss: Client, house: Redis) -> None:
    started(6)
    presence.note(house, Worker("play0@here", ("play.0",), clock.redis_now_ms(house)))
    audit_watch.leave(["table 7 has 5 chips too many"], looks=3, took_s=0.5)
    page = boss.get(reverse("admin_live")).content.decode()
    for words in ("play0@here", "settle", "table 7 has 5 chips too many", 'hx-trigger="every 2s"'):
        assert words in page, words
    inner = boss.get(reverse("admin_live"), headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in inner and "play0@here" in inner
    german = boss.get(reverse("admin_live"), headers={"Accept-Language": "de"}).content.decode()
    assert "Das Haus jetzt" in german


def test_nothing_of_it_is_read_out_every_two_seconds(boss: Client) -> None:
    page = boss.get(reverse("admin_live")).content.decode()
    assert 'id="live"' in page and "aria-live" not in page


def test_only_staff_sees_it(house: Redis, client: Client) -> None:
    client.force_login(User.objects.create(name="Player"))
    assert client.get(reverse("admin_live")).status_code == 302


def test_a_server_that_is_away_is_said(boss: Client, broker_server: Running) -> None:
    broker_server.kill()
    page = boss.get(reverse("admin_live"), headers={"HX-Request": "true"}).content.decode()
    assert "A server does not answer" in page


def test_the_index_leads_there(boss: Client) -> None:
    assert reverse("admin_live") in boss.get(reverse("admin:index")).content.decode()
