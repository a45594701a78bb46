"""Moderators of the room at the chat itself: delete, silence, and their limits."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.admin.models import LogEntry

from accounts.models import User
from tables.chat.models import ChatMessage, ChatSilence
from tests.tables.gateway.chat.chatting import (
    chat_of,
    chatty,
    follow,
    moderates,
    newest,
    writes,
)
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tournaments.club_scene import staff

__all__ = ["chatty", "game", "site"]

DAY = 24 * 60


@pytest.fixture
def moderator(game: Game) -> User:
    """Staff with the moderators' permission alone, without a seat."""
    return staff("Moderator", "moderate_chat")


def test_a_moderator_deletes_and_silences_at_the_table(
    game: Game, chatty: LazySettings, moderator: User
) -> None:
    writer, reader = game.client(1), follow(game, game.client(2))
    writes(writer, chat_of(game), "rude words")
    reader.events(chat_of(game), 1)
    eye = follow(game, game.follow(game.site.client(moderator)))
    rude = newest()
    assert moderates(eye, "delete", chat_of(game), rude)["type"] == "result"
    [event] = reader.events(chat_of(game), 1)
    assert (event["type"], event["message"]) == ("chat_deleted", rude)
    assert moderates(eye, "delete", chat_of(game), rude)["type"] == "result", "again nothing more"
    answer = moderates(eye, "silence", chat_of(game), rude, minutes=DAY, reason=" Insults ")
    assert answer["type"] == "result"
    refused = writes(writer, chat_of(game), "but why")
    assert refused["code"] == "chat_silenced" and "Insults" in refused["message"]
    silence = ChatSilence.objects.get()
    assert (silence.user, silence.by, silence.club) == (game.user(1), moderator, None)
    assert LogEntry.objects.filter(user=moderator).count() == 2


def test_a_player_moderates_nothing(game: Game, chatty: LazySettings) -> None:
    writer, other = game.client(1), follow(game, game.client(2))
    writes(writer, chat_of(game), "hello")
    asked: dict[str, Any] = {"delete": {}, "silence": {"minutes": 5, "reason": "I am bored"}}
    for kind, more in asked.items():
        answer = moderates(other, kind, chat_of(game), newest(), **more)
        assert answer["code"] == "chat_not_moderator" and answer["message"]
    outside = game.client(3)
    assert moderates(outside, "delete", chat_of(game), newest())["code"] == "not_following"
    assert not ChatSilence.objects.exists() and not LogEntry.objects.exists()
    assert ChatMessage.objects.get().deleted_at is None


def test_bad_silences_are_refused_and_nobody_is_silenced(
    game: Game, chatty: LazySettings, moderator: User
) -> None:
    writes(game.client(1), chat_of(game), "hello")
    eye = follow(game, game.follow(game.site.client(moderator)))
    good: dict[str, Any] = {"message": newest(), "minutes": 5, "reason": "Insults"}
    for code, change in (
        ("chat_silence_minutes", {"minutes": 0}),
        ("chat_silence_minutes", {"minutes": 10**9}),
        ("bad_message", {"minutes": -1}),
        ("chat_empty", {"reason": " "}),
        ("chat_too_long", {"reason": "x" * 201}),
        ("chat_unreadable", {"reason": "a\u202eb"}),
        ("chat_no_message", {"message": 10**9}),
    ):
        answer = moderates(eye, "silence", chat_of(game), **(good | change))
        assert answer["code"] == code, change
    assert not ChatSilence.objects.exists() and not LogEntry.objects.exists()


def test_a_message_is_moderated_in_its_own_chat(
    game: Game, chatty: LazySettings, moderator: User
) -> None:
    writes(game.client(1), chat_of(game), "hello")
    chatty.CHAT_SPECTATORS = True
    rail = f"railchat:{game.row.pk}"
    eye = game.follow(game.site.client(moderator))
    eye.follow(rail)
    assert moderates(eye, "delete", rail, newest())["code"] == "chat_no_message"
    assert ChatMessage.objects.get().deleted_at is None
