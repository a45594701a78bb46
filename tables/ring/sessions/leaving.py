"""Leaving a ring table: the stack goes back to the account at the next hand boundary (A-03)."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from tables.ring.models import RingSession
from tables.ring.sessions import locks


def leave(user: User, session_id: int) -> RingSession:
    """Ask to leave: at once between two hands, else after the hand; a repeated request counts once.

    The woken table frees the seat and pays the stack.
    """
    with transaction.atomic():
        session = locks.session(user, session_id)
        session.leaving = True
        session.save(update_fields=["leaving"])
    return session
