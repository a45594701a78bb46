"""The director of rapid pools: seats a table anew for every hand, frees whoever folds (R-03)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from config import limits
from tables.dealer.grants import Answer, Close, Departure, Wait
from tables.dealer.record import HandRecord
from tables.fairness.leaves import FateReason
from tables.models import Seat, Table
from tables.ring.engine.rapid import RapidWait
from tables.ring.models import RingGame
from tables.ring.rapid import grants, plans, stays
from tables.ring.rapid.boundary import PoolBoundary
from tables.ring.running import settlement
from tables.ring.sessions import pool_tables
from tables.ring.sessions.locks import wake_after_commit
from tables.workers import granted_hands, sealing

SOON_MS = 50
"""Shortest wait of a table for more players."""


class RapidDirector:
    """Director of the tables of every rapid pool (`tables.dealer.director.Director`).

    A pool changes under the lock of its game, a hand that is settled under that of its table.
    """

    def lock(self, table: int, record: HandRecord) -> None:
        """Take no lock: the players of a hand are locked by its settlement."""

    def settle(self, table: int, record: HandRecord) -> None:
        """End the stays of a hand, and book its rake and jackpots (R-02, J-01..J-03)."""
        row = Table.objects.get(pk=table)
        sessions = stays.settle(table, record)
        settlement.settle(row, record, sessions)
        pool_tables.call(RingGame.objects.get(pk=row.game))

    def game_name(self, game: int) -> str:
        """Return the name of a pool; "" when the number is unknown."""
        return RingGame.objects.filter(pk=game).values_list("name", flat=True).first() or ""

    def next(self, table: int, hand: int) -> Answer:
        """Return the answer for hand `hand` of a table; a granted hand gets its stored answer."""
        with transaction.atomic():
            # 1. The game before its table: one table at a time chooses players of a pool.
            of = Table.objects.values_list("game", flat=True).get(pk=table)
            game = (
                RingGame.objects.select_for_update(no_key=True, of=("self",))
                .select_related("rake_table")
                .get(pk=of)
            )
            row = Table.objects.select_for_update(no_key=True).get(pk=table)
            if row.status == Table.Status.CLOSED:
                return Close()
            if granted_hands.was_played(row, hand):
                return Wait(reason="players")
            stored = granted_hands.stored(row, hand)
            if stored is not None:
                return stored
            # 2. The last hand is over, settled or void: everybody leaves this table.
            boundary = PoolBoundary(game, row)
            boundary.orders += stays.end_void(row, timezone.now())
            departures = _empty(row)
            # 3. Look after players who are due, then deal in those who are ready longest.
            boundary.look_after()
            untold_ms = boundary.notices.tell_jackpots()
            answer = self._answer(boundary, hand, departures, untold_ms)
            boundary.write()
            boundary.notices.send()
            return answer

    def _answer(
        self,
        boundary: PoolBoundary,
        hand: int,
        departures: tuple[Departure, ...],
        untold_ms: int | None,
    ) -> Answer:
        game, table = boundary.game, boundary.table
        if game.state != RingGame.State.OPEN and not boundary.more and untold_ms is None:
            return _close(boundary, departures)
        until_ms = None
        if game.state == RingGame.State.OPEN and not game.frozen:
            planned, sessions = plans.plan(game, boundary.now)
            if not isinstance(planned, RapidWait):
                pool_tables.stop_waiting(table)
                seated = plans.seat(game, table, hand, planned, sessions)
                boundary.notices.dealt_in(seated.stays)
                if len(sessions) == game.seats_max or boundary.more:
                    pool_tables.call(game)  # more players may be ready than this hand has seats
                return grants.grant(game, table, hand, seated, departures)
            until_ms = planned.until_ms
        pool_tables.begin_waiting(table)
        return Wait(
            reason="paused" if game.frozen else "players",
            again_ms=_again_ms(boundary, until_ms, untold_ms),
            departures=departures,
            roster=(),
        )


def _again_ms(boundary: PoolBoundary, until_ms: int | None, untold_ms: int | None) -> int:
    if boundary.more:
        return SOON_MS
    waits = [limits.STANDING_WAIT_MS] if untold_ms is None else [untold_ms]
    if until_ms is not None:
        waits.append(until_ms - int(boundary.now.timestamp() * 1_000))
    return max(SOON_MS, min(waits))


def _empty(table: Table) -> tuple[Departure, ...]:
    """Empty the seats of a table; its players are in other hands, or ready for one."""
    seats = Seat.objects.filter(table=table)
    departures = tuple(Departure(entry, "moved") for entry in seats.values_list("entry", flat=True))
    seats.delete()
    return departures


def _close(boundary: PoolBoundary, departures: tuple[Departure, ...]) -> Close:
    table, game = boundary.table, boundary.game
    sealing.end([table.pk], FateReason.CLOSED)
    pool_tables.stop_waiting(table)
    table.status, table.closed_at = Table.Status.CLOSED, timezone.now()
    table.epoch += 1
    table.save(update_fields=["status", "closed_at", "epoch"])
    wake_after_commit(table.pk)
    tables = Table.objects.filter(director=table.director, game=game.pk, status=Table.Status.OPEN)
    if game.state == RingGame.State.CLOSING and not tables.exists():
        RingGame.objects.filter(pk=game.pk).update(state=RingGame.State.CLOSED)
    return Close(departures=departures)
