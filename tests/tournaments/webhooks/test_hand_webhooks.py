"""Hands told to webhooks: each once, in order, no earlier and no more than to spectators."""

from __future__ import annotations

import json
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from accounts.models import User
from tables.models import Hand
from tests.config.outside.receiver import Receiver
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tests.tournaments.webhooks.hooks import made, receiver, tell
from tournaments.models import Tournament, Webhook, WebhookCursor
from tournaments.running import operations
from tournaments.webhooks import hands

__all__ = ["receiver"]


def hands_of(receiver: Receiver) -> list[dict[str, Any]]:
    """Hands among the messages, in the order of their arrival."""
    bodies = [json.loads(one.body) for one in receiver.received]
    return [body for body in bodies if body["type"] == "hand_finished"]


@pytest.fixture
def webhook(receiver: Receiver) -> Webhook:
    """Webhook that tells results and hands."""
    return made(receiver, scope="results", tells_hands=True)


def test_every_hand_is_told_once_in_order_as_spectators_saw_it(
    receiver: Receiver, webhook: Webhook
) -> None:
    played = PlayedHands(3)
    tell(webhook)
    told = hands_of(receiver)
    assert [one["seq"] for one in told] == [1, 2, 3]
    assert {one["tournament"]["id"] for one in told} == {played.tournament.pk}
    for one, record in zip(told, played.records, strict=True):
        event = one["event"]
        assert (event["table"], event["hand"]) == (played.table, one["seq"])
        assert event["address"].endswith(played.address(one["seq"]))
        assert event["pot"] == Hand.objects.get(number=one["seq"]).pot
        history = event["history"]
        assert history["players"] == [
            seat.name
            for number in record.setup.positions.dealt
            for seat in record.seats
            if seat.seat == number
        ]
        hidden = [line for line in history["actions"] if line.startswith("d dh")]
        assert hidden and all(line.endswith("????") for line in hidden)
    tell(webhook)
    assert len(hands_of(receiver)) == 3
    assert len({one.headers["webhook-id"] for one in receiver.received}) == len(receiver.received)


def test_a_hand_is_told_from_its_release_on_and_holds_back_those_behind_it(
    receiver: Receiver, webhook: Webhook
) -> None:
    PlayedHands(3)
    Hand.objects.filter(number=2).update(released_at=timezone.now() + timedelta(minutes=1))
    tell(webhook)
    assert [one["seq"] for one in hands_of(receiver)] == [1]
    Hand.objects.filter(number=2).update(released_at=timezone.now())
    tell(webhook)
    assert [one["seq"] for one in hands_of(receiver)] == [1, 2, 3]


def types_of(receiver: Receiver) -> list[str]:
    """Types of the messages, in the order of their arrival."""
    return [json.loads(one.body)["type"] for one in receiver.received]


def test_an_event_that_follows_while_hands_are_collected_is_told_after_them(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook = made(receiver, tells_hands=True)
    played = PlayedHands(1)
    real = hands.store_hands

    def end() -> None:
        played.arena.hand(played.table)
        operations.cancel(played.tournament.pk, reason="no room")
        connections.close_all()

    def late(*given: Any) -> bool:
        is_all = real(*given)
        monkeypatch.setattr(hands, "store_hands", real)
        thread = threading.Thread(target=end)
        thread.start()
        thread.join()
        return is_all

    monkeypatch.setattr(hands, "store_hands", late)
    tell(webhook)
    tell(webhook)
    types = types_of(receiver)
    assert types.count("hand_finished") == 2
    last_hand = len(types) - 1 - types[::-1].index("hand_finished")
    assert last_hand < types.index("cancelled")


def test_events_wait_for_more_hands_than_are_taken_at_once(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hands, "ROWS_AT_ONCE", 1)
    webhook = made(receiver, tells_hands=True)
    played = PlayedHands(3)
    operations.cancel(played.tournament.pk, reason="no room")
    for _ in range(4):
        tell(webhook)
    types = types_of(receiver)
    assert types[:3] == ["hand_finished"] * 3 and "cancelled" in types[3:]


def test_hands_of_before_and_of_private_tournaments_are_not_told(receiver: Receiver) -> None:
    played = PlayedHands(2)
    late = made(receiver, scope="results", tells_hands=True)
    none = made(receiver, scope="results")
    Tournament.objects.filter(pk=played.tournament.pk).update(password="$argon2$never-asked")
    WebhookCursor.objects.filter(webhook=late).delete()
    tell(late)
    tell(none)
    assert hands_of(receiver) == []
    Tournament.objects.filter(pk=played.tournament.pk).update(password="")
    begun = made(receiver, scope="results", tells_hands=True)
    tell(begun)
    tell(none)
    assert hands_of(receiver) == [], "both hands were settled before"


@pytest.mark.django_db
def test_hands_are_json_alone_and_begin_when_they_are_switched_on(
    receiver: Receiver, client: Any
) -> None:
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    webhook = made(receiver, name="Hands", scope="results")
    PlayedHands(2)
    page = f"/admin/tournaments/webhook/{webhook.pk}/change/"
    form = {"name": "Hands", "scope": "results", "language": "en", "is_active": "on"}
    form |= {"address": receiver.address, "tells_hands": "on"}
    refused = client.post(page, form | {"form": "discord"})
    assert "Hands are told as JSON only." in refused.content.decode()
    webhook.refresh_from_db()
    assert (webhook.form, webhook.tells_hands) == ("json", False)
    assert client.post(page, form | {"form": "json"}).status_code == 302
    webhook.refresh_from_db()
    assert webhook.tells_hands
    tell(webhook)
    assert hands_of(receiver) == []
