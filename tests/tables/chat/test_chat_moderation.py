"""Moderators' pages and steps of the chat, its retention and its export."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

import pytest
from django.conf import LazySettings, settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from redis import Redis

from accounts.deletion import deleting
from accounts.models import User
from accounts.users.account_export import zipped
from tables.chat import moderation, sending
from tables.chat.history import chat_snapshot, exported_messages
from tables.chat.models import ChatChannel, ChatMessage, ChatReport, ChatSilence, ChatWord
from tables.chat.pruning import prune_chat
from tables.chat.refusals import ChatOff, ChatRefusal, Silenced
from tables.chat.sending import ChatAuthor
from tables.chat.terms import forget_terms
from tables.store import keys
from tests.redis_answers import entries_of
from tests.tables.ring.room.two_transactions import meanwhile

pytestmark = pytest.mark.django_db(transaction=True)

STREAM = "tablechat:1"
_numbers = count(1)


@pytest.fixture
def author(room: Redis, settings: LazySettings) -> User:
    """A player in a room without slow mode."""
    settings.CHAT_SLOW_S = 0
    forget_terms()
    return User.objects.create_user("Author", password=None)


@pytest.fixture
def moderator(client: Client) -> User:
    """Staff with the moderators' permission alone, logged in."""
    user = User.objects.create_user("Moderator", password=None, is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="moderate_chat"))
    client.force_login(user)
    return user


def _said(author: User, text: str) -> ChatMessage:
    sending.send_message(STREAM, ChatAuthor(author.pk, author.name), f"c{next(_numbers)}", text)
    return ChatMessage.objects.order_by("-pk")[0]


def _act(client: Client, model: str, action: str, *keys: int) -> int:
    answer = client.post(
        f"/admin/chat/{model}/", {"action": action, "_selected_action": list(keys)}, secure=True
    )
    return int(answer.status_code)


def test_a_moderator_deletes_reported_messages(
    client: Client, author: User, moderator: User
) -> None:
    row = _said(author, "rude <i>words</i>")
    sending.report_message(STREAM, row.pk, moderator.pk)
    page = client.get("/admin/chat/chatreport/?answered_at__isempty=1").content.decode()
    assert "rude &lt;i&gt;words&lt;/i&gt;" in page
    report = ChatReport.objects.get()
    assert _act(client, "chatreport", "delete_messages", report.pk) == 302
    row.refresh_from_db()
    report.refresh_from_db()
    assert row.deleted_at is not None and report.answered_at is not None
    entry = LogEntry.objects.get()
    assert entry.user == moderator and entry.object_id == str(row.pk)
    assert "rude" not in entry.object_repr + entry.change_message, "retention ends with the row"
    deleted = client.get("/admin/chat/chatmessage/?deleted_at__isempty=0").content.decode()
    assert "rude &lt;i&gt;words&lt;/i&gt;" in deleted


def test_a_deleted_message_is_no_part_of_a_snapshot(author: User, moderator: User) -> None:
    row = _said(author, "rude words")
    assert b"rude words" in chat_snapshot(STREAM)[1]
    assert moderation.delete_message(row.pk, moderator)
    assert b"rude words" not in chat_snapshot(STREAM)[1]


def test_a_report_may_be_closed_without_a_step(
    client: Client, author: User, moderator: User
) -> None:
    row = _said(author, "harmless")
    sending.report_message(STREAM, row.pk, moderator.pk)
    assert _act(client, "chatreport", "answer_reports", ChatReport.objects.get().pk) == 302
    row.refresh_from_db()
    assert row.deleted_at is None and ChatReport.objects.get().answered_at is not None


def test_a_moderator_sees_no_report_of_the_own_message(
    client: Client, author: User, moderator: User
) -> None:
    own = _said(moderator, "who reports this one?")
    sending.report_message(STREAM, own.pk, author.pk)
    page = client.get("/admin/chat/chatreport/").content.decode()
    assert "who reports this one?" not in page and "Author" not in page
    report = ChatReport.objects.get()
    assert client.get(f"/admin/chat/chatreport/{report.pk}/change/").status_code == 302
    assert _act(client, "chatreport", "answer_reports", report.pk) == 302
    report.refresh_from_db()
    assert report.answered_at is None, "others answer it"


def test_a_moderator_silences_for_a_time_with_a_reason(
    client: Client, author: User, moderator: User
) -> None:
    page = "/admin/chat/chatsilence/add/"
    given = {"user": author.pk, "minutes": 30, "reason": "Insults"}
    for wrong in ({"minutes": 0}, {"minutes": 10**9}, {"reason": ""}, {"user": 0}):
        assert client.post(page, given | wrong, secure=True).status_code == 200
    assert not ChatSilence.objects.exists()
    assert client.post(page, given, secure=True).status_code == 302
    silence = ChatSilence.objects.get()
    assert (silence.user, silence.by, silence.reason) == (author, moderator, "Insults")
    assert silence.until - silence.made_at < timedelta(minutes=30, seconds=1)
    assert "30 min: Insults" in LogEntry.objects.get().change_message
    with pytest.raises(Silenced):
        _said(author, "hello")
    ended = {"action": "end_silences", "_selected_action": [silence.pk]}
    for words in ("1 silence ended.", "0 silences ended."):
        told = client.post("/admin/chat/chatsilence/", ended, secure=True, follow=True)
        assert words in told.content.decode()
    assert _said(author, "hello").text == "hello"
    assert LogEntry.objects.count() == 2


