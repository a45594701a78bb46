"""Webhooks changed in the admin: what is new to them begins with the change."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry

from accounts.models import User
from accounts.users import bots
from tests.config.outside.receiver import Receiver
from tests.tournaments.cast import open_offer
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tests.tournaments.webhooks.hooks import made, receiver, tell
from tournaments.entries import registration
from tournaments.models import Webhook, WebhookDelivery
from tournaments.running import operations

__all__ = ["receiver"]


@pytest.fixture
def boss(client: Any, receiver: Receiver) -> Any:
    """Browser of an administrator."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


def change(boss: Any, webhook: Webhook, **fields: Any) -> None:
    """Send the form of a webhook that tells every event, with other values."""
    form = {"name": "Test", "form": "json", "scope": "all", "language": "en", "is_active": "on"}
    page = f"/admin/tournaments/webhook/{webhook.pk}/change/"
    answer = boss.post(page, form | {"address": webhook.address} | fields)
    assert answer.status_code == 302, answer.content.decode()


def told(receiver: Receiver) -> list[tuple[int, str]]:
    """Tournament and type of each message."""
    bodies = [json.loads(one.body) for one in receiver.received]
    return [(body["tournament"]["id"], body["type"]) for body in bodies]


def test_a_webhook_for_all_tournaments_now_tells_others_from_the_change_on(
    receiver: Receiver, boss: Any
) -> None:
    own, other = open_offer(), open_offer()
    webhook = made(receiver, tournament=own)
    ann, ben = bots.create(2)
    for tournament in (own, other):
        registration.register(ann, tournament)
    change(boss, webhook)
    for tournament in (own, other):
        registration.register(ben, tournament)
    tell(webhook)
    registered = "player_registered"
    assert sorted(told(receiver)) == [
        (own.pk, registered),
        (own.pk, registered),
        (other.pk, registered),
    ]


def test_a_webhook_that_comes_back_to_a_tournament_does_not_tell_what_it_left_out(
    receiver: Receiver, boss: Any
) -> None:
    own, other = open_offer(), open_offer()
    webhook = made(receiver)
    change(boss, webhook, tournament=other.pk)
    registration.register(bots.create(1)[0], own)
    change(boss, webhook)
    assert tell(webhook) == 0


def test_a_webhook_given_another_tournament_tells_no_earlier_hands(
    receiver: Receiver, boss: Any
) -> None:
    played = PlayedHands(2)
    webhook = made(receiver, tournament=open_offer(), tells_hands=True)
    change(boss, webhook, tournament=played.tournament.pk, tells_hands="on")
    assert tell(webhook) == 0


def test_a_webhook_given_another_form_sends_what_waits_in_that_form(
    receiver: Receiver, boss: Any
) -> None:
    tournament = open_offer()
    webhook = made(receiver, tournament=tournament)
    first, *others = bots.create(3)
    registration.register(first, tournament)
    assert tell(webhook) == 1
    receiver.answers.append(400)
    for bot in others:
        registration.register(bot, tournament)
    assert tell(webhook) == 1, "the first of two is refused, the other waits behind it"
    operations.start(tournament.pk, actor=None, reason="all are here")
    change(boss, webhook, form="discord", scope="course", tournament=tournament.pk)
    tell(webhook)
    bodies = [json.loads(one.body) for one in receiver.received[2:]]
    assert bodies and all("content" in body for body in bodies), "a chat is sent signed JSON"
    assert "has started" in bodies[0]["content"]
    change(boss, webhook, form="json", scope="all", tournament=tournament.pk)
    assert tell(webhook) == 0, "what was accepted is told again"


@pytest.mark.parametrize("again_after", [False, True])
def test_a_dead_letter_is_sent_again_in_the_form_given_since(
    receiver: Receiver, boss: Any, again_after: bool
) -> None:
    tournament = open_offer()
    webhook = made(receiver, tournament=tournament)
    for bot in bots.create(2):
        registration.register(bot, tournament)
        tell(webhook)
    operations.start(tournament.pk, actor=None, reason="all are here")
    tell(webhook)
    rows = WebhookDelivery.objects.filter(webhook=webhook).order_by("pk")
    started = rows.get(event="started")
    quiet = rows.filter(event="player_registered").first()
    assert quiet is not None
    for pk in (quiet.pk, started.pk):
        rows.filter(pk=pk).update(state="dead")
    assert rows.last() not in (quiet, started), "messages were accepted since"
    again = {"action": "send_again", "_selected_action": [quiet.pk, started.pk]}
    if not again_after:
        boss.post("/admin/tournaments/webhookdelivery/", again)
    change(boss, webhook, form="discord", scope="course", tournament=tournament.pk)
    assert not rows.filter(pk=quiet.pk).exists(), "it is not told in the new form"
    if again_after:
        boss.post("/admin/tournaments/webhookdelivery/", again)
    before = len(receiver.received)
    tell(webhook)
    [body] = [json.loads(one.body) for one in receiver.received[before:]]
    assert "has started" in body["content"]


def test_a_dead_letter_of_a_hand_does_not_reach_a_chat(receiver: Receiver, boss: Any) -> None:
    tournament = PlayedHands(2).tournament
    webhook = made(receiver, tournament=tournament, tells_hands=True)
    letter = WebhookDelivery.objects.create(
        webhook=webhook, stream="hands:1", seq=1, event="hand", body="{}", state="dead"
    )
    change(boss, webhook, form="discord", scope="course", tournament=tournament.pk)
    again = {"action": "send_again", "_selected_action": [letter.pk]}
    boss.post("/admin/tournaments/webhookdelivery/", again)
    tell(webhook)
    assert not [one for one in receiver.received if one.body == b"{}"]


def test_a_webhook_is_deleted_with_its_deliveries(receiver: Receiver, boss: Any) -> None:
    tournament = open_offer()
    webhook = made(receiver, tournament=tournament)
    registration.register(bots.create(1)[0], tournament)
    tell(webhook)
    assert WebhookDelivery.objects.exists()
    page = f"/admin/tournaments/webhook/{webhook.pk}/delete/"
    assert "Are you sure" in boss.get(page).content.decode()
    assert boss.post(page, {"post": "yes"}).status_code == 302
    assert not Webhook.objects.exists() and not WebhookDelivery.objects.exists()


def test_dead_letters_sent_again_are_kept_in_the_log(receiver: Receiver, boss: Any) -> None:
    tournament = open_offer()
    webhook = made(receiver, tournament=tournament)
    registration.register(bots.create(1)[0], tournament)
    tell(webhook)
    WebhookDelivery.objects.update(state="dead")
    rows = [row.pk for row in WebhookDelivery.objects.all()]
    given = {"action": "send_again", "_selected_action": rows}
    boss.post("/admin/tournaments/webhookdelivery/", given)
    assert set(WebhookDelivery.objects.values_list("state", flat=True)) == {"waiting"}
    logged = LogEntry.objects.get(object_id=str(webhook.pk))
    assert logged.change_message == "dead letters sent again"
