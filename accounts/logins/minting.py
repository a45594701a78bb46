"""Log-in sessions minted in bulk for bots and tests, without password hashing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.base import VALID_KEY_CHARS
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.logins.session_store import SessionStore
from accounts.models import LoginSession, User

BACKEND = "django.contrib.auth.backends.ModelBackend"
"""Backend of every session, however its user logged in."""

_KEY_CHARACTERS = 32

CONFIRMED_AT = "confirmed_at"
"""Key of a session for when its user last showed the password, in seconds since the epoch."""


def mint(users: Sequence[User], hours: float) -> list[tuple[User, str]]:
    """Return a session key (the cookie value) for each user, valid for so many hours.

    The sessions equal those of a log-in by password; a changed password or a ban ends them.
    """
    assert hours > 0, "a session lasts some time"
    assert BACKEND in settings.AUTHENTICATION_BACKENDS
    assert SessionStore.__module__ == settings.SESSION_ENGINE
    store = SessionStore()
    ends = timezone.now() + timedelta(hours=hours)
    sessions = [
        Session(
            session_key=get_random_string(_KEY_CHARACTERS, VALID_KEY_CHARS),
            session_data=store.encode(_content(user, ends.isoformat())),
            expire_date=ends,
        )
        for user in users
    ]
    Session.objects.bulk_create(sessions)
    now = timezone.now()
    LoginSession.objects.bulk_create(
        LoginSession(user=user, session=session, device="manage.py", seen_at=now)
        for user, session in zip(users, sessions, strict=True)
    )
    return [(user, session.session_key) for user, session in zip(users, sessions, strict=True)]


def _content(user: User, ends: str) -> dict[str, str | float]:
    """Return the session content that django.contrib.auth.login would store."""
    assert user.is_active, "a banned user gets no session"
    return {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: BACKEND,
        HASH_SESSION_KEY: user.get_session_auth_hash(),
        "_session_expiry": ends,
        CONFIRMED_AT: timezone.now().timestamp(),
    }
