"""Part of an account that the chat holds: the player's own messages and reports."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from redis.exceptions import RedisError

from accounts.models import User
from config import limits
from config.redis import room
from tables.chat.events import ChatMessageDeleted
from tables.chat.models import ChatMessage, ChatReport
from tables.chat.sending import next_number, publish_event
from tables.store import keys

log = structlog.get_logger(__name__)


def erase(user: User) -> None:
    """Delete a user's messages and reports; screens and Redis lose them after the commit."""
    own = ChatMessage.objects.filter(user=user)
    since = timezone.now() - timedelta(seconds=limits.CHAT_STREAM_KEPT_S)
    shown = own.filter(sent_at__gt=since).values("channel__stream").annotate(last=Max("pk"))
    for row in shown.order_by("channel__stream"):
        # After the commit: a sender holds a channel before a user, this transaction the user.
        tell = partial(_renew_stream, row["channel__stream"], row["last"])
        transaction.on_commit(tell, robust=True)
    own.delete()
    ChatReport.objects.filter(by=user).delete()


def _renew_stream(stream: str, message: int) -> None:
    """Empty a chat's stream in Redis and leave a gap in its numbers: all followers start over."""
    with transaction.atomic():
        next_number(stream)
        _, seq = next_number(stream)
    try:
        room().delete(keys.events(stream, settings.SHARDS))
    except (RedisError, OSError) as error:
        log.warning("chat stream stays in redis for a day", stream=stream, error=str(error))
    publish_event(stream, seq, ChatMessageDeleted(message))
