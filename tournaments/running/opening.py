"""Open the tables of a start or a round in batches, each in a short transaction of one tick.

The start itself, or the new round of a shootout, draws and stores all seats. `Tournament.opening`
says how far the opening is, and is committed with each batch: a worker that dies between two leaves
the rest to a later tick.
"""

from __future__ import annotations

from config import limits
from config.celery import SETTLE
from tables.models import Seat, Table
from tables.workers import bells
from tournaments.events.notices import Seated
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.locks import DIRECTOR
from tournaments.models import Move, Tournament
from tournaments.running import batches
from tournaments.seating import draws, moves, shootout


def begin(tx: TournamentTransaction) -> None:
    """Open the first tables of a start or a round; the ticks that follow open the rest."""
    # Tables opened for late entries meanwhile have higher numbers, so the count goes down.
    tx.tournament.opening = tx.tournament.tables_opened
    open_next(tx)


def next_round(tx: TournamentTransaction) -> bool:
    """Begin the next round of a shootout and open its first tables; False before it is due (F-04).

    What is left is opened as the tables of a start are.
    """
    drawn = shootout.draw_round(tx)
    if not drawn:
        return False
    begin(tx)
    shootout.tell_round(tx, drawn)
    if tx.tournament.opening:
        tx.wake(batches.NEXT_MS)
    return True


def open_next(tx: TournamentTransaction) -> int:
    """Open the next tables of the start or round, and tell their players; return ms to the next.

    Each table asks for its first hand at once: a start of any size leaves the settle queue to the
    other tournaments in between.
    """
    tournament = tx.tournament
    # Tables are closed that a round has left, or that were short and the balancer closed.
    rows = Table.objects.filter(
        director=DIRECTOR,
        game=tournament.pk,
        number__lte=tournament.opening,
        status=Table.Status.OPEN,
    )
    places = _places(tournament)
    count = max(1, places)
    opened = list(rows.order_by("-number")[: count + 1])
    tournament.opening = opened.pop().number if len(opened) > count else 0
    draws.announce_open(tx, opened)
    rows_of_seats = Seat.objects.filter(table__in=opened).select_related("table")
    seats = list(rows_of_seats.order_by("pk"))
    if tournament.stage > 1:
        moves.tell_recorded(tx, seats, Move.Reason.ROUND)
    else:
        for seat in seats:
            table = seat.table
            notice = Seated(tournament.pk, tournament.name, table.pk, table.number, seat.seat)
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
