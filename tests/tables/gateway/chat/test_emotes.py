"""Emotes over real sockets: fixed messages under the rules, limits and silences of the chat."""

from __future__ import annotations

from typing import Any, get_args

from django.conf import LazySettings

from accounts.models import User
from tables.chat import moderation
from tables.chat.emotes import SYMBOLS
from tables.chat.history import chat_snapshot
from tables.chat.models import ChatMessage
from tables.chat.rules import ChatTerms, clean_text
from tables.wire.client_commands import EmoteKey
from tests.tables.gateway.chat.chatting import chat_of, chatty, follow, stored, writes
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.sockets import Client, Message

__all__ = ["chatty", "game", "site"]


def _sends(client: Client, stream: str, emote: Any, id: str = "emote-1") -> Message:
    client.say(type="chat_emote", id=id, stream=stream, emote=emote)
    while True:
        answer = client.next()
        if answer["type"] in ("result", "refused") and answer.get("id") == id:
            return answer


def test_every_emote_is_a_text_that_the_chat_allows() -> None:
    assert set(SYMBOLS) == set(get_args(EmoteKey))
    for symbol in SYMBOLS.values():
        assert clean_text(symbol, ChatTerms()) == symbol


def test_an_emote_is_a_message_with_its_key_and_its_symbol(
    game: Game, chatty: LazySettings
) -> None:
    writer, reader = game.client(1), follow(game, game.client(2))
    assert _sends(writer, chat_of(game), "nice_hand")["type"] == "result"
    assert _sends(writer, chat_of(game), "nice_hand")["type"] == "result", "the same command"
    [event] = reader.events(chat_of(game), 1)
    assert (event["emote"], event["text"]) == ("nice_hand", SYMBOLS["nice_hand"])
    assert stored() == [SYMBOLS["nice_hand"]]
    _, snapshot = chat_snapshot(chat_of(game))
    assert b'"emote":"nice_hand"' in snapshot


def test_an_emote_that_is_none_is_refused(game: Game, chatty: LazySettings) -> None:
    writer = game.client(1)
    for emote in ("<img>", "", "rotten", 7, None):
        assert _sends(writer, chat_of(game), emote)["code"] == "bad_message", emote
    assert stored() == []


def test_emotes_share_the_limits_of_messages(game: Game, settings: LazySettings) -> None:
    settings.CHAT_SLOW_S = 3_600
    writer = game.client(1)
    assert _sends(writer, chat_of(game), "hello")["type"] == "result"
    assert _sends(writer, chat_of(game), "hello", "emote-2")["code"] == "chat_too_fast"
    assert writes(writer, chat_of(game), "hello")["code"] == "chat_too_fast"
    assert ChatMessage.objects.count() == 1


def test_spectators_and_silenced_players_send_no_emote(game: Game, chatty: LazySettings) -> None:
    root = User.objects.create_superuser("Root", password=None)
    watcher = follow(game, game.follow(game.site.client(root)))
    assert _sends(watcher, chat_of(game), "wow")["code"] == "not_seated"
    moderation.silence_player(game.user(1), root, minutes=5, reason="Floods")
    assert _sends(game.client(1), chat_of(game), "wow")["code"] == "chat_silenced"
    assert stored() == []


def test_players_in_an_all_in_send_no_emote(game: Game, chatty: LazySettings) -> None:
    shover = game.actor
    client = game.client(shover)
    client.say(**game.command("raise", 2_000))
    game.work()
    assert _sends(client, chat_of(game), "laughing")["code"] == "chat_all_in"
    assert stored() == []
