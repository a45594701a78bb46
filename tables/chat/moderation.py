"""Steps of moderators and managers: delete, silence, answer reports; each leaves a record.

The record is a row of the admin's log, which is append-only and sealed.
"""

from __future__ import annotations

from datetime import timedelta

import structlog
from django.conf import settings
from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.db import transaction
from django.utils import timezone
from redis.exceptions import RedisError

from accounts.models import User
from config import limits
from config.redis import room
from tables.chat import authority
from tables.chat.authority import RIGHT, Reach
from tables.chat.events import ChatMessageDeleted
from tables.chat.models import ChatMessage, ChatReport, ChatSilence
from tables.chat.sending import next_number, publish_event
from tables.store import keys

log = structlog.get_logger(__name__)


def delete_message(message: int, moderator: User) -> bool:
    """Take a message from all screens and answer its reports; False when it was deleted before.

    The row stays until retention ends, for the record of what was said.
    """
    with transaction.atomic():
        rows = ChatMessage.objects.select_for_update(of=("self",)).select_related("channel")
        row = rows.get(pk=message)
        if row.deleted_at is not None:
            return False
        stream = row.channel.stream
        assert authority.reach_over(moderator, stream) is not Reach.NONE
        _, seq = next_number(stream)
        row.deleted_at = timezone.now()
        row.save(update_fields=["deleted_at"])
        ChatReport.objects.filter(message=row, answered_at=None).update(answered_at=row.deleted_at)
        LogEntry.objects.log_actions(
            moderator.pk, [row], DELETION, "deleted the message", single_object=True
        )
    # Without its entry a client that resumes before it gets a snapshot, never the text.
    try:
        room().xdel(keys.events(stream, settings.SHARDS), f"0-{row.seq}")
    except (RedisError, OSError) as error:
        log.warning("chat message stays in redis for a day", message=row.pk, error=str(error))
    publish_event(stream, seq, ChatMessageDeleted(row.pk))
    return True


def silence_player(
    player: User, moderator: User, *, minutes: int, reason: str, club: int | None = None
) -> ChatSilence:
    """Silence a player for some minutes, in every chat or in those of a club; the reason is read.

    Managers of a club silence in its chats alone.
    """
    assert authority.reach_of(moderator, club) is not Reach.NONE and reason
    assert 0 < minutes <= limits.SILENCE_DAYS_MAX * 24 * 60, minutes
    with transaction.atomic():
        silence = ChatSilence.objects.create(
            user=player,
            club_id=club,
            until=timezone.now() + timedelta(minutes=minutes),
            reason=reason,
            by=moderator,
        )
        LogEntry.objects.log_actions(
            moderator.pk,
            [silence],
            ADDITION,
            f"silenced {player.name} for {minutes} min{_where(club)}: {reason}",
            single_object=True,
        )
    return silence


def end_silence(silence: ChatSilence, moderator: User) -> bool:
    """Let a silenced player chat again at once; False when the silence was over before.

    Managers of a club end the silences of its chats alone.
    """
    assert authority.reach_of(moderator, silence.club_id) is not Reach.NONE
    with transaction.atomic():
        now = timezone.now()
        if not ChatSilence.objects.filter(pk=silence.pk, until__gt=now).update(until=now):
            return False
        LogEntry.objects.log_actions(
            moderator.pk, [silence], CHANGE, "ended the silence", single_object=True
        )
        return True


def answer_report(report: ChatReport, moderator: User) -> bool:
    """Close a report without a step against its message; False when it was closed before."""
    assert moderator.has_perm(RIGHT)
    with transaction.atomic():
        open_now = ChatReport.objects.filter(pk=report.pk, answered_at=None)
        if not open_now.update(answered_at=timezone.now()):
            return False
        LogEntry.objects.log_actions(
            moderator.pk, [report], CHANGE, "answered the report", single_object=True
        )
        return True


def _where(club: int | None) -> str:
    return "" if club is None else f" in club {club}"
