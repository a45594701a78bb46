"""Confirmed e-mail address that a room may ask of people before they play (`EMAIL_REQUIRED`)."""

from __future__ import annotations

from django.conf import settings

from accounts.models import EmailAddress, User
from accounts.refusals import AddressNeeded


def is_missing(user: User) -> bool:
    """Return whether a user may not enter or sit down for want of an address; bots need none."""
    if not settings.EMAIL_REQUIRED or user.is_bot:
        return False
    return not EmailAddress.objects.filter(user=user, is_primary=True).exists()


def check_address(user: User) -> None:
    """Refuse an entry or a buy-in without a confirmed address; raises AddressNeeded.

    Re-buys and re-entries that are offered during play are not asked about it: the player sits
    there already.
    """
    if is_missing(user):
        raise AddressNeeded
