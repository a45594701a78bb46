"""Each row that names a user is part of the export of the account, or is left out for a reason."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from redis import Redis

from accounts.clubs import announcing, invitations, requests
from accounts.faces import faces
from accounts.models import PasswordLink, User
from accounts.users import access_tokens, account_export
from tables.chat.models import ChatChannel, ChatMessage, ChatReport, ChatSilence
from tables.statistics import sharing
from tests.accounts.clubs.cast import club_of
from tests.config.files.drawn_pictures import drawn
from tournaments.models import Ticket

pytestmark = pytest.mark.django_db

EXPORTED = {
    "accounts.AccessToken.user": "access_tokens",
    "accounts.Account.user": "accounts",
    "accounts.ClubAnnouncement.author": "club_announcements",
    "accounts.ClubAuditRow.actor": "club_records",
    "accounts.ClubAuditRow.subject": "club_records",
    "accounts.EmailAddress.user": "addresses",
    "accounts.JoinRequest.user": "join_requests",
    "accounts.LoginSession.user": "sessions",
    "accounts.Membership.user": "clubs",
    "accounts.OwnLimit.user": "own_limits",
    "accounts.Passkey.user": "passkeys",
    "accounts.PasswordLink.user": "password_links",
    "accounts.SecondFactor.user": "second_factor",
    "admin.LogEntry.user": "history",
    "bot_accounts.BotAccount.owner": "bots",
    "chat.ChatMessage.user": "chat_messages",
    "chat.ChatReport.by": "chat_reports",
    "chat.ChatSilence.user": "chat_silences",
    "conduct.ConductWarning.user": "warnings",
    "conduct.PlayerReport.by": "reports",
    "dealt.DealtDay.user": "dealt_cards",
    "faces.PlayerFace.user": "face",
    "looks.TableLook.user": "table_look",
    "notifications.Notification.user": "notifications",
    "notifications.NotificationChoice.user": "notification_choices",
    "notifications.NotificationSettings.user": "notification_settings",
    "notifications.PushEndpoint.user": "push_devices",
    "player_notes.PlayerNote.owner": "player_notes",
    "providers.LinkedLogin.user": "linked_logins",
    "ring.RingSession.user": "ring_games",
    "seasons.Achievement.user": "achievements",
    "statistics.PlayerCounts.user": "statistics",
    "statistics.StatisticsChoice.user": "statistics_choice",
    "tournaments.Entry.user": "tournaments",
    "tournaments.Guest.user": "tournament_invitations",
    "tournaments.Ticket.owner": "tickets",
}
"""Relation to a user -> the section with its rows."""

OF_OTHERS = {
    *("conduct.PlayerReport.accused", "player_notes.PlayerNote.about"),
    *("accounts.PasswordLink.made_by", "chat.ChatSilence.by", "conduct.ConductWarning.by"),
}
"""Rows that another person wrote, or that are another person's."""

OF_AN_OFFICE = {
    *("accounts.InvitationLink.made_by", "approvals.ApprovalRequest.asked_by"),
    *("approvals.ApprovalRequest.answered_by", "overlays.OverlayLink.made_by", "ring.Penalty.by"),
    *("ring.RingAuditRow.actor", "seasons.Season.made_by", "tournaments.AuditRow.actor"),
    *("tournaments.ClubTemplate.made_by", "tournaments.Ruling.actor"),
    "tournaments.Webhook.made_by",
}
"""Steps of organisers and staff, which the room keeps as its record."""

SIGNS_OF_UNFAIR_PLAY = {
    *("conduct.ConductCase.user", "conduct.ConductCase.other", "conduct.LoginNetwork.user"),
    *("conduct.PairConduct.first", "conduct.PairConduct.second", "conduct.PlayerConduct.user"),
    *("conduct.PlayerDay.user", "conduct.SharedBrowser.first", "conduct.SharedBrowser.second"),
}
"""Figures of hidden cards and of other players, which `docs/conduct.md` keeps for the staff."""

TOLD_ELSEWHERE = {
    "accounts.ApiAnswer.user",  # answers that a program got already, kept for a day
    "bot_accounts.BotAccount.user",  # the bot's side of a row of its owner
    "bot_ladder.RatedBot.user",  # ratings of bots, public pages
    "notifications.NotificationDelivery.user",  # the way of a notification to a device
    "notifications.RemovedDevice.user",  # digests of addresses that the user removed
    "ring.JackpotWin.user",  # a movement of money
    "ring.WaitingPlayer.user",  # a place that lasts minutes
    "tables.Seat.user",  # a seat of now, of an entry or a ring session
    "tournaments.Admission.user",  # that a password was given
    "tournaments.RoomBounty.user",  # a bounty that the room put on an entry
}


def test_each_relation_to_a_user_is_exported_or_left_out_for_a_reason() -> None:
    found = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.fields
        if field.related_model is User
    }
    left_out = (OF_OTHERS, OF_AN_OFFICE, SIGNS_OF_UNFAIR_PLAY, TOLD_ELSEWHERE)
    assert found == set(EXPORTED).union(*left_out)
    sections = account_export.sections()
    assert set(EXPORTED.values()) <= set(sections), "each section is there"
    assert set(sections) - set(EXPORTED.values()) == {"profile", "movements"}


def test_the_zip_holds_what_the_account_has_in_every_part(
    room: Redis, settings: LazySettings, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = str(tmp_path)
    ann, bob = (User.objects.create_user(name, "a long password") for name in ("Ann", "Bob"))
    token = access_tokens.issue(ann, name="My bot", scopes=["watch"], days=3)
    PasswordLink.objects.create(user=ann, made_by=bob, reason="phone call")
    toads = club_of(bob)
    invitations.make_link(toads, bob, uses=1, days=1)
    requests.ask(toads, ann, "let me in")
    announcing.announce(toads, bob, "Bob says", token="a" * 32)
    now = timezone.now()
    Ticket.objects.create(
        key="k", owner=ann, value=5_00, scope="entry", valid_from=now,
        valid_until=now + timedelta(days=1), source="admin",
    )  # fmt: skip
    message = ChatMessage.objects.create(
        channel=ChatChannel.objects.create(stream="clubchat:1"), seq=1, user=bob, name="Bob",
        command="c", text="words of Bob", sent_at=now,
    )  # fmt: skip
    ChatReport.objects.create(message=message, by=ann)
    ChatSilence.objects.create(user=ann, by=bob, until=now + timedelta(days=1), reason="calm down")
    sharing.set_public(ann, public=True)
    faces.set_picture(ann, drawn("PNG"))
    client = Client()
    client.force_login(ann)
    packed = zipfile.ZipFile(io.BytesIO(client.post("/account/export/").content))
    text = packed.read("account.json").decode()
    found = json.loads(text)
    assert found["access_tokens"][0]["name"] == "My bot" and token not in text
    assert found["password_links"][0]["reason"] == "phone call"
    assert found["join_requests"][0]["text"] == "let me in"
    assert found["tickets"][0]["value"] == 5_00
    assert found["chat_silences"][0]["reason"] == "calm down"
    assert found["chat_reports"][0]["message__channel__stream"] == "clubchat:1"
    assert found["statistics_choice"] == [{"public": True}]
    assert {row["by_me"] for row in found["club_records"]} == {True}
    assert found["club_announcements"] == [] and "Bob says" not in text
    assert "words of Bob" not in text
    assert packed.read("picture.webp")[:4] == b"RIFF"
