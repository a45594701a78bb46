"""Close the field of a tournament that ends: each step once, for finishing and cancelling."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from config.redis import room
from tables.models import Seat, Table
from tables.workers.recovery import close_tables
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Deal, Move, Offer, Ruling
from tournaments.seating import draws


def close_tables_of_field(
    tx: TournamentTransaction, tables: Sequence[Table], *, standing_too: bool = False
) -> None:
    """Close locked tables and delete their seats.

    The epoch of each closed table rises, so a hand in play there is never settled (K-08). A table
    that stands is told by its director; with `standing_too` it closes after the commit as well.
    """
    ended = [table.pk for table in tables if standing_too or table.granted_hand > table.hand]
    if ended:
        tx.after_commit(lambda: close_tables(room(), ended))
    draws.close_tables(tx, tables)
    Seat.objects.filter(table__in=tables).delete()


def end_waiting(tx: TournamentTransaction) -> None:
    """End moves, offers, deals and rulings that wait for a table; no table is opened any more."""
    tournament = tx.tournament
    tournament.moves.filter(state__in=Move.PENDING).update(state=Move.State.VOID)
    tournament.offers.filter(state__in=Offer.PENDING).update(state=Offer.State.EXPIRED)
    now = timezone.now()
    deals = tournament.deals.filter(state__in=Deal.PENDING)
    deals.update(state=Deal.State.REFUSED, closed_at=now)
    rulings = Ruling.objects.filter(tournament=tournament, state=Ruling.State.OPEN)
    rulings.update(state=Ruling.State.VOID, closed_at=now)
    tournament.balance_version += 1
    tournament.hand_for_hand = False
    tournament.opening = 0
    tournament.offering = None
    tournament.finished_at = now
