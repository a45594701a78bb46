"""Sitting down: the buy-in is paid in the transaction that takes the seat (A-01, A-03)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.bots import places
from accounts.ledger import transfers
from accounts.mail import required_address
from accounts.models import User
from accounts.users import own_limits
from tables.models import Table
from tables.ring import audiences, money
from tables.ring.engine import buy_in
from tables.ring.models import RingGame, RingSession, WaitingPlayer
from tables.ring.models.session import LIVE
from tables.ring.refusals import (
    InPoolAlready,
    NoFreeSeat,
    NoPlaceInPool,
    NoSuchRingTable,
    NoSuchSeat,
    SeatedAlready,
    SeatTakenAlready,
    WrongRingPassword,
)
from tables.ring.sessions import locks, opening, passwords, pool_places, seats

_ROUNDED = timedelta(milliseconds=1)
"""Largest difference of a time and its milliseconds."""


def sit(
    user: User,
    game_id: int,
    *,
    amount: int,
    table_id: int | None = None,
    seat: int | None = None,
    password: str = "",
    address: str = "",
    after: int | None = None,
) -> RingSession:
    """Take a seat and pay for its chips; without a table the fullest with a free seat.

    Tries of passwords are counted by user and `address`. `after` is the newest session of the
    player that the wish knew: a newer one is its answer, for the wish was repeated. Raises Refusal;
    then nothing has changed.
    """
    places.validate_player(user, places.BotsAdmitted.NONE)
    known = passwords.known(user, game_id, password, address)
    with transaction.atomic():
        game = locks.game(game_id)
        if game.password != known:
            raise WrongRingPassword
        audiences.need_member(user, game)
        if (made := _made_since(user, game, after, table_id)) is not None:
            return made
        if game.rapid:
            if table_id is not None or seat is not None:
                raise NoPlaceInPool
            return _join(user, game, amount)
        table, place = _place(game, user, table_id, seat)
        return take_seat(user, game, table, place, amount)


def _made_since(
    user: User, game: RingGame, after: int | None, table_id: int | None
) -> RingSession | None:
    """Return the player's session of a locked game that is newer than `after`, if any."""
    if after is None:
        return None
    rows = RingSession.objects.filter(game=game, user=user, state__in=LIVE, pk__gt=after)
    if table_id is not None:
        rows = rows.filter(table=table_id)
    return rows.order_by("-pk").first()


def newest(user: User, game: RingGame) -> int:
    """Return the key of a player's newest session of a game, 0 without one."""
    rows = RingSession.objects.filter(game=game, user=user).order_by("-pk")
    return rows.values_list("pk", flat=True).first() or 0


def _join(user: User, game: RingGame, amount: int) -> RingSession:
    """Join the pool of a locked rapid game, and pay the buy-in; a place in it is always free."""
    session = take_seat(user, game, None, 0, amount)
    session.state = RingSession.State.SEATED
    session.save(update_fields=["state"])
    pool_places.changed(session)
    return session


def take_seat(
    user: User, game: RingGame, table: Table | None, seat: int, amount: int
) -> RingSession:
    """Take a free seat of a locked table of a locked game, and pay the buy-in.

    Without a table it is a place in the pool of the game.
    """
    if RingSession.objects.filter(game=game, table=table, user=user, state__in=LIVE).exists():
        raise InPoolAlready if table is None else SeatedAlready
    buy_in.check_buy_in(
        amount, least=game.buy_in_min, most=game.buy_in_max, brought=brought(user, game)
    )
    required_address.check_address(user)
    own_limits.check_purchase(user, amount)
    session = RingSession.objects.create(
        game=game,
        table=table,
        user=user,
        name=user.name,
        seat=seat,
        coming=amount,
        bought=amount,
        purchases=1,
        bank_ms=game.bank_ms,
    )
    WaitingPlayer.objects.filter(game=game, user=user).delete()
    transfers.transfer_all([money.buy_in(session, amount)])
    return session


def _place(game: RingGame, user: User, table_id: int | None, seat: int | None) -> tuple[Table, int]:
    """Return the locked table and seat that were chosen, or those the room finds."""
    if table_id is not None:
        return _chosen(game, user, table_id, seat)
    sessions = RingSession.objects.filter(game=game, user=user, state__in=LIVE)
    mine = set(sessions.values_list("table", flat=True))
    open_by_table = seats.open_by_table(game, user.pk)
    # No other table is locked: a lock holds up its hands, and the locked game the other newcomers.
    for wanted in [pk for pk, free in open_by_table.items() if free and pk not in mine]:
        try:
            table = locks.table(wanted)
        except NoSuchRingTable:
            continue
        _check_seat(table, seat)
        free = seats.free_seats(table, but_for=user.pk)
        if free:
            return table, seat if seat in free and seat is not None else free[0]
    if len(open_by_table) < game.tables_max:
        return opening.open_table(game), 1
    raise NoFreeSeat


def _chosen(game: RingGame, user: User, table_id: int, seat: int | None) -> tuple[Table, int]:
    """Return the locked table that was chosen, and the chosen seat or its first free one."""
    table = locks.table(table_id)
    if table.game != game.pk:
        raise NoSuchRingTable
    if RingSession.objects.filter(table=table, user=user, state__in=LIVE).exists():
        raise SeatedAlready
    _check_seat(table, seat)
    free = seats.free_seats(table, but_for=user.pk)
    if seat is not None and seat not in free:
        raise SeatTakenAlready(free=free)
    if not free or not seats.open_by_table(game, user.pk)[table.pk]:
        raise NoFreeSeat
    return table, seat or free[0]


def _check_seat(table: Table, seat: int | None) -> None:
    if seat is not None and not 1 <= seat <= table.seats_max:
        raise NoSuchSeat(seats=table.seats_max)


def brought(user: User, game: RingGame) -> int:
    """Return the least chips of a player who left this game a short time ago, else 0."""
    return brought_by([user.pk], game).get(user.pk, 0)


def brought_by(users: Collection[int], game: RingGame) -> dict[int, int]:
    """Return the least chips of users who left this game a short time ago.

    Of the seats left since the last one was taken, which brought what was asked for then, the
    largest stack counts: a player of two tables may leave them in any order.
    """
    own, now = RingSession.objects.filter(game=game, user__in=users), timezone.now()
    last = own.order_by("user", "-pk").distinct("user")
    began = dict(last.values_list("user", "began_at"))
    lately = now - timedelta(milliseconds=game.return_ms) - _ROUNDED
    least: dict[int, int] = {}
    left = own.filter(ended_at__gte=lately).values_list("user", "left_with", "ended_at")
    for user, chips, ended_at in left:
        if ended_at is None or ended_at < began[user]:
            continue
        asked = buy_in.least_return(
            chips,
            int(ended_at.timestamp() * 1_000),
            int(now.timestamp() * 1_000),
            return_ms=game.return_ms,
        )
        least[user] = max(asked, least.get(user, 0))
    return least
