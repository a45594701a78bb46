"""Choices of a player for coming hands: straddle, posting, the next big blind (H-09, H-11)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from tables.ring.models import RingSession
from tables.ring.refusals import NoPlaceInPool, NoStraddle, NotInPool
from tables.ring.sessions import locks, pool_places


def set_straddle(user: User, session_id: int, on: bool) -> RingSession:
    """Straddle from now on, whenever the seat is left of the big blind, or stop that (H-09)."""
    with transaction.atomic():
        session = locks.session(user, session_id)
        if on and (not session.game.straddle or session.table_id is None):
            raise NoStraddle
        return _set(session, "straddles", on)


def set_posting(user: User, session_id: int, on: bool) -> RingSession:
    """Post the blinds that are owed before the next hand, or wait for the big blind."""
    with transaction.atomic():
        return _set(_at_table(user, session_id), "posts_now", on)


def set_skipping(user: User, session_id: int, on: bool) -> RingSession:
    """Sit out as soon as the big blind would reach the seat, or post it (H-11)."""
    with transaction.atomic():
        return _set(_at_table(user, session_id), "skips_big_blind", on)


def set_sitting_out(user: User, session_id: int, on: bool) -> RingSession:
    """Be dealt into no more hands of a rapid pool, or be back; at a table the seat decides that.

    Raises NotInPool for a session at a table.
    """
    with transaction.atomic():
        session = locks.session(user, session_id)
        if session.table_id is not None:
            raise NotInPool
        if on is (session.absent_since is None):
            session.absent_since = timezone.now() if on else None
            session.lost_connection = False
            session.save(update_fields=["absent_since", "lost_connection"])
            pool_places.changed(session)
    return session


def _at_table(user: User, session_id: int) -> RingSession:
    """Lock a session at a table; in a pool the room alone decides who posts (R-03)."""
    session = locks.session(user, session_id)
    if session.table_id is None:
        raise NoPlaceInPool
    return session


def _set(session: RingSession, name: str, on: bool) -> RingSession:
    setattr(session, name, on)
    session.save(update_fields=[name])
    return session
