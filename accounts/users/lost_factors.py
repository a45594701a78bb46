"""Second factor and passkeys of a person who lost them, removed by an administrator."""

from __future__ import annotations

from django.db import transaction

from accounts.mail import notices
from accounts.models import Passkey, SecondFactor, User


def may_remove(actor: User, user: User) -> bool:
    """Return whether an administrator may remove another person's factors; never the own ones.

    Superusers alone: with a link for a new password the two open an account.
    """
    return bool(actor.is_superuser) and actor.is_active and user.is_active and actor.pk != user.pk


def held(user: User) -> bool:
    """Return whether there is a factor that counts, or a passkey."""
    factors = SecondFactor.objects.filter(user=user, confirmed_at__isnull=False)
    return factors.exists() or Passkey.objects.filter(user=user).exists()


def remove(user: User, *, actor: User) -> None:
    """Delete a person's second factor and passkeys, and mail a notice to the primary address.

    The caller checks `may_remove` first and writes the reason into the history.
    """
    assert may_remove(actor, user), "an administrator, and not for the own account"
    with transaction.atomic():
        SecondFactor.objects.filter(user=user).delete()
        Passkey.objects.filter(user=user).delete()
        notices.tell_factors_removed(user)
