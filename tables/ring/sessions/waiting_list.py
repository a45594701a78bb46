"""Waiting list of a ring game: join, give up, take an offered seat (R-01)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounts.bots import places
from accounts.ledger import transfers
from accounts.mail import required_address
from accounts.models import User
from accounts.refusals import InsufficientFunds
from accounts.users import own_limits
from tables.ring import audiences, money
from tables.ring.engine.waiting import FreeSeat
from tables.ring.models import RingGame, RingSession, WaitingPlayer
from tables.ring.models.session import LIVE
from tables.ring.refusals import (
    NoSuchRingTable,
    NotWaiting,
    OfferExpired,
    SeatedAlready,
    SeatFree,
    WaitingAlready,
    WrongRingPassword,
)
from tables.ring.sessions import locks, passwords, seats, sit_down


def join(
    user: User,
    game_id: int,
    table_id: int | None = None,
    *,
    password: str = "",
    address: str = "",
) -> WaitingPlayer:
    """Wait for a seat of a game, or of one of its tables; refused while a seat is free (R-01).

    A private game asks for its password: an offer keeps the seat from those who know it. Own limits
    and the account are asked for the least buy-in, or for the stack of a player who comes back.
    """
    places.validate_player(user, places.BotsAdmitted.NONE)
    # A seat would be kept in vain for somebody who may not take it.
    required_address.check_address(user)
    known = passwords.known(user, game_id, password, address)
    with transaction.atomic():
        game = locks.game(game_id)
        if game.password != known:
            raise WrongRingPassword
        audiences.need_member(user, game)
        if WaitingPlayer.objects.filter(game=game, user=user).exists():
            raise WaitingAlready
        if game.rapid:
            raise SeatFree
        free = seats.open_by_table(game, user.pk)
        if table_id is not None:
            if table_id not in free:
                raise NoSuchRingTable
            free = {table_id: free[table_id]}
        live = RingSession.objects.filter(user=user, table__in=free, state__in=LIVE)
        if live.exists():
            raise SeatedAlready
        if any(free.values()):
            raise SeatFree
        if table_id is None and len(free) < game.tables_max:
            raise SeatFree
        least = max(game.buy_in_min, sit_down.brought(user, game))
        own_limits.check_purchase(user, least)
        balance, lowest = transfers.held_by(user), -money.overdraft(game)
        if balance - least < lowest:
            raise InsufficientFunds(price=least, balance=balance, lowest=lowest)
        # No table is locked. A seat that became free meanwhile was offered to nobody: its table is
        # asked again.
        transaction.on_commit(lambda: _wake_free(game), robust=True)
        return WaitingPlayer.objects.create(game=game, user=user, table_id=table_id)


def _wake_free(game: RingGame) -> None:
    for table, free in seats.free_by_table(game).items():
        if free:
            locks.wake_after_commit(table)


def give_up(user: User, game_id: int, table_id: int | None = None) -> None:
    """Leave the waiting list of a game; an offered seat is offered to the next player."""
    with transaction.atomic():
        places = WaitingPlayer.objects.select_for_update().filter(game=game_id, user=user)
        if table_id is not None:
            places = places.filter(table=table_id)
        place = places.first()
        if place is None:
            raise NotWaiting
        if place.offered_table_id is not None:
            locks.wake_after_commit(place.offered_table_id)
        place.delete()


def take(
    user: User, offer_id: int, amount: int, *, password: str = "", address: str = ""
) -> RingSession:
    """Sit down at an offered seat and pay for its chips, until the offer expires.

    A private game asks for its password, as at any other seat.
    """
    place = WaitingPlayer.objects.filter(pk=offer_id, user=user).first()
    if place is None:
        raise NotWaiting
    known = passwords.known(user, place.game_id, password, address)
    with transaction.atomic():
        game = locks.game(place.game_id)
        if game.password != known:
            raise WrongRingPassword
        audiences.need_member(user, game)
        table = locks.table(_offered(user, offer_id).table)
        # Again, behind the lock: a boundary may have offered the seat to the next player.
        return sit_down.take_seat(user, game, table, _offered(user, offer_id).seat, amount)


def _offered(user: User, offer_id: int) -> FreeSeat:
    """Return the seat of an open offer; raises NotWaiting or OfferExpired."""
    place = WaitingPlayer.objects.filter(pk=offer_id, user=user).first()
    if place is None:
        raise NotWaiting
    if place.offered_table_id is None or place.offered_seat is None:
        raise OfferExpired
    if place.offered_until is None or place.offered_until <= timezone.now():
        raise OfferExpired
    return FreeSeat(place.offered_table_id, place.offered_seat)
