"""Notifications about tournaments: starts, new ones of a club, tickets; and those of webhooks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from redis import Redis

from accounts.models import User
from accounts.notifications import preferences, raising
from accounts.notifications.kinds import NotificationKind
from accounts.notifications.models import Notification
from accounts.users import bots
from tests.accounts.notifications.push_browser import PushBrowser
from tests.config.outside.receiver import Receiver, receiving
from tests.tournaments.cast import offer, open_offer
from tests.tournaments.club_scene import club_offer, join, make_club, person
from tests.tournaments.prizes.ticket_scene import give_ticket
from tournaments.entries import guests, registration
from tournaments.models import Entry, Tournament, Webhook, WebhookDelivery
from tournaments.queries.notices import CLUB_TOURNAMENT, INVITED, STARTS_SOON, TICKET_EXPIRES
from tournaments.running import operations
from tournaments.webhooks import collecting

MINUTE = timedelta(minutes=1)


@pytest.fixture
def receiver(house: Redis, settings: Any) -> Iterator[Receiver]:
    settings.PUSH_NETWORKS = ["127.0.0.0/8"]
    with receiving() as listening:
        yield listening


def told(kind: NotificationKind, now: datetime | None = None) -> list[tuple[str, str, str]]:
    """Name, title and text of what a kind tells newly."""
    last = Notification.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    raising.raise_kind(kind, now or timezone.now())
    rows = Notification.objects.filter(pk__gt=last).order_by("user__name", "pk")
    return list(rows.values_list("user__name", "title", "text"))


def subscribed(*users: User, receiver: Receiver) -> None:
    for user in users:
        PushBrowser().subscribe(user, receiver, user.name)


def test_a_start_is_told_twice_to_registered_players_alone(receiver: Receiver) -> None:
    at = timezone.now() + timedelta(hours=1)
    tournament = open_offer(name="Friday", start="scheduled", starts_at=at)
    ann, ben, cleo, dan = bots.create(4)
    subscribed(ann, ben, cleo, dan, receiver=receiver)
    preferences.save_choices(cleo, [("turn", "push")])
    for player in (ann, ben, cleo):
        registration.register(player, tournament)
    registration.unregister(ben, tournament)
    assert told(STARTS_SOON, at - 16 * MINUTE) == []
    first = [(ann.name, "Friday starts in 15 minutes.", "You are registered.")]
    assert told(STARTS_SOON, at - 15 * MINUTE) == first
    assert told(STARTS_SOON, at - 6 * MINUTE) == []
    Entry.objects.filter(user=ben).delete()
    late = registration.register(ben, tournament)
    Entry.objects.filter(pk=late.pk).update(registered_at=at - 10 * MINUTE)
    assert told(STARTS_SOON, at - 6 * MINUTE) == [], "a late entry knows the time"
    names = [name for name, *_ in told(STARTS_SOON, at - 4 * MINUTE)]
    assert sorted(names) == sorted([ann.name, ben.name])
    assert told(STARTS_SOON, at) == []
    assert Notification.objects.filter(kind="start").values("expires_at").distinct().count() == 1


def test_a_tournament_that_is_off_or_by_players_tells_no_start(receiver: Receiver) -> None:
    at = timezone.now() + timedelta(minutes=10)
    ann = bots.create(1)[0]
    subscribed(ann, receiver=receiver)
    cancelled = open_offer(start="scheduled", starts_at=at)
    registration.register(ann, cancelled)
    registration.register(ann, open_offer(name="Sit"))
    Entry.objects.update(registered_at=at - timedelta(hours=1))
    operations.cancel(cancelled.pk, reason="no room")
    assert told(STARTS_SOON) == []


def test_members_are_told_of_a_new_tournament_of_their_club_once(receiver: Receiver) -> None:
    club, other = make_club(), make_club("Otto", "Turn Toads")
    mia, stan, tom = join(club, "Mia"), User.objects.create_user("Stan"), join(other, "Tom")
    subscribed(mia, stan, tom, receiver=receiver)
    at = timezone.now() + timedelta(hours=5)
    made = club_offer(club, start="scheduled", starts_at=at)
    offer(name="Of the room", start="scheduled", starts_at=at)
    expected = ("Mia", "River Rats", "New tournament: Secret evening, price 11.00.")
    assert told(CLUB_TOURNAMENT) == [expected] and told(CLUB_TOURNAMENT) == []
    repeated = club_offer(club, name="Again", start="scheduled", starts_at=at)
    Tournament.objects.filter(pk=repeated.pk).update(follows=made)
    old = club_offer(club, name="Old", start="scheduled", starts_at=at)
    Tournament.objects.filter(pk=old.pk).update(created_at=at - timedelta(days=2))
    assert told(CLUB_TOURNAMENT) == []
    club_offer(other, name="Toads", start="scheduled", starts_at=at)
    assert [name for name, *_ in told(CLUB_TOURNAMENT)] == ["Tom"]


def test_a_guest_is_told_of_an_invitation_once(receiver: Receiver) -> None:
    club, gus, stan = make_club(), person("Gus"), person("Stan")
    subscribed(gus, stan, receiver=receiver)
    at = timezone.now() + timedelta(hours=5)
    made = club_offer(club, entered_by="invited", start="scheduled", starts_at=at)
    guests.invite(made.pk, "Gus", actor=person("Olga"))
    expected = ("Gus", "You are invited", "Secret evening, a tournament of River Rats.")
    assert told(INVITED) == [expected] and told(INVITED) == []
    off = club_offer(club, name="Off", entered_by="invited")
    guests.invite(off.pk, "Gus", actor=person("Olga"))
    operations.cancel(off.pk, reason="no room")
    assert told(INVITED) == []
    guests.invite(made.pk, "Stan", actor=person("Olga"))
    assert told(INVITED, at) == [], "it has started"
    assert [name for name, *_ in told(INVITED)] == ["Stan"]


def test_a_ticket_is_told_on_its_last_day_while_it_is_valid(receiver: Receiver) -> None:
    ann, ben = bots.create(2)
    subscribed(ann, ben, receiver=receiver)
    now = timezone.now()
    give_ticket(ann, "one", valid_until=now + timedelta(hours=23))
    give_ticket(ann, "two", valid_until=now + timedelta(hours=30))
    used = give_ticket(ben, "three", valid_until=now + timedelta(hours=23))
    type(used).objects.filter(pk=used.pk).update(state="used")
    [(name, title, text)] = told(TICKET_EXPIRES)
    assert (name, title) == (ann.name, "A ticket is about to expire")
    assert text == "Worth 11.00, for main. It is valid for less than a day."


def test_webhooks_tell_chats_of_new_tournaments_and_starts_as_they_are_set(
    house: Redis, settings: Any
) -> None:
    fields = {"name": "Chat", "address": "https://chat.example/", "scope": "results"}
    on = {"tells_new": True, "tells_starts": True}
    chat = Webhook.objects.create(form="discord", language="de", **fields, **on)
    program = Webhook.objects.create(form="json", **fields, **on)
    silent = Webhook.objects.create(form="telegram", **fields)
    at = timezone.now() + timedelta(minutes=14)
    open_offer(name="Fri*day", start="scheduled", starts_at=at)
    hidden = open_offer(name="Hidden", start="scheduled", starts_at=at)
    Tournament.objects.filter(pk=hidden.pk).update(password="$argon2$never-asked")
    for _ in range(2):
        for webhook in (chat, program, silent):
            collecting.collect(webhook.pk)
    rows = WebhookDelivery.objects.filter(stream__startswith="notice:").order_by("pk")
    assert [(row.webhook_id, row.event, row.seq) for row in rows] == [
        (chat.pk, "announced", 0),
        (chat.pk, "starts_soon", 15),
        (program.pk, "announced", 0),
        (program.pk, "starts_soon", 15),
    ]
    texts = [json.loads(row.body)["content"] for row in rows[:2]]
    assert texts[0].startswith(r"Neues Turnier: Fri\*day, Preis 11,00.")
    assert texts[1].startswith(r"Fri\*day beginnt in 14 Minuten.")
    told_event = json.loads(rows[3].body)
    assert told_event["event"]["minutes"] == 15 and told_event["tournament"]["name"] == "Fri*day"
    assert not any("Hidden" in row.body for row in rows)
