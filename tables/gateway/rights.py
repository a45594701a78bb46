"""Rights of open sockets: their credentials, and the streams that their users may follow.

Both are checked at the beginning, after a hint that something changed, and every half minute.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from typing import Any

import structlog
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import DatabaseError, transaction
from django.db.models.signals import m2m_changed, post_delete, post_save

from accounts.logins import idle
from accounts.models import AccessToken, Membership, User
from config import limits
from tables.dealer import director
from tables.gateway import credentials
from tables.gateway.database import notes_use, reads
from tables.gateway.hints import give_hint
from tables.gateway.sockets import Socket
from tables.gateway.streams.feed import Feed
from tables.gateway.streams.followers import StreamFollower
from tables.gateway.streams.known_kinds import NoSuchStream
from tables.models import Table
from tables.store import keys

log = structlog.get_logger(__name__)

HINT_PREFIX = "session:"
"""Prefix of hints: `session:7` says that credentials of user 7 changed; the rows say how."""

MATTERS = {"is_active", "is_staff", "is_superuser", "password"}
"""Fields of a user that decide whether sockets stay open and what they may follow."""

CHECKED_AT_ONCE_MAX = 50
"""Sockets per query: a few ms of work during which this process sends no events."""


async def end_sessions(sockets: list[Socket], over_s: float = 0.0) -> None:
    """Dismiss sockets with an ended session or token, some at a time, spread over `over_s`.

    A check of thousands at once would hold up every event for most of a second.
    """
    now_s = asyncio.get_running_loop().time
    began_s, starts = now_s(), range(0, len(sockets), CHECKED_AT_ONCE_MAX)
    for number, first in enumerate(starts, 1):
        await asyncio.sleep(max(0.0, began_s + over_s * number / len(starts) - now_s()))
        some = sockets[first : first + CHECKED_AT_ONCE_MAX]
        try:
            pairs = {(socket.credential, socket.user_id) for socket in some}
            ended = await credentials.ended(pairs)
        except DatabaseError as error:
            # An unknown session ends nothing: the database may be back at the next check.
            log.warning("sessions not checked", error=str(error))
            return
        for socket in some:
            code = ended.get((socket.credential, socket.user_id))
            if code is not None:
                socket.dismiss(code)


async def note_used(sockets: Iterable[Socket], now_ms: int) -> None:
    """Store the use of sessions by commands, each at most once in LOGIN_SEEN_EVERY_S.

    A player at a table asks for no page for hours and is not idle.
    """
    if not idle.is_in_force():
        return
    every_ms = limits.LOGIN_SEEN_EVERY_S * 1_000
    due = [one for one in sockets if one.acted and now_ms - one.noted_ms >= every_ms]
    for socket in due:
        socket.acted, socket.noted_ms = False, now_ms
    if not due:
        return
    try:
        await _note_used({socket.credential for socket in due})
    except DatabaseError as error:
        log.warning("use of sessions not noted", error=str(error))


@notes_use
def _note_used(session_keys: Collection[str]) -> None:
    idle.note_used(session_keys)


async def may_follow(feed: Feed, follower: StreamFollower) -> bool:
    """Return whether a follower may see a stream; raises NoSuchStream when it does not exist."""
    guard = feed.kind.guard
    if guard is None or feed.open_to_all or follower.link is not None:
        return True  # a link opens its streams, and its end cuts its sockets
    if follower.user is not None and follower.user in feed.seated:
        return True
    allowed = await guard(feed.stream, {follower.user})
    feed.open_to_all = allowed is None
    return allowed is None or follower.user in allowed


async def lost(feeds: Iterable[Feed], users: Collection[int] | None = None) -> list[StreamFollower]:
    """Return followers, of these users or of all, that may not see their stream any more."""
    without_right: list[StreamFollower] = []
    for feed in feeds:
        guard = feed.kind.guard
        if guard is None or feed.open_to_all:
            continue
        # Their seats let players in, unasked; who has left the seat is asked for like all others.
        by_right = [
            follower
            for follower in feed.followers
            if follower.link is None and follower.admitted and follower.user not in feed.seated
        ]
        asked = {follower.user for follower in by_right if users is None or follower.user in users}
        if not asked:
            continue
        try:
            allowed = await guard(feed.stream, asked)
        except NoSuchStream:
            continue
        except DatabaseError as error:
            # Unknown rights end nothing: the database may be back at the next check.
            log.warning("rights not checked", stream=feed.stream, error=str(error))
            return without_right
        feed.open_to_all = allowed is None
        if allowed is not None:
            gone = asked - allowed
            without_right += [follower for follower in by_right if follower.user in gone]
    return without_right


@reads
def of_table(stream: str, users: Collection[int | None]) -> set[int] | None:
    """Return which of these users may see a table, by its director; None: everybody may."""
    number = keys.number(stream)
    table = Table.objects.filter(pk=number).only("director", "game").first()
    if table is None:
        raise NoSuchStream(stream)
    return director.admitted(table.director, table.game, users)


def announce_changes() -> None:
    """Hint at every ended session or token and every changed account here, after commit."""
    post_delete.connect(_session_deleted, sender=Session, dispatch_uid="sockets")
    post_save.connect(_user_saved, sender=User, dispatch_uid="sockets")
    for relation in (User.groups.through, User.user_permissions.through):
        m2m_changed.connect(_groups_changed, sender=relation, dispatch_uid=f"sockets-{relation}")
    for signal in (post_save, post_delete):
        signal.connect(_token_changed, sender=AccessToken, dispatch_uid="sockets-tokens")
        signal.connect(_membership_changed, sender=Membership, dispatch_uid="sockets-clubs")


def rights_changed(user: int) -> None:
    """Hint, after commit, that the rights of a user's sockets changed."""
    transaction.on_commit(lambda: give_hint(f"{HINT_PREFIX}{user}"), robust=True)


def _groups_changed(instance: Any, action: str, **_: Any) -> None:
    if isinstance(instance, User) and action.startswith("post_"):
        rights_changed(instance.pk)


def _membership_changed(instance: Membership, **_: Any) -> None:
    rights_changed(instance.user_id)


def _token_changed(instance: AccessToken, created: bool = False, **_: Any) -> None:
    if not created:
        rights_changed(instance.user_id)


def _session_deleted(instance: Session, **_: Any) -> None:
    user = instance.get_decoded().get(SESSION_KEY)
    if user is not None:
        transaction.on_commit(lambda: give_hint(f"{HINT_PREFIX}{user}"))


def _user_saved(instance: Any, created: bool, update_fields: Any = None, **_: Any) -> None:
    matters = update_fields is None or MATTERS & set(update_fields)
    if matters and not created:
        transaction.on_commit(lambda: give_hint(f"{HINT_PREFIX}{instance.pk}"))
