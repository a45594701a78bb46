"""Rows of accounts and clubs that end with an account."""

from __future__ import annotations

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.db.models import Q

from accounts.logins import open_sessions
from accounts.models import (
    AccessToken,
    ApiAnswer,
    EmailAddress,
    JoinRequest,
    Mail,
    OwnLimit,
    Passkey,
    SecondFactor,
    User,
)
from accounts.names import fold


def erase(user: User, former_name: str) -> None:
    """Delete sessions, tokens, second factors, addresses, mail, limits, requests and log-in tries.

    The caller has locked the user and gives the name that the account had.
    """
    _erase_mail(user)
    open_sessions.end_others(user, None)
    kinds = (AccessToken, ApiAnswer, SecondFactor, Passkey, EmailAddress, OwnLimit, JoinRequest)
    for model in kinds:
        model._default_manager.filter(user=user).delete()
    for noted in (AccessAttempt, AccessFailureLog, AccessLog):
        noted.objects.filter(username__in=(former_name, fold(former_name))).delete()


def _erase_mail(user: User) -> None:
    """Delete mail to the user's addresses, but not mail to another user's confirmed address."""
    own = Q()
    for row in EmailAddress.objects.filter(user=user):
        if not EmailAddress.confirmed_as(row.address).exclude(user=user).exists():
            own |= Q(address__iexact=row.address)
    if own:
        Mail.objects.filter(own).delete()
