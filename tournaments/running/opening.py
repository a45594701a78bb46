"""Open the tables of a start in batches, each in a short transaction of one tick.

The start itself draws and stores all seats. `Tournament.opening` says how far the opening is, and
is committed with each batch: a worker that dies between two leaves the rest to a later tick.
"""

from __future__ import annotations

from tables.models import Seat, Table
from tables.workers import bells
from tournaments.events.notices import Seated
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.locks import DIRECTOR
from tournaments.running import batches
from tournaments.seating import draws


def begin(tx: TournamentTransaction) -> None:
    """Open the first tables of a start; the ticks that follow open the rest."""
    # Tables opened for late entries meanwhile have higher numbers, so the count goes down.
    tx.tournament.opening = tx.tournament.tables_opened
    open_next(tx)


def open_next(tx: TournamentTransaction) -> None:
    """Open the next tables of the start and tell their players; one alone in a busy room.

    Each table asks for its first hand at once: a start of any size leaves the settle queue to the
    other tournaments in between.
    """
    tournament = tx.tournament
    many = 1 if bells.is_crowded("settle") else batches.TABLES
    rows = Table.objects.filter(
        director=DIRECTOR, game=tournament.pk, number__lte=tournament.opening
    )
    tables = list(rows.order_by("-number")[:many])
    assert tables, "a start has tables"
    tournament.opening = tables[-1].number - 1
    # The balancer may have closed one that was short.
    opened = [table for table in tables if table.status == Table.Status.OPEN]
    draws.announce_open(tx, opened)
    for seat in Seat.objects.filter(table__in=opened).select_related("table").order_by("pk"):
        notice = Seated(tournament.pk, tournament.name, seat.table_id, seat.table.number, seat.seat)
        tx.notify(seat.user_id, notice)
