"""Penalties: the room orders a payment into the main pot of a player's next hand (P-03, S0)."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from tables.models import Seat
from tables.ring.models import Penalty, RingAuditRow, RingSession
from tables.ring.refusals import (
    NoPoolPenalty,
    PenaltyAboveStack,
    PenaltyTooSmall,
    PlayerHasLeft,
    PlayerLeaves,
)
from tables.ring.sessions import audit, locks


def order(
    by: User | None, session_id: int, amount: int, reason: str, *, token: str = ""
) -> Penalty:
    """Order a penalty for a player at a table, once for each token; the next hand takes it.

    Raises NoReason, or as `check_amount`; then nothing has changed.
    """
    with transaction.atomic():
        text = audit.checked_reason(reason)
        session = locks.live_session(session_id)
        known = ordered(session, token)
        if known is not None:
            return known
        check_amount(session, amount)
        penalty = Penalty.objects.create(session=session, amount=amount, reason=text, by=by)
        details = {"amount": amount, "penalty": penalty.pk} | ({"token": token} if token else {})
        audit.write(by, "penalty", text, session.game, session, **details)
    return penalty


def ordered(session: RingSession, token: str) -> Penalty | None:
    """Return the penalty that was ordered for this session with this token."""
    rows = RingAuditRow.objects.filter(session=session, action="penalty", details__token=token)
    row = rows.first() if token else None
    return None if row is None else Penalty.objects.get(pk=row.details["penalty"])


def check_amount(session: RingSession, amount: int) -> None:
    """Refuse what the stack of the last settled hand cannot pay beside earlier open penalties.

    Raises PlayerHasLeft, NoPoolPenalty, PenaltyTooSmall, PenaltyAboveStack, or PlayerLeaves for a
    player who is dealt into no next hand.
    """
    if session.state == RingSession.State.LEFT:
        raise PlayerHasLeft
    if session.table_id is None:
        raise NoPoolPenalty
    if session.leaving:
        raise PlayerLeaves
    if amount <= 0:
        raise PenaltyTooSmall(least=1)
    chips = Seat.objects.filter(entry=session.pk).values_list("chips", flat=True).first() or 0
    waiting = session.penalties.filter(taken_hand=None).values_list("amount", flat=True)
    most = max(0, chips + session.coming - sum(waiting))
    if amount > most:
        raise PenaltyAboveStack(most=most)
