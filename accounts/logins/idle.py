"""Idle time-out of log-in sessions: how long a user's session may go unused."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from accounts.models import LoginSession, User
from config import limits


def is_in_force() -> bool:
    """Return whether any session of this room ends by itself."""
    return bool(settings.IDLE_MINUTES or settings.STAFF_IDLE_MINUTES)


def is_idle(user: User, session_key: str) -> bool:
    """Return whether a session went unused for longer than its user may be idle.

    Times of use are exact to LOGIN_SEEN_EVERY_S, which is granted on top: no session ends early.
    """
    minutes = settings.STAFF_IDLE_MINUTES if user.is_staff else settings.IDLE_MINUTES
    if not minutes:
        return False
    allowed = timedelta(minutes=minutes, seconds=limits.LOGIN_SEEN_EVERY_S)
    rows = LoginSession.objects.filter(session=session_key, seen_at__lt=timezone.now() - allowed)
    return rows.exists()


def note_used(session_keys: Collection[str]) -> None:
    """Store that sessions were used now without a request of a page, where that matters."""
    rows = LoginSession.objects.filter(session__in=session_keys)
    if not settings.IDLE_MINUTES:
        rows = rows.filter(user__is_staff=True)
    rows.update(seen_at=timezone.now())
