"""Top-up and re-buy: paid at once, at the seat with the next hand boundary (A-03)."""

from __future__ import annotations

from django.db import transaction

from accounts.ledger import transfers
from accounts.models import User
from accounts.users import own_limits
from tables.models import Seat
from tables.ring import money
from tables.ring.engine import buy_in
from tables.ring.models import RingSession
from tables.ring.refusals import BoughtMeanwhile, LeavingAlready
from tables.ring.sessions import locks, pool_places


def top_up(
    user: User, session_id: int, amount: int, *, purchases: int | None = None
) -> RingSession:
    """Pay for more chips, at least up to the smallest and at most up to the largest buy-in.

    The stack of the last settled hand counts. A wish that knew of another number of `purchases` is
    refused: it was repeated. Raises Refusal; then nothing has changed.
    """
    with transaction.atomic():
        session = locks.session(user, session_id)
        if session.leaving:
            raise LeavingAlready
        if purchases not in (None, session.purchases):
            raise BoughtMeanwhile
        stack, game = _chips(session), session.game
        buy_in.check_top_up(
            stack, session.coming, amount, least=game.buy_in_min, most=game.buy_in_max
        )
        own_limits.check_purchase(user, amount)
        pay(session, amount)
        session.save(update_fields=["coming", "bought", "purchases", "rebuy_until"])
        transfers.transfer_all([money.buy_in(session, amount)])
        if session.table_id is None:
            pool_places.changed(session)
    return session


def set_auto(user: User, session_id: int, on: bool) -> RingSession:
    """Let the room lift the stack to the largest buy-in before each hand, or stop that."""
    with transaction.atomic():
        session = locks.session(user, session_id)
        session.auto_top_up = on
        session.save(update_fields=["auto_top_up"])
        if session.table_id is None:
            pool_places.changed(session)
    return session


def _chips(session: RingSession) -> int:
    if session.table_id is None:
        return pool_places.chips(session)
    return Seat.objects.filter(entry=session.pk).values_list("chips", flat=True).first() or 0


def pay(session: RingSession, amount: int) -> None:
    """Count a purchase in the row of a locked session, whose transfer is booked with it."""
    session.coming += amount
    session.bought += amount
    session.purchases += 1
    session.rebuy_until = None
