"""The director of ring tables: answers between hands with deal, wait or close."""

from __future__ import annotations

from django.db import transaction

from tables.dealer.grants import Answer, Close, Wait
from tables.dealer.record import HandRecord
from tables.models import Table
from tables.ring.models import RingGame
from tables.ring.running import grants, settlement
from tables.ring.running.boundary import RingBoundary
from tables.workers import granted_hands


class RingDirector:
    """Director of the tables of every ring game (`tables.dealer.director.Director`).

    A table changes under its own lock; accounts are locked last, in one booking.
    """

    def lock(self, table: int, record: HandRecord) -> None:
        """Take no lock: a hand of a ring table concerns its own table only."""

    def settle(self, table: int, record: HandRecord) -> None:
        """Book the rake and the jackpots of a hand in its transaction (R-02, J-01..J-03)."""
        sessions = {seat.entry: seat.entry for seat in record.seats}
        settlement.settle(Table.objects.get(pk=table), record, sessions)

    def game_name(self, game: int) -> str:
        """Return the name of a ring game; "" when the number is unknown."""
        return RingGame.objects.filter(pk=game).values_list("name", flat=True).first() or ""

    def next(self, table: int, hand: int) -> Answer:
        """Return the answer for hand `hand` of a table; a granted hand gets its stored answer."""
        with transaction.atomic():
            row = Table.objects.select_for_update(no_key=True).get(pk=table)
            if row.status == Table.Status.CLOSED:
                return Close()
            if granted_hands.was_played(row, hand):
                return Wait(reason="players")
            stored = granted_hands.stored(row, hand)
            if stored is not None:
                return stored
            boundary = RingBoundary(row)
            given = grants.answer(boundary, hand, untold_ms=boundary.notices.tell_jackpots())
            boundary.notices.send()
            return given
