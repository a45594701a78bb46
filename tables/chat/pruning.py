"""Retention of messages: rows older than the setting are deleted once an hour."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings

from accounts.retention.rows import AgingRows
from config.door.rates import Rate
from tables.chat.models import ChatMessage, ChatSilence

HOURLY = Rate("prune-chat", burst=1, per_minute=1 / 60)
"""Rate of one turn an hour for the whole room."""


def _kept() -> timedelta:
    return timedelta(days=settings.CHAT_KEPT_DAYS)


MESSAGES = AgingRows("chat-messages", ChatMessage, "sent_at", _kept, "CHAT_KEPT_DAYS")
SILENCES = AgingRows("chat-silences", ChatSilence, "until", _kept, "CHAT_KEPT_DAYS")


def prune_chat_hourly() -> int:
    """Prune at most once an hour; return the number of deleted messages."""
    return prune_chat() if HOURLY.take("room") == 0.0 else 0


def prune_chat() -> int:
    """Delete messages, with their reports, and ended silences past CHAT_KEPT_DAYS.

    Returns the number of messages. At most PRUNED_AT_ONCE_MAX rows go per call.
    """
    SILENCES.prune()
    return MESSAGES.prune()
