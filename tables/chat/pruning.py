"""Retention of messages: rows older than the setting are deleted once an hour."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from config import limits
from config.door.rates import Rate
from tables.chat.models import ChatMessage, ChatSilence

HOURLY = Rate("prune-chat", burst=1, per_minute=1 / 60)
"""Rate of one turn an hour for the whole room."""


def prune_chat_hourly() -> int:
    """Prune at most once an hour; return the number of deleted messages."""
    return prune_chat() if HOURLY.take("room") == 0.0 else 0


def prune_chat() -> int:
    """Delete messages, with their reports, and ended silences past CHAT_KEPT_DAYS.

    Returns the number of messages. At most PRUNED_AT_ONCE_MAX rows go per call.
    """
    ended = timezone.now() - timedelta(days=settings.CHAT_KEPT_DAYS)
    old = ChatMessage.objects.filter(sent_at__lt=ended).order_by("sent_at").values("pk")
    some = [row["pk"] for row in old[: limits.PRUNED_AT_ONCE_MAX]]
    gone = ChatMessage.objects.filter(pk__in=some).delete()[1]
    ChatSilence.objects.filter(until__lt=ended).delete()
    return gone.get(ChatMessage._meta.label, 0)
