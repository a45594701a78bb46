"""Steps of moderators in the panel of a chat: a message is named, its author is silenced."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from config import limits
from tables.chat import authority, moderation
from tables.chat.authority import Reach
from tables.chat.clubs import club_of
from tables.chat.models import ChatMessage, ChatSilence
from tables.chat.refusals import (
    NoSuchMessage,
    NoSuchSilence,
    NotAModerator,
    NotBelowYou,
    OwnSilence,
    SilenceTooLong,
)
from tables.chat.rules import ChatTerms, clean_text

MINUTES_MAX = limits.SILENCE_DAYS_MAX * 24 * 60


def delete_by(user: int, stream: str, message: int) -> None:
    """Delete a message of a chat for a moderator; again, nothing more happens.

    Raises ChatRefusal, in which case nothing has changed.
    """
    moderator, _ = _moderator(user, stream)
    moderation.delete_message(_message(stream, message).pk, moderator)


def silence_by(user: int, stream: str, message: int, minutes: int, reason: str) -> None:
    """Silence the author of a message: in the whole room, or by a manager in the club's chats.

    Raises ChatRefusal, in which case nothing has changed.
    """
    moderator, reach = _moderator(user, stream)
    author = _message(stream, message).user
    if author == moderator or authority.reach_over(author, stream) >= reach:
        raise NotBelowYou
    if not 1 <= minutes <= MINUTES_MAX:
        raise SilenceTooLong(most=MINUTES_MAX)
    moderation.silence_player(
        author,
        moderator,
        minutes=minutes,
        reason=clean_text(reason, ChatTerms(links=True)),
        club=None if reach is Reach.ROOM else club_of(stream),
    )


def silences_of(club: int) -> QuerySet[ChatSilence]:
    """Return the silences that hold in the chats of a club, the one that ends first at the top.

    Those of the whole room are no part of them: the room's moderators end these.
    """
    rows = ChatSilence.objects.filter(club=club, until__gt=timezone.now())
    return rows.select_related("user", "by").order_by("until", "pk")


def end_silence_by(user: int, club: int, silence: int) -> None:
    """End a silence of a club's chats before its time, as a manager or moderator; also of others.

    Nobody ends a silence of the own account. Raises ChatRefusal, in which case nothing has changed.
    """
    moderator = User.objects.filter(pk=user, is_active=True).first()
    if moderator is None or authority.reach_of(moderator, club) is Reach.NONE:
        raise NotAModerator
    row = ChatSilence.objects.filter(pk=silence, club=club).first()
    if row is None:
        raise NoSuchSilence
    if row.user_id == moderator.pk and not moderator.has_perm(authority.RIGHT):
        raise OwnSilence
    if not moderation.end_silence(row, moderator):
        raise NoSuchSilence


def _moderator(user: int, stream: str) -> tuple[User, Reach]:
    moderator = User.objects.filter(pk=user, is_active=True).first()
    reach = Reach.NONE if moderator is None else authority.reach_over(moderator, stream)
    if moderator is None or reach is Reach.NONE:
        raise NotAModerator
    return moderator, reach


def _message(stream: str, message: int) -> ChatMessage:
    rows = ChatMessage.objects.select_related("user")
    row = rows.filter(pk=message, channel__stream=stream).first()
    if row is None:
        raise NoSuchMessage
    return row
