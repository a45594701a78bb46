"""Ring sessions of one player: stacks in play, choices and what is owed at a table."""

from __future__ import annotations

from datetime import datetime

import msgspec
from django.db.models import Count, Q

from accounts.models import User
from config.clock import now_ms
from tables.models import Seat
from tables.ring.models import RingSession, WaitingPlayer
from tables.ring.models.session import LIVE

_LIVE_AT_TABLE = Q(table__ring_sessions__state__in=LIVE)


class MySession(msgspec.Struct, frozen=True, kw_only=True):
    """A live session: stack as of the last hand boundary, chips that come; in minor units.

    `rebuy_until_ms` is set while a seat without chips may buy again.
    """

    session: int
    game: int
    name: str
    table: int
    number: int
    seat: int
    arriving: bool
    stack: int
    coming: int
    leaving: bool
    auto_top_up: bool
    straddles: bool
    skips_big_blind: bool
    is_new: bool
    posts_now: bool
    owes_small: bool
    owes_big: bool
    others: int
    rebuy_until_ms: int | None

    @property
    def total(self) -> int:
        """Stack and chips that come."""
        return self.stack + self.coming

    @property
    def waits(self) -> bool:
        """True while the seat is dealt in only with the big blind or a post.

        With fewer than two others everybody is dealt in (`ring.engine.blinds`).
        """
        return self.others > 1 and (self.is_new or self.owes_small or self.owes_big)


class MyOffer(msgspec.Struct, frozen=True):
    """A place on a waiting list; `until_ms` is set while a seat is offered."""

    offer: int
    game: int
    name: str
    table: int | None
    number: int | None
    seat: int | None
    until_ms: int | None


def sessions(user: User, **where: int) -> list[MySession]:
    """Return the live sessions of a player, by game and table; `where` narrows them."""
    live = (
        RingSession.objects.filter(user=user, **where)
        .exclude(state=RingSession.State.LEFT)
        .select_related("game", "table")
        .annotate(others=Count("table__ring_sessions", filter=_LIVE_AT_TABLE) - 1)
        .order_by("game", "table__number")
    )
    rows = list(live)
    stacks = dict(
        Seat.objects.filter(entry__in=[row.pk for row in rows]).values_list("entry", "chips")
    )
    return [_session(row, stacks.get(row.pk, 0), row.others) for row in rows]


def places(user: User, **where: int) -> list[MyOffer]:
    """Return the player's places on waiting lists, with open offers; `where` narrows them."""
    rows = WaitingPlayer.objects.filter(Q(user=user), **where).select_related(
        "game", "offered_table"
    )
    return [_place(row) for row in rows.order_by("since", "pk")]


def _session(row: RingSession, stack: int, others: int) -> MySession:
    # A seat that is dealt in waits for nothing, although its debts end with the hand.
    dealt = row.after_hand is not None and row.after_dealt
    return MySession(
        session=row.pk,
        game=row.game_id,
        name=row.game.name,
        table=row.table_id,
        number=row.table.number,
        seat=row.seat,
        arriving=row.state == RingSession.State.ARRIVING,
        stack=stack,
        coming=row.coming,
        leaving=row.leaving,
        auto_top_up=row.auto_top_up,
        straddles=row.straddles,
        skips_big_blind=row.skips_big_blind,
        is_new=row.is_new and not dealt,
        posts_now=row.posts_now,
        owes_small=row.owes_small and not dealt,
        owes_big=row.owes_big and not dealt,
        others=others,
        rebuy_until_ms=_ms(row.rebuy_until),
    )


def _place(row: WaitingPlayer) -> MyOffer:
    until_ms = _ms(row.offered_until)
    offered = row.offered_table if until_ms and until_ms > now_ms() else None
    return MyOffer(
        offer=row.pk,
        game=row.game_id,
        name=row.game.name,
        table=offered.pk if offered else None,
        number=offered.number if offered else None,
        seat=row.offered_seat if offered else None,
        until_ms=until_ms if offered else None,
    )


def _ms(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp() * 1_000)
