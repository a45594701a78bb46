"""Open the tables of a start in batches, each in a short transaction of one tick.

The start itself draws and stores all seats. `Tournament.opening` says how far the opening is, and
is committed with each batch: a worker that dies between two leaves the rest to a later tick.
"""

from __future__ import annotations

from config import limits
from config.celery import SETTLE
from tables.models import Seat, Table
from tables.workers import bells
from tournaments.events.notices import Seated
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.locks import DIRECTOR
from tournaments.models import Tournament
from tournaments.running import batches
from tournaments.seating import draws


def begin(tx: TournamentTransaction) -> None:
    """Open the first tables of a start; the ticks that follow open the rest."""
    # Tables opened for late entries meanwhile have higher numbers, so the count goes down.
    tx.tournament.opening = tx.tournament.tables_opened
    open_next(tx)


def open_next(tx: TournamentTransaction) -> int:
    """Open the next tables of the start and tell their players; return ms to the next batch.

    Each table asks for its first hand at once: a start of any size leaves the settle queue to the
    other tournaments in between.
    """
    tournament = tx.tournament
    rows = Table.objects.filter(
        director=DIRECTOR, game=tournament.pk, number__lte=tournament.opening
    )
    places = _places(tournament)
    tables = list(rows.order_by("-number")[: max(1, places)])
    assert tables, "a start has tables"
    tournament.opening = tables[-1].number - 1
    # The balancer may have closed one that was short.
    opened = [table for table in tables if table.status == Table.Status.OPEN]
    draws.announce_open(tx, opened)
    for seat in Seat.objects.filter(table__in=opened).select_related("table").order_by("pk"):
        notice = Seated(tournament.pk, tournament.name, seat.table_id, seat.table.number, seat.seat)
        tx.notify(seat.user_id, notice)
    return batches.NEXT_MS if places else batches.NO_PLACE_MS


def _places(tournament: Tournament) -> int:
    """Return how many tables may ask for their first hands now.

    While the settle queue is crowded, a batch of tables waits for first hands at a time, or a
    quarter as many as bells wait there where that is more: the start goes at the pace of the queue
    and has its share of it, however crowded hands in play keep it, and those of others wait a third
    longer at most. Where no place is free, tables still open one by one, slowly, as those that wait
    may wait for something else than the queue: an operator's pause, for one.
    """
    bells_waiting = bells.waiting(SETTLE)
    if bells_waiting <= limits.BELLS_WAITING_MAX:
        return batches.TABLES
    rows = Table.objects.filter(
        director=DIRECTOR, game=tournament.pk, status=Table.Status.OPEN, granted_hand=0
    )
    waiting_max = max(batches.TABLES, bells_waiting // batches.BELLS_FOR_A_TABLE)
    waiting = rows.filter(number__gt=tournament.opening)[:waiting_max].count()
    return min(batches.TABLES, waiting_max - waiting)
