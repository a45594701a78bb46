"""Rows of accounts and clubs in the export of a user's data, by section, without secrets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.contrib.admin.models import LogEntry
from django.db.models import BooleanField, ExpressionWrapper, Q

from accounts.models import (
    AccessToken,
    Account,
    ClubAnnouncement,
    ClubAuditRow,
    EmailAddress,
    JoinRequest,
    LoginSession,
    Membership,
    OwnLimit,
    Passkey,
    PasswordLink,
    Posting,
    SecondFactor,
    User,
)
from config import limits

Rows = Iterable[Mapping[str, Any]]


def _profile(user: User) -> Rows:
    columns = ("id", "name", "email", "language", "date_joined", "last_login", "is_pro", "is_bot")
    found: Rows = User.objects.filter(pk=user.pk).values(*columns)
    return found


def _addresses(user: User) -> Rows:
    rows = EmailAddress.objects.filter(user=user).order_by("pk")
    return rows.values("address", "is_primary", "confirmed_at")


def _sessions(user: User) -> Rows:
    columns = ("device", "address", "began_at", "seen_at")
    found: Rows = LoginSession.objects.filter(user=user).values(*columns)
    return found


def _passkeys(user: User) -> Rows:
    return Passkey.objects.filter(user=user).values("name", "made_at", "used_at")


def _clubs(user: User) -> Rows:
    return Membership.objects.filter(user=user).values("club__name", "role")


def _limits(user: User) -> Rows:
    columns = ("entries_a_day", "money_a_week", "wanted", "wanted_times", "excluded_until")
    found: Rows = OwnLimit.objects.filter(user=user).values(*columns)
    return found


def _accounts(user: User) -> Rows:
    return Account.objects.filter(user=user).values("kind", "ref", "balance")


def _movements(user: User) -> Rows:
    columns = ("transfer__created", "transfer__kind", "transfer__memo", "account__kind")
    rows = Posting.objects.filter(account__user=user).order_by("-pk")
    found: Rows = rows.values(*columns, "amount", "balance_after")[: limits.EXPORTED_ROWS_MAX]
    return found


def _second_factor(user: User) -> Rows:
    return SecondFactor.objects.filter(user=user).values("confirmed_at")


def _password_links(user: User) -> Rows:
    rows = PasswordLink.objects.filter(user=user).order_by("pk")
    return rows.values("reason", "made_at", "used_at", "told_at")


def _access_tokens(user: User) -> Rows:
    rows = AccessToken.objects.filter(user=user).order_by("pk")
    return rows.values("name", "scopes", "made_at", "expires_at", "used_at", "revoked_at")


def _history(user: User) -> Rows:
    """Return the steps that the user took on pages which keep a history, and own limits."""
    rows = LogEntry.objects.filter(user_id=user.pk).order_by("-pk")
    return rows.values("action_time", "object_repr", "change_message")[: limits.EXPORTED_ROWS_MAX]


def _join_requests(user: User) -> Rows:
    rows = JoinRequest.objects.filter(user=user).order_by("pk")
    return rows.values("club__name", "text", "state", "made_at", "answered_at")


def _announcements(user: User) -> Rows:
    rows = ClubAnnouncement.objects.filter(author=user).order_by("pk")
    return rows.values("club__name", "text", "made_at", "withdrawn_at")


def _club_records(user: User) -> Rows:
    """Return what the user did in clubs, and what was done there to the user."""
    rows = ClubAuditRow.objects.filter(Q(actor=user) | Q(subject=user)).order_by("-pk")
    is_actor = ExpressionWrapper(Q(actor=user), output_field=BooleanField())
    columns = ("club__name", "action", "at")
    marked = rows.annotate(by_me=is_actor)
    found: Rows = marked.values(*columns, "by_me")[: limits.EXPORTED_ROWS_MAX]
    return found


SECTIONS: dict[str, Callable[[User], Rows]] = {
    "profile": _profile,
    "addresses": _addresses,
    "sessions": _sessions,
    "passkeys": _passkeys,
    "second_factor": _second_factor,
    "password_links": _password_links,
    "access_tokens": _access_tokens,
    "history": _history,
    "clubs": _clubs,
    "join_requests": _join_requests,
    "club_announcements": _announcements,
    "club_records": _club_records,
    "own_limits": _limits,
    "accounts": _accounts,
    "movements": _movements,
}
