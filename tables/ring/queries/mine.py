"""Ring sessions of one player: stacks in play, choices and what is owed at a table or in a pool."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from django.db.models import Count, Q
from django.urls import reverse

from accounts.models import User
from config.clock import now_ms
from config.postgres.statements import ANY_KEY, BuiltOnce
from tables.models import Seat, Table
from tables.ring.models import RapidStay, RingSession, WaitingPlayer
from tables.ring.models.session import LIVE

_LIVE_AT_TABLE = Q(table__ring_sessions__state__in=LIVE)


class MySession(msgspec.Struct, frozen=True, kw_only=True):
    """A live session: stack as of the last hand boundary, chips that come; in minor units.

    `rebuy_until_ms` is set while a seat without chips may buy again. In a `rapid` pool table and
    seat are those of the hand the player is in, if any; the stack is as of its beginning (R-03).
    """

    session: int
    game: int
    name: str
    rapid: bool
    table: int | None
    number: int | None
    seat: int
    arriving: bool
    absent: bool
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
    def page(self) -> str:
        """Address of the table with the seat, or of the pool between two hands."""
        if self.table is None:
            return reverse("rapid", args=[self.game])
        return reverse("table", args=[self.table])

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
    rows = list(_live(user.pk).filter(**where)) if where else _LIVE.rows(user.pk)
    stacks = dict(
        Seat.objects.filter(entry__in=[row.pk for row in rows]).values_list("entry", "chips")
    )
    hands = _hands([row.pk for row in rows if row.table_id is None])
    return [
        _in_pool(row, hands.get(row.pk))
        if row.table_id is None
        else _at_table(row, stacks.get(row.pk, 0), row.others)
        for row in rows
    ]


def _live(user: int) -> Any:
    """Return the live sessions of a player with their games, tables and numbers of others there."""
    return (
        RingSession.objects.filter(user=user)
        .exclude(state=RingSession.State.LEFT)
        .select_related("game", "table")
        .annotate(others=Count("table__ring_sessions", filter=_LIVE_AT_TABLE) - 1)
        .order_by("game", "table__number")
    )


_LIVE: BuiltOnce[Any] = BuiltOnce(_live, ANY_KEY)


def _hands(sessions: list[int]) -> dict[int, RapidStay]:
    """Return the hands that players of rapid pools are in, by session."""
    if not sessions:
        return {}
    rows = RapidStay.objects.filter(session__in=sessions, ended=False, freed_chips=None)
    return {row.session_id: row for row in rows.select_related("table")}


def places(user: User, **where: int) -> list[MyOffer]:
    """Return the player's places on waiting lists, with open offers; `where` narrows them."""
    rows = WaitingPlayer.objects.filter(Q(user=user), **where).select_related(
        "game", "offered_table"
    )
    return [_place(row) for row in rows.order_by("since", "pk")]


def _in_pool(row: RingSession, hand: RapidStay | None) -> MySession:
    return _session(
        row,
        table=hand.table if hand else None,
        seat=hand.seat if hand else 0,
        stack=row.stack + (hand.chips if hand else 0),
    )


def _at_table(row: RingSession, stack: int, others: int) -> MySession:
    # A seat that is dealt in waits for nothing, although its debts end with the hand; nor does one
    # of a game without blinds.
    waits = row.game.has_blinds and not (row.after_hand is not None and row.after_dealt)
    return _session(
        row,
        table=row.table,
        seat=row.seat,
        stack=stack,
        is_new=row.is_new and waits,
        owes_small=row.owes_small and waits,
        owes_big=row.owes_big and waits,
        others=others,
    )


def _session(
    row: RingSession,
    *,
    table: Table | None,
    seat: int,
    stack: int,
    is_new: bool = False,
    owes_small: bool = False,
    owes_big: bool = False,
    others: int = 0,
) -> MySession:
    return MySession(
        session=row.pk,
        game=row.game_id,
        name=row.game.name,
        rapid=row.game.rapid,
        table=table.pk if table else None,
        number=table.number if table else None,
        seat=seat,
        arriving=row.state == RingSession.State.ARRIVING,
        absent=row.absent_since is not None,
        stack=stack,
        coming=row.coming,
        leaving=row.leaving,
        auto_top_up=row.auto_top_up,
        straddles=row.straddles,
        skips_big_blind=row.skips_big_blind,
        is_new=is_new,
        posts_now=row.posts_now,
        owes_small=owes_small,
        owes_big=owes_big,
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
