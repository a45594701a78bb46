"""Send a message: limits, silence, one short transaction, and the event on the chat's stream."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime

import msgspec
import structlog
from django.conf import settings
from django.db import IntegrityError, connection
from django.utils import timezone
from redis.exceptions import RedisError

from accounts.models import User
from config import limits
from config.door.rates import Rate
from config.redis import room
from tables.chat.clubs import club_of
from tables.chat.emotes import SYMBOLS
from tables.chat.events import ChatEvent
from tables.chat.history import message_sent
from tables.chat.models import ChatChannel, ChatMessage, ChatReport, ChatSilence
from tables.chat.refusals import ChatOff, NoSuchMessage, Silenced, TooFast
from tables.chat.rules import clean_text
from tables.chat.terms import chat_terms
from tables.store import streams
from tables.wire.client_commands import EmoteKey

log = structlog.get_logger(__name__)

FLOOD = Rate("chat", limits.CHAT_BURST, limits.CHAT_PER_MINUTE)
"""Messages of a player over all chats and web processes."""

REPORTS = Rate("chat-report", limits.CHAT_REPORTS_BURST, limits.CHAT_REPORTS_PER_MINUTE)
"""Reports of a reader over all chats and web processes."""

_json = msgspec.json.Encoder().encode

_KNOWN = """
SELECT EXISTS (SELECT FROM chat_chatmessage WHERE user_id = %s AND command = %s),
    silence.club_id, silence.until, silence.reason
FROM (VALUES (1)) AS one
LEFT JOIN chat_chatsilence AS silence ON silence.user_id = %s AND silence.until > %s
ORDER BY silence.until DESC
"""

# The author's row first: an account being deleted is waited for, and no message appears under its
# former name.
_STORE = """
WITH author AS (
    SELECT id FROM accounts_user WHERE id = %(user)s AND name = %(name)s AND is_active FOR KEY SHARE
), numbered AS (
    INSERT INTO chat_chatchannel AS c (stream, last) SELECT %(stream)s, 1 FROM author
    ON CONFLICT (stream) DO UPDATE SET last = c.last + 1 RETURNING id, last
)
INSERT INTO chat_chatmessage (channel_id, seq, user_id, name, command, text, emote, sent_at)
SELECT id, last, %(user)s, %(name)s, %(command)s, %(text)s, %(emote)s, %(sent_at)s FROM numbered
RETURNING id, channel_id, seq
"""


class ChatAuthor(msgspec.Struct, frozen=True):
    """Author of a message: the account and the name that others see."""

    user: int
    name: str


def send_message(stream: str, author: ChatAuthor, command: str, raw: str) -> None:
    """Store a message and tell the followers of the stream; a repeated command stores nothing.

    Raises ChatRefusal, in which case nothing has changed.
    """
    # A text is refused before anything is counted: a mistyped message costs no wait.
    _send(stream, author, command, text=clean_text(raw, chat_terms()))


def send_emote(stream: str, author: ChatAuthor, command: str, emote: EmoteKey) -> None:
    """Send an emote as the message it is, under the same rules, limits and silences."""
    _send(stream, author, command, text=SYMBOLS[emote], emote=emote)


def _send(stream: str, author: ChatAuthor, command: str, *, text: str, emote: str = "") -> None:
    # 1. A silenced player, or a command that was carried out, counts nothing.
    now = timezone.now()
    stored, silences = _known_of(author.user, command, now)
    _refuse_silenced(silences, stream)
    if stored:
        return
    # 2. Count in the whole room: a second connection or web process gains nothing.
    _spend(author.user, stream)
    # 3. Number and row in one statement, so that numbers follow commits without a gap.
    row = ChatMessage(
        user_id=author.user,
        name=author.name,
        command=command,
        text=text,
        emote=emote,
        sent_at=now,
    )
    try:
        _store(row, stream)
    except IntegrityError:
        if not ChatMessage.objects.filter(user=author.user, command=command).exists():
            raise
        return  # the same command, over another connection at the same time
    # 4. Publish after the commit. A lost event is found missing at the next one, and its followers
    #    get a snapshot.
    publish_event(stream, row.seq, message_sent(row))


def report_message(stream: str, message: int, reader: int) -> None:
    """Put a message on the moderators' list, once for each reader; raises ChatRefusal."""
    row = ChatMessage.objects.filter(pk=message, channel__stream=stream, deleted_at=None).first()
    if row is None:
        raise NoSuchMessage
    if wait_s := REPORTS.take(str(reader)):
        raise TooFast(wait_s=math.ceil(wait_s))
    ChatReport.objects.get_or_create(message=row, by_id=reader)


def next_number(stream: str) -> tuple[int, int]:
    """Return a channel's key and its next event number; locks the channel until the commit."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO chat_chatchannel AS c (stream, last) VALUES (%s, 1)"
            " ON CONFLICT (stream) DO UPDATE SET last = c.last + 1 RETURNING id, last",
            [stream],
        )
        key, number = cursor.fetchone()
    return int(key), int(number)


def publish_event(stream: str, seq: int, event: ChatEvent) -> None:
    """Publish an event of a chat; a Redis that does not answer is logged, the row stands."""
    try:
        fact = streams.Fact(stream, seq, _json(event))
        streams.publish_all(room(), [fact], kept_s=limits.CHAT_STREAM_KEPT_S)
    except (RedisError, OSError) as error:
        log.warning("chat event not published", stream=stream, error=str(error))


def _known_of(
    user: int, command: str, now: datetime
) -> tuple[bool, Sequence[tuple[int | None, datetime, str]]]:
    """Return whether a user's command is stored, and the user's silences: club, end, reason."""
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN, [user, command, user, now])
        rows = cursor.fetchall()
    return rows[0][0], [(club, until, reason) for _, club, until, reason in rows if until]


def _refuse_silenced(silences: Sequence[tuple[int | None, datetime, str]], stream: str) -> None:
    """Raise Silenced while a silence goes on, in every chat or in the chat's club."""
    club = club_of(stream) if any(of_club is not None for of_club, _, _ in silences) else None
    for of_club, until, reason in silences:
        if of_club is None or of_club == club:
            raise Silenced(reason=reason, until_ms=round(until.timestamp() * 1_000))


def _store(row: ChatMessage, stream: str) -> None:
    """Number and store a message; raise ChatOff when its author left or has another name."""
    with connection.cursor() as cursor:
        cursor.execute(
            _STORE,
            {
                "stream": stream,
                "user": row.user_id,
                "name": row.name,
                "command": row.command,
                "text": row.text,
                "emote": row.emote,
                "sent_at": row.sent_at,
            },
        )
        stored = cursor.fetchone()
    if stored is None:
        raise ChatOff
    row.pk, row.channel_id, row.seq = stored


def _spend(user: int, stream: str) -> None:
    waits = [FLOOD.take(str(user))]
    if settings.CHAT_SLOW_S and not waits[0]:
        slow = Rate("chat-slow", 1, 60 / settings.CHAT_SLOW_S)
        waits.append(slow.take(f"{user} {stream}"))
    if wait_s := max(waits):
        raise TooFast(wait_s=math.ceil(wait_s))


for _model, _table in (
    (ChatChannel, "chat_chatchannel"),
    (ChatMessage, "chat_chatmessage"),
    (ChatSilence, "chat_chatsilence"),
    (User, "accounts_user"),
):
    assert _model._meta.db_table == _table
