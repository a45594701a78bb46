"""Requests of rapid players: each takes effect at the boundary of a table of the pool (R-03)."""

from __future__ import annotations

from django.utils import timezone

from tables.ring.models import RapidStay, RingSession
from tables.ring.sessions import pool_tables


def chips(session: RingSession) -> int:
    """Return the chips of a locked session, with those it brought to the hand in play."""
    stay = in_hand(session)
    return session.stack + (stay.chips if stay else 0)


def changed(session: RingSession) -> None:
    """Let the room look after a locked session that changed: at once, or after its hand."""
    if in_hand(session) is None:
        session.ready_at, session.due_at = None, timezone.now()
        session.save(update_fields=["ready_at", "due_at"])
    pool_tables.call(session.game)


def in_hand(session: RingSession) -> RapidStay | None:
    """Return the stay of a locked session in a hand, None between hands."""
    return RapidStay.objects.filter(session=session, ended=False, freed_chips=None).first()
