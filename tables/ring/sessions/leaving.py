"""Leaving a ring game: the stack goes back to the account at the next hand boundary (A-03)."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from tables.ring.models import RingSession
from tables.ring.sessions import locks, pool_places


def leave(user: User, session_id: int) -> RingSession:
    """Ask to leave: at once between two hands, else after the hand; a repeated request counts once.

    A woken table frees the seat and pays the stack.
    """
    with transaction.atomic():
        session = locks.session(user, session_id)
        end(session)
    return session


def end(session: RingSession) -> None:
    """Let the player of a locked session leave at the next hand boundary."""
    session.leaving = True
    session.save(update_fields=["leaving"])
    if session.table_id is None:
        pool_places.changed(session)
