"""Pledges of players who arrive at a ring table, for the grant that seats them."""

from __future__ import annotations

from accounts.models import User
from tables.ring.models import RingSession


def keep_pledge(user: User, session_id: int, pledge: bytes) -> bool:
    """Keep a pledge bound to a session that arrives at its table; the last one counts.

    False when the session has a seat, which takes pledges itself, or is no live one of this user;
    then nothing has changed. One statement: a grant that holds the row decides first.
    """
    arriving = RingSession.objects.filter(
        pk=session_id, user=user, state=RingSession.State.ARRIVING
    )
    return arriving.update(pledge=pledge) == 1
