"""Stored messages of a chat, as snapshots of its stream and rows of an account's export."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from accounts.models import User
from config import limits
from tables.chat.events import ChatMessageSent, ChatSnapshot
from tables.chat.models import ChatChannel, ChatMessage, ChatReport, ChatSilence

_json = msgspec.json.Encoder().encode


def chat_snapshot(stream: str) -> tuple[str, bytes]:
    """Return the last event id of a chat and its newest messages as JSON."""
    # The channel first: a message that comes between the two reads is part of both, and clients
    # know messages by their numbers.
    channel = ChatChannel.objects.filter(stream=stream).first()
    if channel is None:
        return "0-0", _json(ChatSnapshot(()))
    rows = ChatMessage.objects.filter(
        channel=channel, seq__lte=channel.last, deleted_at=None
    ).order_by("-seq")[: limits.CHAT_SHOWN]
    messages = tuple(message_sent(row) for row in reversed(rows))
    return f"0-{channel.last}", _json(ChatSnapshot(messages))


def message_sent(row: ChatMessage) -> ChatMessageSent:
    """Return a stored message as the event that tells of it."""
    sent_ms = round(row.sent_at.timestamp() * 1_000)
    return ChatMessageSent(row.pk, row.user_id, row.name, row.text, sent_ms, row.emote)


def exported_messages(user: User) -> Iterable[Mapping[str, Any]]:
    """Return a user's own messages, newest first."""
    rows = ChatMessage.objects.filter(user=user).order_by("-pk")
    return rows.values("id", "channel__stream", "text", "sent_at", "deleted_at")[
        : limits.EXPORTED_ROWS_MAX
    ]


def exported_silences(user: User) -> Iterable[Mapping[str, Any]]:
    """Return the silences that moderators gave a user."""
    rows = ChatSilence.objects.filter(user=user).order_by("pk")
    return rows.values("club__name", "reason", "made_at", "until")


def exported_reports(user: User) -> Iterable[Mapping[str, Any]]:
    """Return when and where a user reported messages; their texts are their authors'."""
    rows = ChatReport.objects.filter(by=user).order_by("pk")
    return rows.values("message__channel__stream", "made_at", "answered_at")
