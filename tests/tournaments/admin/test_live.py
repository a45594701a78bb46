"""Live page of the admin: state of the room for staff only, in their language."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from redis import Redis

from accounts.models import User
from config import clock
from tables.store import fenced, keys
from tables.workers import presence
from tables.workers.presence import Worker
from tests.conftest import Running
from tests.tournaments.cast import Arena, started
from tests.tournaments.club_scene import staff
from tournaments.events import bells
from tournaments.models import Announcement
from tournaments.monitor import audit_watch

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def boss(house: Redis, broker: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
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
    assert "Der Raum jetzt" in german


def test_the_auditor_is_late_only_after_its_longest_pause(boss: Client, house: Redis) -> None:
    for age_s, is_late in ((audit_watch.REST_MAX_S + 60, False), (400, True)):
        audit_watch.leave([], looks=1, took_s=9.0)
        found = audit_watch.last()
        assert found is not None
        earlier = msgspec.structs.replace(found, at_ms=found.at_ms - int(age_s * 1_000))
        house.set(audit_watch.FOUND, msgspec.json.encode(earlier))
        page = boss.get(reverse("admin_live")).content.decode()
        assert ("The auditor is late." in page) is is_late, age_s


def test_the_live_page_has_no_live_region_for_its_refresh(boss: Client) -> None:
    page = boss.get(reverse("admin_live")).content.decode()
    assert 'id="live"' in page and "aria-live" not in page


def test_only_staff_sees_the_live_page(house: Redis, client: Client) -> None:
    client.force_login(User.objects.create(name="Player"))
    assert client.get(reverse("admin_live")).status_code == 302


def test_an_unreachable_server_is_reported(boss: Client, broker_server: Running) -> None:
    broker_server.kill()
    page = boss.get(reverse("admin_live"), headers={"HX-Request": "true"}).content.decode()
    assert "A server does not answer" in page


def test_the_index_links_the_live_page(boss: Client) -> None:
    assert reverse("admin_live") in boss.get(reverse("admin:index")).content.decode()


def test_one_tournament_has_its_tables_with_hand_and_phase(boss: Client, house: Redis) -> None:
    one, other = started(4, seats_per_table=2, name="Evening"), started(4, name="Morning")
    first, second = Arena(one.pk).tables()
    loaded = fenced.load(house, first)
    assert loaded is not None
    ended = {"hand_number": 4, "ended_ms": loaded.now_ms - 7_000}
    fenced.commit(house, loaded, msgspec.structs.replace(loaded.state, **ended), [], drained=0)
    address = f"{reverse('admin_live')}?tournament={one.pk}"
    page = boss.get(address)
    rows = {row["pk"]: row for row in page.context["one"]["tables"]}
    assert set(rows) == {first, second}
    assert rows[first]["hand"] == 4 and 7 <= rows[first]["quiet_s"] < 30
    assert (rows[second]["hand"], rows[second]["quiet_s"]) == (0, None)
    assert not any(row["stuck"] for row in rows.values())
    shown = page.content.decode()
    assert f'hx-get="{address}"' in shown and "between hands" in shown
    assert "Evening" in shown and "Morning" not in shown and other.name == "Morning"


def test_players_who_are_disconnected_are_counted(boss: Client, house: Redis) -> None:
    one = started(4, seats_per_table=2)
    first, second = Arena(one.pk).tables()
    loaded = fenced.load(house, first)
    assert loaded is not None
    there, dead = (seat.user for seat in loaded.state.seats)
    now_ms = clock.redis_now_ms(house)
    gateways = {"aaaaaaaa": now_ms + 60_000, "deadbeef": now_ms - 10_000}
    for gateway, at_ms in gateways.items():
        house.hset(keys.gateways(0), gateway, at_ms)
    tabs = {str(there): "aaaaaaaa" + "0" * 32, str(dead): "deadbeef" + "0" * 32}
    for user, tab in tabs.items():
        house.hset(keys.tabs(keys.table(first), settings.SHARDS), user, tab)
    page = boss.get(reverse("admin_live"), {"tournament": one.pk})
    rows = page.context["one"]["tables"]
    counted = {row["pk"]: (row["seated"], row["disconnected"]) for row in rows}
    assert counted == {first: (2, 1), second: (2, 2)}
    assert page.context["one"]["disconnected"] == 3
    assert "Disconnected players" in page.content.decode()


def test_a_table_without_a_worker_is_stuck(boss: Client, house: Redis) -> None:
    one = started(4, seats_per_table=2)
    first, second = Arena(one.pk).tables()
    house.hset(keys.state(keys.table(first), settings.SHARDS), "rings", 3)
    house.delete(keys.state(keys.table(second), settings.SHARDS))
    one_now = boss.get(reverse("admin_live"), {"tournament": one.pk}).context["one"]
    assert [row["stuck"] for row in one_now["tables"]] == [True, True] and one_now["stuck"] == 2
    assert one_now["tables"][1]["phase"] == "not in Redis"


def test_unpublished_announcements_and_a_late_tick_are_measured(boss: Client, house: Redis) -> None:
    one = started(2)
    bells.reschedule(one.pk, 0, bells.due(one.pk))
    house.zadd(keys.wakes(0), {one.member: clock.redis_now_ms(house) - 9_000})
    minute = timezone.now() - timedelta(minutes=1)
    Announcement.objects.filter(stream=one.member).update(published=True)
    told = Announcement.objects.filter(stream=one.member).order_by("-seq")[:1].get()
    Announcement.objects.filter(pk=told.pk).update(published=False, at=minute)
    now = boss.get(reverse("admin_live"), {"tournament": one.pk}).context["one"]
    assert now["untold"]["count"] == 1 and 60_000 <= now["untold"]["lag_ms"] < 90_000
    assert 9_000 <= now["tick_late_ms"] < 30_000


def test_a_tournament_links_its_own_live_page(boss: Client) -> None:
    one = started(2)
    page = boss.get(reverse("admin:tournaments_tournament_change", args=[one.pk]))
    assert f"{reverse('admin_live')}?tournament={one.pk}" in page.content.decode()


def test_tournaments_are_shown_to_staff_who_look_at_them_alone(
    boss: Client, client: Client
) -> None:
    one = started(2)
    address = f"{reverse('admin_live')}?tournament={one.pk}"
    for right, status in (("moderate_chat", 403), ("view_tournament", 200)):
        client.force_login(staff(right, right))
        assert client.get(address).status_code == status, right
        assert client.get(reverse("admin_live")).status_code == 200


@pytest.mark.parametrize("number", ["0", "x", "-1", "99999999999999999999"])
def test_a_missing_tournament_is_not_found(boss: Client, number: str) -> None:
    assert boss.get(reverse("admin_live"), {"tournament": number}).status_code == 404
