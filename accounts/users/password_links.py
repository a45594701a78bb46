"""One-time links for a new password: staff issue a link and never choose a password."""

from __future__ import annotations

from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.models import EmailAddress, PasswordLink, User
from config.postgres.statements import ANY_KEY, BuiltOnce

PERMISSION = "accounts.hand_over_links"


class PasswordTokens(PasswordResetTokenGenerator):
    """Tokens that are void after a password, a log-in, or a change of the confirmed addresses.

    Django's token knows the primary address alone: a link mailed to another one must not outlive
    its removal. With no other address the token is Django's, so that links survive an upgrade.
    """

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        rows = EmailAddress.objects.filter(user=user.pk, confirmed_at__isnull=False)
        others = rows.filter(is_primary=False).order_by("pk").values_list("pk", flat=True)
        return super()._make_hash_value(user, timestamp) + "".join(f" {pk}" for pk in others)


class MailedTokens(PasswordTokens):
    """Tokens of links that were mailed to their user, which no operator has seen."""

    key_salt = "accounts.users.password_links.MailedTokens"


class LinkTokens(PasswordTokens):
    """Tokens of links that operators hand over; those of mailed links are valid as well."""

    def check_token(self, user: User | None, token: str | None) -> bool:
        """Return whether a token is valid for a user, be its link mailed or handed over."""
        return bool(super().check_token(user, token)) or mailed_tokens.check_token(user, token)


tokens, mailed_tokens = LinkTokens(), MailedTokens()


def may_hand_over(actor: User, user: User) -> bool:
    """Return whether an operator may issue a link: by permission; for staff, superusers only."""
    if not actor.has_perm(PERMISSION) or not user.is_active or user.is_bot:
        return False
    return bool(actor.is_superuser) or not (user.is_staff or user.is_superuser)


def make(user: User, *, actor: User, reason: str) -> str:
    """Record an issued link and return its path, which is shown once.

    The token is signed, is not stored, and expires with PASSWORD_RESET_TIMEOUT and what
    `PasswordTokens` names. The caller checks `may_hand_over` first.
    """
    assert reason and may_hand_over(actor, user), "a link needs a reason and a permitted issuer"
    PasswordLink.objects.create(user=user, made_by=actor, reason=reason)
    return path_for(user)


def path_for(user: User, made_by: PasswordTokens = tokens) -> str:
    """Return the path of a new link for a user, one that is handed over unless said otherwise."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("new_password", args=[uid, made_by.make_token(user)])


def mailed_path_for(user: User) -> str:
    """Return the path of a new link that is mailed to its user: its use is no operator's link."""
    return path_for(user, mailed_tokens)


def note_use(user: User) -> None:
    """Record the use of a link that was handed over; the player is then told of it again."""
    with transaction.atomic():
        newest = (
            PasswordLink.objects.filter(user=user, used_at__isnull=True).order_by("-pk").first()
        )
        if newest is not None:
            newest.used_at, newest.told_at = timezone.now(), None
            newest.save(update_fields=["used_at", "told_at"])


def untold(user: User) -> list[PasswordLink]:
    """Return the links that the player has not confirmed, oldest first."""
    return _UNTOLD.rows(user.pk)


def told(user: User, upto: int) -> None:
    """Record that the player confirmed links up to this one."""
    rows = PasswordLink.objects.filter(user=user, pk__lte=upto, told_at__isnull=True)
    rows.update(told_at=timezone.now())


_UNTOLD = BuiltOnce(
    lambda user: PasswordLink.objects.filter(user=user, told_at__isnull=True).order_by("pk"),
    ANY_KEY,
)
