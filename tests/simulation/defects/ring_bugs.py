"""Planted defects of ring games: rake, blinds, jackpots, penalties, stacks, rapid pools."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from django.db import transaction

from accounts.ledger import transfers
from accounts.models import Transfer, User
from tables.dealer import director
from tables.dealer.grants import FoldedSeat
from tables.engine import rake
from tables.models import Seat, Table
from tables.ring import money
from tables.ring.engine import blinds, jackpots
from tables.ring.engine.blinds import Owed
from tables.ring.models import RapidStay, RingSession
from tables.ring.rapid import stays
from tables.ring.running.boundary import RingBoundary
from tables.ring.running.penalties import OpenPenalties
from tables.ring.sessions import leaving, locks
from tests.simulation.options import Offered


def any_ring_game(offer: Offered) -> bool:
    """Return whether the offer has a ring game at tables."""
    return offer.ring is not None and not is_rapid(offer)


def is_rapid(offer: Offered) -> bool:
    """Return whether the offer has a rapid pool."""
    return offer.ring is not None and "rapid" in offer.ring.fields


def raked_above_a_minimum(offer: Offered) -> bool:
    """Return whether some pots of a ring game are too small to be raked."""
    return offer.ring is not None and offer.ring.rake is not None and offer.ring.rake[1] > 1


def with_jackpot(offer: Offered) -> bool:
    """Return whether a ring game has a jackpot."""
    return offer.ring is not None and offer.ring.jackpot is not None


def with_blinds(offer: Offered) -> bool:
    """Return whether players of a ring game can miss a big blind."""
    if offer.ring is None or is_rapid(offer) or offer.ring.players < 3:
        return False
    return bool(offer.ring.fields["big_blind"]) and offer.ring.fields["seats_max"] > 2


def rake_below_the_minimum() -> AbstractContextManager[Any]:
    """Rake every pot by its share, whatever the minimum of the row is."""

    def raked(state: Any, amount: int) -> int:
        due = state.rules.options.rake
        return 0 if due is None else min(amount * due.basis_points // 10_000, due.maximum)

    return patch.object(rake, "_rake", raked)


def missed_blind_forgotten() -> AbstractContextManager[Any]:
    """Let a player who was away come back without the blinds that passed."""
    return patch.object(blinds, "_owes", lambda *_: Owed())


def jackpot_short_by_a_cent() -> AbstractContextManager[Any]:
    """Pay the first winner of a jackpot one unit less."""
    real = jackpots._fall

    def fall(*given: Any) -> Any:
        fallen = real(*given)
        if fallen is None or fallen.payments[0].amount < 2:
            return fallen
        first, *others = fallen.payments
        return fallen._replace(payments=(first._replace(amount=first.amount - 1), *others))

    return patch.object(jackpots, "_fall", fall)


def penalty_taken_again() -> AbstractContextManager[Any]:
    """Open a penalty again after the hand that took it."""
    take_over = OpenPenalties.take_over
    return patch.object(OpenPenalties, "take_over", lambda rows, _: take_over(rows, 0))


def folded_player_freed_again() -> AbstractContextManager[Any]:
    """Free a folded player of a rapid pool at every look at the hand, as if it were the first."""
    free = stays.free

    def again(table: int, hand: int, seats: Collection[FoldedSeat]) -> None:
        known = RapidStay.objects.filter(table=table, hand=hand, ended=False)
        ready = known.filter(session__ready_at__isnull=False)
        ready.update(freed_chips=None)
        free(table, hand, seats)

    return patch.dict(director._folded, {"rapid": (again, stays.freed)})


@contextmanager
def stack_paid_before_the_seat_is_free() -> Iterator[None]:
    """Pay a leaving player in a transaction of its own, again when the request is repeated."""
    leave, write = leaving.leave, RingBoundary.write

    def paid_first(user: User, session_id: int) -> RingSession:
        with transaction.atomic():
            _pay(locks.session(user, session_id))
        return leave(user, session_id)

    def write_others(boundary: RingBoundary) -> None:
        boundary._orders = [
            order
            for order in boundary._orders
            if not Transfer.objects.filter(key__startswith=f"{order.key}:").exists()
        ]
        write(boundary)

    with (
        patch.object(leaving, "leave", paid_first),
        patch.object(RingBoundary, "write", write_others),
    ):
        yield


def _pay(session: RingSession) -> None:
    assert session.table_id is not None
    table = Table.objects.get(pk=session.table_id)
    seat = Seat.objects.filter(entry=session.pk).first()
    if seat is None or not seat.chips or table.granted_hand > table.hand:
        return
    order = money.cash_out(session, seat.chips)
    times = Transfer.objects.filter(key__startswith=f"{order.key}:").count()
    transfers.transfer_all([order._replace(key=f"{order.key}:{times}")])
