"""Calendar files: read back by a parser of RFC 5545, with their rights."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar, Event
from redis import Redis

from accounts.models import User
from accounts.users import bots, calendar_keys
from tests.tournaments.cast import open_offer
from tournaments.entries import registration
from tournaments.models import Tournament
from tournaments.running import operations

SECRET = "$argon2$never-asked"


@pytest.fixture
def player(house: Redis) -> User:
    return bots.create(1)[0]


def scheduled(**fields: object) -> Tournament:
    """A tournament of tomorrow with open registration."""
    starts_at = datetime(2099, 5, 4, 19, 30, tzinfo=UTC)
    return open_offer(**({"start": "scheduled", "starts_at": starts_at} | fields))


def read(client: Client, address: str) -> list[Event]:
    """The events of a file, as calendars read them."""
    answer = client.get(address)
    assert answer.status_code == 200, answer.status_code
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert all(len(line) <= 75 for line in answer.content.split(b"\r\n"))
    parts = Calendar.from_ical(answer.content).walk("VEVENT")
    events = [part for part in parts if isinstance(part, Event)]
    assert len(events) == len(parts)
    return events


def own(user: User) -> str:
    """Address of a player's calendar."""
    return reverse("calendar_own", args=[calendar_keys.key_of(user)])


def test_a_tournament_is_read_back_with_its_start_and_expected_end(
    house: Redis, client: Client
) -> None:
    name = "Käse, Wurst; and\\ a name so long that a line of the file has to be folded"
    tournament = scheduled(name=name)
    [event] = read(client, f"/tournaments/{tournament.pk}/calendar.ics")
    assert str(event["summary"]) == name
    assert event.start == tournament.starts_at
    assert timedelta(minutes=20) < event.end - event.start < timedelta(hours=12)
    assert str(event["url"]).endswith(f"/tournaments/{tournament.pk}/")
    assert str(event["status"]) == "CONFIRMED"
    page = client.get(f"/tournaments/{tournament.pk}/").content.decode()
    assert f'href="/tournaments/{tournament.pk}/calendar.ics"' in page


def test_a_sit_and_go_has_no_start_to_note(house: Redis, client: Client) -> None:
    sit_and_go = open_offer()
    assert client.get(f"/tournaments/{sit_and_go.pk}/calendar.ics").status_code == 404
    assert read(client, "/calendar.ics") == []
    page = client.get(f"/tournaments/{sit_and_go.pk}/").content.decode()
    assert "calendar.ics" not in page


@pytest.mark.rule("T-02")
def test_a_private_tournament_is_a_file_only_for_viewers(player: User, client: Client) -> None:
    tournament = scheduled()
    Tournament.objects.filter(pk=tournament.pk).update(password=SECRET)
    address = f"/tournaments/{tournament.pk}/calendar.ics"
    client.force_login(player)
    assert client.get(address).status_code == 404
    Tournament.objects.filter(pk=tournament.pk).update(seen_by="everybody")
    assert len(read(client, address)) == 1


def test_the_rooms_calendar_lists_starts_ahead_in_order(house: Redis, client: Client) -> None:
    late = scheduled(name="Late")
    soon = scheduled(name="Soon", starts_at=timezone.now() + timedelta(hours=1))
    gone = scheduled(name="Gone")
    operations.cancel(gone.pk, reason="no room")
    open_offer(name="When full")
    uids = [str(event["uid"]).partition("@")[0] for event in read(client, "/calendar.ics")]
    assert uids == [f"tournament-{soon.pk}", f"tournament-{late.pk}"]


def test_a_players_calendar_follows_the_entries(player: User, client: Client) -> None:
    first, second = scheduled(name="First"), scheduled(name="Second")
    scheduled(name="Of others")
    registration.register(player, first.pk)
    registration.register(player, second.pk)
    # A calendar has no session: the client is not logged in.
    assert [str(event["summary"]) for event in read(client, own(player))] == ["First", "Second"]
    registration.unregister(player, first.pk)
    operations.cancel(second.pk, reason="no room")
    [left] = read(client, own(player))
    assert (str(left["summary"]), str(left["status"])) == ("Second", "CANCELLED")


def test_a_key_opens_one_calendar_until_the_next_password(player: User, client: Client) -> None:
    registration.register(player, scheduled().pk)
    other = User.objects.create_user("Other", "a long password")
    key = calendar_keys.key_of(player)
    signature = key.partition(".")[2]
    wrong = ["", "x", ".", "1.", f"{other.pk}.{signature}", f"-{key}", f"{key}x", f"{10**17}.x"]
    for tried in wrong:
        assert calendar_keys.user_of(tried) is None, tried
        assert client.get(f"/calendar/{tried}.ics").status_code == 404
    assert calendar_keys.user_of(key) == player
    player.set_password("another long password")
    player.save()
    assert client.get(f"/calendar/{key}.ics").status_code == 404
    assert len(read(client, own(player))) == 1
    player.is_active = False
    player.save()
    assert client.get(own(player)).status_code == 404


def test_the_lobby_gives_only_players_an_own_calendar(player: User, client: Client) -> None:
    assert "/calendar/" not in client.get("/").content.decode()
    client.force_login(player)
    page = client.get("/").content.decode()
    assert f'href="{own(player)}"' in page and 'href="/calendar.ics"' in page


def test_a_players_calendar_speaks_the_language_of_the_account(
    player: User, client: Client
) -> None:
    """The service of a calendar reads it for the player, and names no language."""
    User.objects.filter(pk=player.pk).update(language="de")
    registration.register(player, scheduled())
    content = client.get(own(player)).content.decode()
    assert "Meine Turniere" in content and "My tournaments" not in content