def test_nobody_silences_oneself_or_another_moderator_in_the_admin(
    client: Client, author: User, moderator: User
) -> None:
    page, boss = "/admin/chat/chatsilence/add/", User.objects.create_superuser("Boss", None)
    for player in (moderator, boss):
        answer = client.post(page, {"user": player.pk, "minutes": 30, "reason": "x"}, secure=True)
        assert "You cannot silence yourself or another moderator." in answer.content.decode()
    assert not ChatSilence.objects.exists() and not LogEntry.objects.exists()


def test_staff_without_the_permission_see_and_change_nothing(client: Client, author: User) -> None:
    row = _said(author, "hello")
    staff = User.objects.create_user("Clerk", password=None, is_staff=True)
    client.force_login(staff)
    for model in ("chatmessage", "chatreport", "chatsilence", "chatword"):
        assert client.get(f"/admin/chat/{model}/", secure=True).status_code == 403
    assert _act(client, "chatmessage", "delete_messages", row.pk) == 403
    answer = client.post(
        "/admin/chat/chatsilence/add/",
        {"user": author.pk, "minutes": 5, "reason": "x"},
        secure=True,
    )
    assert answer.status_code == 403
    row.refresh_from_db()
    assert row.deleted_at is None and not ChatSilence.objects.exists()


def test_a_word_added_in_the_admin_is_refused_at_once(client: Client, author: User) -> None:
    assert _said(author, "rotten luck").text == "rotten luck"
    client.force_login(User.objects.create_superuser("Root", password=None))
    client.post("/admin/chat/chatword/add/", {"word": "ROTTEN"}, secure=True)
    assert ChatWord.objects.get().word == "ROTTEN"
    with pytest.raises(ChatRefusal):
        _said(author, "rötten luck")


@pytest.mark.parametrize("word", ["rotten luck", "rot-ten", "r*tten", "..."])
def test_a_word_that_no_text_can_have_is_refused(client: Client, room: Redis, word: str) -> None:
    client.force_login(User.objects.create_superuser("Root", password=None))
    page = client.post("/admin/chat/chatword/add/", {"word": word}, secure=True)
    assert "signs and spaces part words" in page.content.decode()
    assert not ChatWord.objects.exists()


def test_messages_past_the_retention_are_deleted_with_their_reports(
    author: User, settings: LazySettings
) -> None:
    settings.CHAT_KEPT_DAYS = 7
    old, new = _said(author, "old"), _said(author, "new")
    sending.report_message(STREAM, old.pk, author.pk)
    week_ago = timezone.now() - timedelta(days=7, minutes=1)
    ChatMessage.objects.filter(pk=old.pk).update(sent_at=week_ago)
    assert prune_chat() == 1
    assert list(ChatMessage.objects.all()) == [new]
    assert not ChatReport.objects.exists()
    assert _said(author, "next").seq == 3, "numbers of a channel are never used twice"
    assert ChatChannel.objects.get().last == 3


def test_own_messages_are_in_the_export_of_an_account(author: User) -> None:
    _said(author, "mine alone")
    other = User.objects.create_user("Other", password=None)
    assert b"chat_messages.csv" in zipped(author)
    rows = list(exported_messages(author))
    assert [row["text"] for row in rows] == ["mine alone"]
    assert list(exported_messages(other)) == []


def test_a_deleted_account_takes_its_messages_along(author: User, room: Redis) -> None:
    other = User.objects.create_user("Other", password=None)
    kept, mine = _said(other, "kept"), _said(author, "mine alone")
    sending.report_message(STREAM, kept.pk, author.pk)
    deleting.delete(author)
    assert list(ChatMessage.objects.all()) == [kept] and not ChatReport.objects.exists()
    name, snapshot = chat_snapshot(STREAM)
    assert name == "0-4" and b"kept" in snapshot and b"mine" not in snapshot
    rows = entries_of(room, keys.events(STREAM, settings.SHARDS))
    assert [row_id for row_id, _ in rows] == [b"0-4"], "followers find a gap and start over"
    assert str(mine.pk).encode() in rows[0][1][b"e"]
    with pytest.raises(ChatOff):
        _said(author, "under the former name")
    assert list(ChatMessage.objects.all()) == [kept] and ChatChannel.objects.get().last == 4


def test_a_message_asks_postgresql_twice(
    author: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    _said(author, "the word list is known now")
    with django_assert_num_queries(2):
        sending.send_message(STREAM, ChatAuthor(author.pk, author.name), "again", "hello")
    assert ChatMessage.objects.get(command="again").text == "hello"


def test_a_message_waits_for_its_author_who_is_being_deleted(author: User) -> None:
    said = ChatAuthor(author.pk, author.name)
    _, refused = meanwhile(
        lambda: deleting.delete(author),
        lambda: sending.send_message(STREAM, said, "late", "under the former name"),
    )
    assert isinstance(refused, ChatOff)
    assert not ChatMessage.objects.exists()
    assert not ChatChannel.objects.exists(), "no number is used"
