"""Requests of rapid players: each takes effect at the boundary of a table of the pool (R-03)."""

from __future__ import annotations

from django.utils import timezone

from tables.ring.models import RingSession
from tables.ring.rapid import slots, stays


def chips(session: RingSession) -> int:
    """Return the chips of a locked session, with those it brought to the hand in play."""
    stay = stays.in_hand(session)
    return session.stack + (stay.chips if stay else 0)


def changed(session: RingSession) -> None:
    """Let the room look after a locked session that changed: at once, or after its hand."""
    if stays.in_hand(session) is None:
        session.ready_at, session.due_at = None, timezone.now()
        session.save(update_fields=["ready_at", "due_at"])
    slots.call(session.game)
