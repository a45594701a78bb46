"""Sessions of log-ins in PostgreSQL, read by every page: with a statement that is built once."""

from __future__ import annotations

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from config.postgres.statements import ANY_TEXT, ANY_TIME, BuiltOnce

_OPEN = BuiltOnce(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now),
    ANY_TEXT,
    ANY_TIME,
)


def open_session(key: str) -> Session | None:
    """Return the session of a key; None once it is over, and for an invented one."""
    return _OPEN.first(key, timezone.now())


class SessionStore(db.SessionStore):
    """Django's store of sessions in its own table; its name signs them, and so has to stay."""

    def _get_session_from_db(self) -> Session | None:
        found = None if self.session_key is None else open_session(self.session_key)
        if found is None:
            self._session_key = None
        return found
