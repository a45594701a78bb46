"""Credentials of sockets, log-in sessions and access tokens: their users, and when they end."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.logins import idle
from accounts.logins.session_store import open_session
from accounts.models import User
from accounts.users import access_tokens, token_requests
from config import limits
from config.door.origins import bearer_of
from config.postgres.statements import ANY_KEY, BuiltOnce
from tables.gateway.database import reads

TOKEN_SCOPE = "play"  # nosec B105
"""Right of tokens that open sockets: a socket shows own cards and takes tables over."""

TOKEN_PREFIX = "token:"  # nosec B105
"""Beginning of the credential of a token; the digest of its text follows, never the text."""

Pair = tuple[str, "int | None"]
"""A credential and the user who holds it."""

_ACTIVE = BuiltOnce(lambda pk: User.objects.filter(pk=pk, is_active=True), ANY_KEY)
_NOBODY = (0, False, None, "")

_proven: OrderedDict[Pair, bytes] = OrderedDict()
"""Marks of the rows of sessions and users that belonged together; the oldest go."""


def credential_of(scope: Mapping[str, Any], cookies: Mapping[str, str]) -> str:
    """Return the credential of a handshake: its token, else its session, else an empty text."""
    text = bearer_of(scope)
    if text is not None:
        return TOKEN_PREFIX + access_tokens.digest_of(text)
    return cookies.get(settings.SESSION_COOKIE_NAME, "")


async def user_of(scope: Mapping[str, Any], credential: str, source: str) -> User | None:
    """Return the user of a handshake; None for a session that is over, idle, invented or of a ban.

    Raises InvalidToken, MissingScope or TooManyRequests where the credential is a token.
    """
    text = bearer_of(scope)
    return await (_user_of_session(credential) if text is None else _user_of_token(text, source))


@reads
def ended(pairs: Collection[Pair]) -> dict[Pair, str]:
    """Return which credentials of users are over, and the code of the goodbye for each."""
    rows = User.objects.filter(pk__in={user for _, user in pairs})
    users = {row[0]: row for row in rows.values_list("pk", "is_active", "deleted_at", "password")}
    valid = _users_of_sessions(pairs, {pk: row[3] for pk, row in users.items()})
    valid |= _users_of_tokens(pairs)
    over = {}
    for pair in pairs:
        _, is_active, deleted_at, _ = users.get(pair[1] or 0, _NOBODY)
        if not is_active and deleted_at is None:
            over[pair] = "banned"
        elif pair not in valid:
            over[pair] = "token_over" if pair[0].startswith(TOKEN_PREFIX) else "session_expired"
    return over


def _users_of_sessions(pairs: Iterable[Pair], passwords: Mapping[int, str]) -> set[Pair]:
    keys = {key for key, _ in pairs if not key.startswith(TOKEN_PREFIX)}
    if not keys:
        return set()
    rows = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    live = dict(rows.values_list("session_key", "session_data"))
    # 1. A pair whose two rows are as they were when it was proven needs no proof again: reading
    #    signed data and making a user's hash takes most of the time of a check.
    marks = {
        (key, user): _mark(live[key], passwords[user])
        for key, user in pairs
        if user is not None and key in live and user in passwords
    }
    unproven = {pair for pair, mark in marks.items() if _proven.get(pair) != mark}
    # 2. Prove the others, and remember them.
    users = User.objects.in_bulk({user for _, user in unproven}) if unproven else {}
    for pair in unproven:
        session = Session(session_key=pair[0], session_data=live[pair[0]]).get_decoded()
        user = users.get(pair[1])
        if user is None or user.password != passwords[user.pk] or not _speaks_for(session, user):
            del marks[pair]
            continue
        _proven[pair] = marks[pair]
        while len(_proven) > limits.SESSIONS_KNOWN_MAX:
            _proven.popitem(last=False)
    return set(marks)


def _mark(session_data: str, password: str) -> bytes:
    return sha256(f"{password} {session_data}".encode()).digest()


def _users_of_tokens(pairs: Iterable[Pair]) -> set[Pair]:
    keys = [key for key, _ in pairs if key.startswith(TOKEN_PREFIX)]
    if not keys:
        return set()
    tokens = access_tokens.still_valid([key.removeprefix(TOKEN_PREFIX) for key in keys])
    return {
        (TOKEN_PREFIX + token.digest, token.user_id)
        for token in tokens
        if TOKEN_SCOPE in token.scopes
    }


@reads
def _user_of_token(text: str, source: str) -> User:
    return token_requests.accept(text, TOKEN_SCOPE, source).user


@reads
def _user_of_session(session_key: str) -> User | None:
    row = open_session(session_key)
    session = {} if row is None else row.get_decoded()
    number = session.get(SESSION_KEY)
    user = None if number is None else _ACTIVE.first(number)
    if user is None or not _speaks_for(session, user) or idle.is_idle(user, session_key):
        return None
    return user


def _speaks_for(session: dict[str, Any], user: Any) -> bool:
    if session.get(SESSION_KEY) != str(user.pk) or BACKEND_SESSION_KEY not in session:
        return False
    known = session.get(HASH_SESSION_KEY, "")
    hashes: Iterable[str] = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(known, own) for own in hashes)
