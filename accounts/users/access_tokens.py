"""Personal access tokens: made, checked and revoked; the text of a token is shown once."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import AccessToken, User
from config import limits
from config.postgres.statements import ANY_TEXT, ANY_TIME, BuiltOnce
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
        user=user, mark__in=_marks(user), revoked_at=None, expires_at__gt=timezone.now()
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


def valid_token(text: str) -> AccessToken:
    """Return the token with this text if it opens something now; raises InvalidToken."""
    token = _valid(digest_of(text), timezone.now()) if len(text) <= _LENGTH_MAX else None
    if token is None:
        raise InvalidToken
    return token


def use(token: AccessToken, scope: str) -> None:
    """Note the use of a right of a valid token, to the minute; raises MissingScope."""
    if scope not in token.scopes:
        raise MissingScope(scope=scope)
    now = timezone.now()
    if token.used_at is None or token.used_at < now - _USE_NOTED_EVERY:
        AccessToken.objects.filter(pk=token.pk).update(used_at=now)


def still_valid(digests: Collection[str]) -> list[AccessToken]:
    """Return the tokens with these digests that open something now, with their users."""
    rows = _open(digests, timezone.now())
    return [token for token in rows if token.mark in _marks(token.user)]


def _valid(digest: str, now: datetime) -> AccessToken | None:
    """Return the token of a digest if it opens something now."""
    found = _ONE.rows(digest, now)
    return found[0] if found and found[0].mark in _marks(found[0].user) else None


def _open(digests: Collection[str], now: datetime) -> QuerySet[AccessToken]:
    """Select the tokens of active users, of bots with an active owner, with their users."""
    rows = AccessToken.objects.filter(
        digest__in=digests, revoked_at=None, expires_at__gt=now, user__is_active=True
    ).exclude(user__bot_account__owner__is_active=False)
    return rows.select_related("user__bot_account__owner")


_ONE = BuiltOnce(lambda digest, now: _open([digest], now), ANY_TEXT, ANY_TIME)
"""Token of a digest; to build the statement anew took half of the time of each check."""


def digest_of(text: str) -> str:
    """Return the stored digest; the text is random, so a fast hash suffices."""
    return sha256(text.encode(errors="replace")).hexdigest()


def _mark(user: User) -> str:
    """Return the mark of a new token; that of a bot, which has no password, is of its owner's."""
    own = user.get_session_auth_hash()
    owner = _owner(user)
    return _of_hash(own if owner is None else f"{owner.get_session_auth_hash()}:{own}")


def _marks(user: User) -> set[str]:
    """Return the marks of valid tokens: also those made under a key of SECRET_KEY_FALLBACKS.

    Tokens of bots from before marks were of their owners last until they expire.
    """
    owner, hashes = _owner(user), _hashes(user)
    of_owner = [] if owner is None else [f"{one}:{own}" for one in _hashes(owner) for own in hashes]
    return set(map(_of_hash, [*hashes, *of_owner]))


def _hashes(user: User) -> list[str]:
    return [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]


def _owner(user: User) -> User | None:
    """Return the owner of a bot; None for a person."""
    account = getattr(user, "bot_account", None)
    return None if account is None else account.owner


def _of_hash(password_hash: str) -> str:
    return sha256(f"token:{password_hash}".encode()).hexdigest()
