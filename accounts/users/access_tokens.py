"""Personal access tokens: made, checked and revoked; the text of a token is shown once."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from typing import Any

from django.db import connection, transaction
from django.db.models import Model, QuerySet
from django.utils import timezone

from accounts.models import AccessToken, User
from config import limits
from config.refusals import Refusal
from config.refusals import marked as _

SCOPES = {
    "cards:delayed": _("Read cards of featured tables after their delay"),
    "hands:own": _("Read your finished hands with your cards, and your statistics"),
    "manage:tournaments": _("Make and run tournaments as far as you may yourself"),
    "play": _("Register, sit down and play"),
    "wallet": _("Read the wallet"),
    "watch": _("Read tournaments, their results and hands, and ring games"),
}
"""Rights of tokens by their codes, with the words of the page."""

_PREFIX = "room_"
_LENGTH_MAX = 100
_USE_NOTED_EVERY = timedelta(minutes=1)
_ANY_DIGEST, _ANY_TIME = "digest", datetime.max.replace(tzinfo=UTC)
"""Placeholders of a digest and of the time in the statement of one token."""


class TooManyTokens(Refusal):
    """Refusal of one more token of a user."""

    code = "too_many_tokens"
    sentence = _("At most %(most)s tokens can be valid at once.")


class InvalidToken(Refusal):
    """Refusal of a token that is unknown, expired, revoked or void; it never says which."""

    code = "invalid_token"
    sentence = _("The access token is missing or not valid.")


class MissingScope(Refusal):
    """Refusal of a request outside the rights of a token."""

    code = "missing_scope"
    sentence = _("The access token lacks the right “%(scope)s”.")


def issue(user: User, *, name: str, scopes: Collection[str], days: int) -> str:
    """Store a new token and return its text, which is kept nowhere; raises TooManyTokens."""
    assert scopes and set(scopes) <= set(SCOPES), "rights are checked by the form"
    assert 1 <= days <= limits.TOKEN_DAYS_MAX
    text = _PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        # The lock keeps two forms sent at once below the limit.
        User.objects.select_for_update().get(pk=user.pk)
        if valid_tokens(user).count() >= limits.TOKENS_PER_USER_MAX:
            raise TooManyTokens(most=limits.TOKENS_PER_USER_MAX)
        AccessToken.objects.create(
            user=user,
            name=name,
            digest=digest_of(text),
            mark=_mark(user),
            scopes=sorted(scopes),
            expires_at=timezone.now() + timedelta(days=days),
        )
    return text


def valid_tokens(user: User) -> QuerySet[AccessToken]:
    """Return the tokens of a user that open something now, newest first."""
    return AccessToken.objects.filter(
        user=user, mark=_mark(user), revoked_at=None, expires_at__gt=timezone.now()
    ).order_by("-pk")


@transaction.atomic
def revoke(user: User, pk: int) -> bool:
    """Revoke a token of this user for good; return False for a token of another user.

    The row is saved, not updated by a query: its signal ends the sockets that it opened.
    """
    rows = AccessToken.objects.select_for_update()
    token = rows.filter(user=user, pk=pk, revoked_at=None).first()
    if token is None:
        return False
    token.revoked_at = timezone.now()
    token.save(update_fields=["revoked_at"])
    return True


def accept(text: str, scope: str) -> AccessToken:
    """Return the valid token with this text and right, and note its use to the minute.

    Raises InvalidToken and MissingScope.
    """
    now = timezone.now()
    token = None
    if len(text) <= _LENGTH_MAX:
        token = _valid(digest_of(text), now)
    if token is None:
        raise InvalidToken
    if scope not in token.scopes:
        raise MissingScope(scope=scope)
    if token.used_at is None or token.used_at < now - _USE_NOTED_EVERY:
        AccessToken.objects.filter(pk=token.pk).update(used_at=now)
    return token


def still_valid(digests: Collection[str]) -> list[AccessToken]:
    """Return the tokens with these digests that open something now, with their users."""
    rows = _open(digests, timezone.now())
    return [token for token in rows if token.mark == _mark(token.user)]


def _valid(digest: str, now: datetime) -> AccessToken | None:
    """Return the token of a digest if it opens something now, by a statement built once.

    To build it anew took half of the time of the check, at every request of a program.
    """
    statement, constants = _statement()
    given: dict[Any, Any] = {_ANY_DIGEST: digest, _ANY_TIME: now}
    parameters: list[Any] = [given.get(value, value) for value in constants]
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        row = cursor.fetchone()
    if row is None:
        return None
    names = _names(AccessToken)
    token = AccessToken.from_db(connection.alias, names, row[: len(names)])
    # The driver leaves JSON as text to Django's fields.
    token.scopes = json.loads(token.scopes)
    token.user = User.from_db(connection.alias, _names(User), row[len(names) :])
    return token if token.mark == _mark(token.user) else None


@cache
def _statement() -> tuple[str, Sequence[Any]]:
    """Return the statement of one token with its user, and its parameters with placeholders."""
    rows = _open([_ANY_DIGEST], _ANY_TIME)
    statement, constants = rows.query.sql_with_params()
    assert {_ANY_DIGEST, _ANY_TIME} <= set(constants)
    return statement, constants


@cache
def _names(model: type[Model]) -> list[str]:
    """Return the fields of a model in the order of its columns in a statement."""
    return [field.attname for field in model._meta.concrete_fields]


def _open(digests: Collection[str], now: datetime) -> QuerySet[AccessToken]:
    """Select the tokens of active users, of bots with an active owner, with their users."""
    rows = AccessToken.objects.filter(
        digest__in=digests, revoked_at=None, expires_at__gt=now, user__is_active=True
    ).exclude(user__bot_account__owner__is_active=False)
    return rows.select_related("user")


def digest_of(text: str) -> str:
    """Return the stored digest; the text is random, so a fast hash suffices."""
    return sha256(text.encode(errors="replace")).hexdigest()


def _mark(user: User) -> str:
    return sha256(f"token:{user.get_session_auth_hash()}".encode()).hexdigest()
