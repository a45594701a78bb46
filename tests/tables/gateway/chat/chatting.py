"""Clients of a chat in tests, and the settings of a room without waits between messages."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from django.conf import LazySettings

from config.door.rates import Rate
from tables.chat import sending
from tables.chat.models import ChatMessage
from tables.chat.terms import forget_terms
from tests.tables.gateway.socket_table import Game
from tests.tables.gateway.sockets import Client, Message

_numbers = count(1)


@pytest.fixture
def chatty(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> LazySettings:
    """Settings of a room without slow mode, with a fresh word list and a wide flood limit."""
    settings.CHAT_SLOW_S = 0
    forget_terms()
    monkeypatch.setattr(sending, "FLOOD", Rate("chat", 1_000, 1_000))
    return settings


def chat_of(game: Game) -> str:
    """Stream of the players' chat."""
    return f"tablechat:{game.row.pk}"


def follow(game: Game, client: Client) -> Client:
    """Let a client follow the chat of a table, too."""
    client.chat = client.follow(chat_of(game))
    return client


def writes(client: Client, stream: str, text: str, **change: Any) -> Message:
    """Answer to a message."""
    command = change.pop("id", f"chat-{next(_numbers)}")
    client.say(type="chat", id=command, stream=stream, text=text, **change)
    while True:
        answer = client.next()
        if answer["type"] in ("result", "refused") and answer.get("id") == command:
            return answer
        client.heard.append(answer)


def moderates(client: Client, kind: str, stream: str, message: int, **more: Any) -> Message:
    """Answer to a moderator's step, `delete` or `silence`."""
    command = f"{kind}-{next(_numbers)}"
    client.say(type=f"chat_{kind}", id=command, stream=stream, message=message, **more)
    while True:
        answer = client.next()
        if answer["type"] in ("result", "refused") and answer.get("id") == command:
            return answer
        client.heard.append(answer)


def newest() -> int:
    """Number of the newest message."""
    return ChatMessage.objects.order_by("-pk")[0].pk


def texts(client: Client, stream: str, count: int) -> list[str]:
    """Texts of the next messages of a chat, in order."""
    return [event["text"] for event in client.events(stream, count)]


def stored() -> list[str]:
    """Texts of all stored messages, oldest first."""
    return list(ChatMessage.objects.order_by("pk").values_list("text", flat=True))


def shown(client: Client, stream: str, upto: str) -> list[str]:
    """Texts on a client's screen once it has the event `upto`: a snapshot, and what follows."""
    message = client.expect("snapshot", stream=stream)
    held = {one["message"]: one["text"] for one in message["state"]["messages"]}
    last = message["id"]
    while last != upto:
        for event in client.expect("events", stream=stream)["events"]:
            last = event["id"]
            if event["type"] == "chat_deleted":
                held.pop(event["message"], None)
            else:
                held[event["message"]] = event["text"]
    return list(held.values())
