"""Notices of ring games to players, on the stream `user:<id>`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import timedelta
from math import ceil
from typing import Literal

from django.utils import timezone

from tables.engine.events import Event
from tables.models import Table
from tables.ring.engine.sitting_out import FreeReason
from tables.ring.models import (
    JackpotWin,
    RapidStay,
    RingAuditRow,
    RingGame,
    RingSession,
    WaitingPlayer,
)
from tables.ring.models.session import LIVE
from tables.store import notices

FreedFor = Literal["no_chips", "disconnected", "sat_out", "closed", "taken_off"]
"""Cause that a player is told for a seat that is free."""


class RingSeatHeld(Event, frozen=True, tag="ring_seat_offered"):
    """A seat of the waiting list, held for you until `until_ms` (R-01)."""

    game: int
    name: str
    table: int
    number: int
    seat: int
    offer: int
    until_ms: int


class RingWaitEnded(Event, frozen=True, tag="ring_wait_ended"):
    """You wait for no seat of a game any more: an offer has expired, or the game closes (R-01)."""

    game: int
    name: str
    reason: Literal["expired", "closed"]


class RingTopUpMissed(Event, frozen=True, tag="ring_top_up_missed"):
    """Your automatic top-up is off: `balance` cents, or `left` by your own limits, are too few."""

    game: int
    name: str
    table: int
    balance: int
    left: int | None = None


class RapidDealtIn(Event, frozen=True, tag="rapid_dealt_in"):
    """You are in a hand of your rapid pool, at this table and seat (R-03)."""

    game: int
    name: str
    table: int
    number: int
    seat: int


class RingSeatFreed(Event, frozen=True, tag="ring_seat_freed"):
    """Your seat is free: too long away, no chips, closed or taken off; `amount` is your stack."""

    game: int
    name: str
    table: int
    reason: FreedFor
    amount: int


class JackpotFell(Event, frozen=True, tag="jackpot_fell"):
    """A jackpot of your game has fallen: the `pool` in cents, and your part of it or 0 (J-01)."""

    jackpot: str
    name: str
    table: int
    pool: int
    amount: int


RingNotice = (
    RapidDealtIn | RingSeatHeld | RingWaitEnded | RingTopUpMissed | RingSeatFreed | JackpotFell
)
"""All notices of ring games."""


def tell_closing(game: RingGame, waiting: Iterable[int]) -> None:
    """Tell users who waited that the game closes; the last statement of a transaction."""
    ended = RingWaitEnded(game=game.pk, name=game.name, reason="closed")
    notices.send({user: [ended] for user in waiting})


class RingNotices:
    """Notices of one transaction on a table of a game, sent once at its end."""

    def __init__(self, table: Table, game: RingGame) -> None:
        self._table, self._game = table, game
        self._by_user: defaultdict[int, list[Event]] = defaultdict(list)

    def seat_offered(self, place: WaitingPlayer) -> None:
        """Tell a waiting player of the seat that is held."""
        assert place.offered_seat is not None and place.offered_until is not None
        self._by_user[place.user_id].append(
            RingSeatHeld(
                game=self._game.pk,
                name=self._game.name,
                table=self._table.pk,
                number=self._table.number,
                seat=place.offered_seat,
                offer=place.pk,
                until_ms=int(place.offered_until.timestamp() * 1_000),
            )
        )

    def offer_expired(self, place: WaitingPlayer) -> None:
        """Tell a player whose offer has expired that the place on the list is gone."""
        ended = RingWaitEnded(game=self._game.pk, name=self._game.name, reason="expired")
        self._by_user[place.user_id].append(ended)

    def dealt_in(self, stays: Iterable[RapidStay]) -> None:
        """Tell the players of a hand of a rapid pool where they are dealt in."""
        for stay in stays:
            self._by_user[stay.session.user_id].append(
                RapidDealtIn(
                    game=self._game.pk,
                    name=self._game.name,
                    table=self._table.pk,
                    number=self._table.number,
                    seat=stay.seat,
                )
            )

    def top_up_missed(self, user: int, balance: int, left: int | None) -> None:
        """Tell a player that the account, or what own limits leave, is below the top-up."""
        self._by_user[user].append(
            RingTopUpMissed(
                game=self._game.pk,
                name=self._game.name,
                table=self._table.pk,
                balance=balance,
                left=left,
            )
        )

    def seat_freed(self, session: RingSession, reason: FreeReason, amount: int) -> None:
        """Tell a player that the seat is free, and which stack went to the account.

        Who leaves by choice is told nothing.
        """
        if reason != "left":
            told: FreedFor = reason
        elif not session.leaving:
            told = "closed"
        elif RingAuditRow.objects.filter(session=session, action="kick").exists():
            told = "taken_off"
        else:
            return
        self._by_user[session.user_id].append(
            RingSeatFreed(
                game=self._game.pk,
                name=self._game.name,
                table=self._table.pk,
                reason=told,
                amount=amount,
            )
        )

    def tell_jackpots(self) -> int | None:
        """Tell of jackpots whose cards are shown by now to all players of games with them.

        Returns after how many ms the next one of this table may be told, None when all are.
        """
        now = timezone.now()
        rows = JackpotWin.objects.select_for_update(skip_locked=True, of=("self",))
        untold = rows.filter(told=False, hand__table=self._table).select_related("jackpot")
        found = list(untold.order_by("pk"))
        wins = [win for win in found if win.released_at <= now]
        later = min((win.released_at for win in found if win.released_at > now), default=None)
        for jackpot in {win.jackpot for win in wins}:
            own = [win for win in wins if win.jackpot_id == jackpot.pk]
            paid = {win.user_id: win.amount for win in own}
            live = RingSession.objects.filter(game__jackpots=jackpot, state__in=LIVE)
            for user in {*live.values_list("user_id", flat=True), *paid}:
                self._by_user[user].append(
                    JackpotFell(
                        jackpot=jackpot.kind,
                        name=self._game.name,
                        table=self._table.pk,
                        pool=own[0].pool,
                        amount=paid.get(user, 0),
                    )
                )
        JackpotWin.objects.filter(pk__in=[win.pk for win in wins]).update(told=True)
        return None if later is None else ceil((later - now) / timedelta(milliseconds=1))

    def send(self) -> None:
        """Send all notices; the last statement of the transaction."""
        notices.send(self._by_user)
