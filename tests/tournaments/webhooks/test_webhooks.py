"""Webhooks told of real tournaments: order, signature, retries, dead letters, rights."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
from datetime import timedelta
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from django.utils import timezone
from django.utils.translation import override

from accounts.models import User
from accounts.users import bots
from config.outside import posting
from tests.config.outside.receiver import HANG, Receiver
from tests.tournaments.cast import open_offer
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tests.tournaments.webhooks.hooks import made, receiver, tell
from tournaments.entries import registration
from tournaments.events import client_events, outbox
from tournaments.events.formats import Finished
from tournaments.models import (
    Announcement,
    Tournament,
    Webhook,
    WebhookCursor,
    WebhookDelivery,
)
from tournaments.running import operations
from tournaments.webhooks import collecting, delivering, pruning, sending, texts

__all__ = ["receiver"]


def seqs(receiver: Receiver) -> list[int]:
    return [json.loads(one.body)["seq"] for one in receiver.received]


def all_due(webhook: Webhook) -> None:
    """Let the pauses between attempts be over."""
    WebhookDelivery.objects.filter(webhook=webhook).update(due_at=timezone.now())


def test_every_event_is_told_once_in_order_and_signed(receiver: Receiver) -> None:
    webhook = made(receiver)
    tournament = open_offer(name="Friday")
    players = bots.create(2)
    for player in players:
        registration.register(player, tournament)
    operations.cancel(tournament.pk, reason="no room")
    assert tell(webhook) == len(receiver.received) and tell(webhook) == 0
    stream = outbox.tournament(tournament.pk)
    told = [json.loads(one.body) for one in receiver.received]
    assert [one["seq"] for one in told] == list(range(1, outbox.head(stream) + 1))
    assert [one["type"] for one in told][-1] == "cancelled"
    for row, one in zip(
        Announcement.objects.filter(stream=stream).order_by("seq"), told, strict=True
    ):
        assert one["event"] == json.loads(bytes(row.payload))
        assert one["tournament"]["name"] == "Friday"
    for one in receiver.received:
        assert one.path == "/hooks?room=1"
        signed = f"{one.headers['webhook-id']}.{one.headers['webhook-timestamp']}.".encode()
        key = base64.b64decode(webhook.secret.removeprefix("whsec_"))
        digest = hmac.new(key, signed + one.body, sha256).digest()
        assert one.headers["webhook-signature"] == "v1," + base64.b64encode(digest).decode()
    assert len({one.headers["webhook-id"] for one in receiver.received}) == len(told)


def test_a_number_that_is_given_again_after_a_restore_has_another_id(receiver: Receiver) -> None:
    webhook = made(receiver)
    for body in ('{"type":"opened"}', '{"type":"started"}', '{"type":"started"}'):
        WebhookDelivery.objects.filter(webhook=webhook).delete()
        WebhookDelivery.objects.create(
            webhook=webhook, stream="tournament:1", seq=7, event="any", body=body
        )
        assert tell(webhook) == 1
    lost, present, repeated = [one.headers["webhook-id"] for one in receiver.received]
    assert lost != present == repeated


def test_a_receiver_that_fails_hangs_and_comes_back_misses_nothing(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "TIMEOUT_S", 0.5)
    webhook = made(receiver)
    tournament = open_offer()
    operations.cancel(tournament.pk, reason="no room")
    receiver.answers, receiver.leads_to = [500, HANG, 301], "http://169.254.169.254/latest/"
    errors = []
    for _ in range(3):
        assert tell(webhook) == 1, "messages behind a failed one wait"
        assert tell(webhook) == 0, "a failed message is not due at once"
        errors.append(WebhookDelivery.objects.order_by("pk")[0].error)
        all_due(webhook)
    assert errors[0] == "answered 500" and "no answer within" in errors[1]
    assert errors[2] == "answered 301: redirects are not followed"
    tell(webhook)
    last = outbox.head(outbox.tournament(tournament.pk))
    assert seqs(receiver) == [1, 1, 1, *range(1, last + 1)]
    assert len({one.headers["webhook-id"] for one in receiver.received[:4]}) == 1
    assert not WebhookDelivery.objects.exclude(state="accepted").exists()


def test_a_message_nobody_takes_becomes_a_dead_letter_and_may_be_sent_again(
    receiver: Receiver,
) -> None:
    webhook = made(receiver)
    open_offer()
    receiver.answers = [500] * delivering.ATTEMPTS_MAX
    for _ in range(delivering.ATTEMPTS_MAX):
        tell(webhook)
        all_due(webhook)
    dead = WebhookDelivery.objects.get(state="dead")
    assert (dead.seq, dead.attempts) == (1, delivering.ATTEMPTS_MAX)
    tell(webhook)
    assert delivering.send_again([dead.pk]) == 1 and delivering.send_again([dead.pk]) == 0
    assert tell(webhook) == 1 and seqs(receiver)[-1] == 1


def test_a_receiver_that_took_nothing_for_days_stops_its_webhook(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivering, "ATTEMPTS_MAX", 1)
    monkeypatch.setattr(delivering, "DEAD_IN_A_ROW_MAX", 3)
    webhook = made(receiver)
    tournament = open_offer(players_max=9)
    players = bots.create(9)
    for player in players[:6]:
        registration.register(player, tournament)
    receiver.answers = [404, 404, 204, 404, 404, 404, 204]
    # An accepted message begins a new row; the third dead letter of it is the last message.
    assert tell(webhook) == 6 and tell(webhook) == 0
    webhook.refresh_from_db()
    assert (webhook.is_active, webhook.stopped_why) == (False, "3 dead letters: answered 404")
    rows = WebhookDelivery.objects.filter(webhook=webhook)
    assert rows.filter(state="dead").count() == 5 and rows.filter(state="waiting").exists()
    Webhook.objects.update(is_active=True, stopped_why="")
    receiver.answers = [404] * 9
    for player in players[6:]:
        registration.register(player, tournament)
        tell(webhook)
        webhook.refresh_from_db()
        dead = rows.filter(state="dead").count()
        assert webhook.is_active == (dead < 8), "as many more as before"
    assert dead == 8


def test_pauses_grow_to_an_hour() -> None:
    pauses = [delivering.pause(attempts) for attempts in range(1, delivering.ATTEMPTS_MAX)]
    assert pauses[:3] == [timedelta(seconds=s) for s in (5, 15, 45)]
    assert pauses == sorted(pauses) and pauses[-1] == timedelta(hours=1)


def test_a_receiver_that_is_gone_stops_its_webhook(receiver: Receiver) -> None:
    webhook = made(receiver)
    open_offer()
    receiver.answers = [410]
    assert tell(webhook) == 1 and tell(webhook) == 0
    webhook.refresh_from_db()
    assert (webhook.is_active, webhook.stopped_why) == (False, "answered 410")
    assert WebhookDelivery.objects.get(seq=1).state == "waiting"


def test_an_attempt_under_way_is_made_by_no_other_process(receiver: Receiver) -> None:
    webhook = made(receiver)
    open_offer()
    collecting.collect(webhook.pk)
    now = timezone.now()
    assert delivering.claim(webhook.pk, now) is not None
    assert delivering.claim(webhook.pk, now) is None
    # The process died: its claim ends.
    assert delivering.claim(webhook.pk, now + delivering.LEASE) is not None


def test_a_name_that_leads_inside_later_is_not_reached(receiver: Receiver, settings: Any) -> None:
    webhook = made(receiver, address=f"http://rebound.example:{receiver.port}/")
    open_offer()
    collecting.collect(webhook.pk)
    delivery = WebhookDelivery.objects.order_by("pk")[0]

    async def inside(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    status, error = asyncio.run(sending.attempt(webhook, delivery, 0, inside))
    assert (status, error) == (204, "") and receiver.received[0].headers["host"].startswith(
        "rebound"
    )
    settings.WEBHOOK_NETWORKS = []
    status, error = asyncio.run(sending.attempt(webhook, delivery, 0, inside))
    assert status == 0 and "127.0.0.1" in error and len(receiver.received) == 1


def test_a_webhook_begins_with_the_present_and_keeps_to_its_tournament(receiver: Receiver) -> None:
    old, other = open_offer(), open_offer()
    player = bots.create(1)[0]
    webhook = made(receiver, tournament=old)
    assert tell(webhook) == 0
    registration.register(player, old)
    registration.register(player, other)
    assert tell(webhook) == 1
    [one] = receiver.received
    assert json.loads(one.body)["type"] == "player_registered"
    assert json.loads(one.body)["tournament"]["id"] == old.pk


@pytest.mark.rule("T-02")
def test_a_webhook_of_the_room_is_told_nothing_of_private_tournaments(receiver: Receiver) -> None:
    webhook = made(receiver)
    tournament = open_offer()
    Tournament.objects.filter(pk=tournament.pk).update(password="$argon2$never-asked")
    registration.register(bots.create(1)[0], open_offer(name="Public"))
    tell(webhook)
    assert {json.loads(one.body)["tournament"]["name"] for one in receiver.received} == {"Public"}
    assert not WebhookCursor.objects.filter(stream=outbox.tournament(tournament.pk)).exists()


@pytest.mark.parametrize(
    ("form", "field"), [("discord", "content"), ("slack", "text"), ("telegram", "text")]
)
def test_chats_are_told_sentences_of_the_course_in_their_language(
    receiver: Receiver, form: str, field: str
) -> None:
    webhook = made(receiver, form=form, scope="course", language="de")
    tournament = open_offer(name="Fr*day @everyone")
    registration.register(bots.create(1)[0], tournament)
    operations.cancel(tournament.pk, reason="no room")
    assert tell(webhook) == 1
    [one] = receiver.received
    text = json.loads(one.body)[field]
    assert "abgesagt: no room" in text and f"/tournaments/{tournament.pk}/" in text
    assert "webhook-signature" not in one.headers
    assert form == "discord" or "@everyone" not in text
    if form == "discord":
        assert text.startswith(r"Fr\*day") and json.loads(one.body)["allowed_mentions"] == {
            "parse": []
        }


def test_a_place_that_is_known_later_is_told_in_a_sentence(receiver: Receiver) -> None:
    webhook = made(receiver, form="discord", scope="course")
    placed = client_events.PlayerPlaced(1, 2, "Ann", 3, 2_500)
    tag, body = texts.body(webhook, open_offer(name="Friday"), 1, msgspec.json.encode(placed))
    assert tag == "player_placed"
    sentence = "Friday: Ann is out in place 3 and wins 25.00."
    assert json.loads(body)["content"].startswith(sentence)


def test_a_tournament_without_money_is_told_without_amounts() -> None:
    with override("en"):
        started = client_events.Started(entrants=9, tables=1, pool=0, prizes=(), at_ms=0)
        assert texts.sentence(started) == "The tournament has started: 9 entries."
        won = Finished(entry=1, user=2, name="Ann", prize=0, left=1)
        assert texts.sentence(won) == "Ann wins the tournament."
        won = Finished(entry=1, user=2, name="Ann", prize=2_500, left=1)
        assert texts.sentence(won) == "Ann wins the tournament and 25.00."


def test_names_in_slack_are_neither_mentions_nor_links(receiver: Receiver) -> None:
    webhook = made(receiver, form="slack", scope="course")
    tournament = open_offer(name="<!channel> R&B")
    operations.cancel(tournament.pk, reason="<https://evil.example|the rules>")
    tell(webhook)
    [one] = receiver.received
    text = json.loads(one.body)["text"]
    assert text.startswith("&lt;!channel&gt; R&amp;B: ")
    assert "&lt;https://evil.example|the rules&gt;" in text and "<" not in text


def test_a_name_in_mattermost_hides_no_link_behind_words(receiver: Receiver) -> None:
    webhook = made(receiver, form="slack", scope="course")
    tournament = open_offer(name="[Free chips](https://evil.example)")
    operations.cancel(tournament.pk, reason="![seen](https://evil.example/seen.png)")
    tell(webhook)
    [one] = receiver.received
    assert "](" not in json.loads(one.body)["text"]


def test_old_accepted_deliveries_are_deleted(receiver: Receiver) -> None:
    webhook = made(receiver)
    open_offer()
    tell(webhook)
    count = WebhookDelivery.objects.count()
    assert count and pruning.prune() == 0
    WebhookDelivery.objects.update(ended_at=timezone.now() - pruning.KEPT - timedelta(hours=1))
    assert pruning.prune() == count


def test_dead_letters_can_be_sent_again_for_90_days(receiver: Receiver) -> None:
    webhook = made(receiver)
    for number, days in enumerate((89, 91)):
        WebhookDelivery.objects.create(
            webhook=webhook, stream="lobby", seq=number, event="finished", body="{}",
            state="dead", ended_at=timezone.now() - timedelta(days=days),
        )  # fmt: skip
    assert pruning.prune() == 1
    assert WebhookDelivery.objects.get().seq == 0


def test_cursors_go_a_week_after_the_end_of_their_tournament(receiver: Receiver) -> None:
    webhook = made(receiver, tells_hands=True)
    ended, running = PlayedHands(1), PlayedHands(1)
    for one in (ended, running):
        made(receiver, tells_hands=True, tournament=one.tournament)
    kept = WebhookCursor.objects.filter(stream=outbox.tournament(running.tournament.pk))
    operations.cancel(ended.tournament.pk, reason="no room")
    tell(webhook)
    count = WebhookCursor.objects.count()
    assert pruning.prune() == 0
    when = timezone.now() - pruning.KEPT - timedelta(hours=1)
    Tournament.objects.filter(pk=ended.tournament.pk).update(finished_at=when)
    gone = {outbox.tournament(ended.tournament.pk), f"hands:{ended.table}"}
    expected = WebhookCursor.objects.filter(stream__in=gone).count()
    assert pruning.prune() == expected >= 3
    assert kept.exists() and WebhookCursor.objects.count() == count - expected
    before = len(receiver.received)
    tell(webhook)
    assert len(receiver.received) == before


@pytest.mark.django_db
def test_the_admin_shows_a_secret_once_and_refuses_private_addresses(client: Any) -> None:
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    form = {"name": "Inside", "form": "json", "scope": "all", "language": "en", "is_active": "on"}
    page = "/admin/tournaments/webhook/add/"
    refused = client.post(page, form | {"address": "https://169.254.169.254/latest/"})
    assert "private network: 169.254.169.254" in refused.content.decode()
    refused = client.post(page, form | {"address": "https://a.example/", "form": "slack"})
    assert "told as JSON only" in refused.content.decode()
    assert not Webhook.objects.exists() and not WebhookCursor.objects.exists()
    told = client.post(page, form | {"address": "https://a.example/"}, follow=True)
    webhook = Webhook.objects.get()
    assert webhook.secret in told.content.decode()
    change = client.get(f"/admin/tournaments/webhook/{webhook.pk}/change/").content.decode()
    assert webhook.secret not in change
    chosen = {"action": "make_new_secret", "_selected_action": [webhook.pk]}
    told = client.post("/admin/tournaments/webhook/", chosen, follow=True)
    assert Webhook.objects.get().secret in told.content.decode()
    assert Webhook.objects.get().secret != webhook.secret
