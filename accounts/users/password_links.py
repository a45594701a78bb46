"""One-time links for a new password: staff issue a link and never choose a password."""

from __future__ import annotations

from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.models import PasswordLink, User

PERMISSION = "accounts.hand_over_links"


def may_hand_over(actor: User, user: User) -> bool:
    """Return whether an operator may issue a link: by permission; for staff, superusers only."""
    if not actor.has_perm(PERMISSION) or not user.is_active or user.is_bot:
        return False
    return bool(actor.is_superuser) or not (user.is_staff or user.is_superuser)


def make(user: User, *, actor: User, reason: str) -> str:
    """Record an issued link and return its path, which is shown once.

    Django's token is signed, is not stored, and expires with PASSWORD_RESET_TIMEOUT and the
    next password or log-in of the user. The caller checks `may_hand_over` first.
    """
    assert reason and may_hand_over(actor, user), "a link needs a reason and a permitted issuer"
    PasswordLink.objects.create(user=user, made_by=actor, reason=reason)
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("new_password", args=[uid, default_token_generator.make_token(user)])


def note_use(user: User) -> None:
    """Record the use of a link of this user; the notice to the player is then shown again."""
    with transaction.atomic():
        newest = (
            PasswordLink.objects.filter(user=user, used_at__isnull=True).order_by("-pk").first()
        )
        if newest is not None:
            newest.used_at, newest.told_at = timezone.now(), None
            newest.save(update_fields=["used_at", "told_at"])


def untold(user: User) -> list[PasswordLink]:
    """Return the links that the player has not confirmed, oldest first."""
    return list(PasswordLink.objects.filter(user=user, told_at__isnull=True).order_by("pk"))


def told(user: User, upto: int) -> None:
    """Record that the player confirmed links up to this one."""
    rows = PasswordLink.objects.filter(user=user, pk__lte=upto, told_at__isnull=True)
    rows.update(told_at=timezone.now())
