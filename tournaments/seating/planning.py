"""The balancer's view of tables, read from their rows, and its plan for a boundary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import connection
from django.db.models import QuerySet

from config import entropy, metrics
from tables.engine.positions import clockwise
from tables.engine.variants import VARIANTS
from tables.models import Table
from tournaments import locks
from tournaments.engine import balancing
from tournaments.engine.balancing import (
    Plan,
    TableView,
    View,
)
from tournaments.models import Entry, Move, Tournament
from tournaments.seating import balancer, merging
from tournaments.seating.balancer import Bounds
from tournaments.seating.freed_seats import freed_seats
from tournaments.seating.grants import Boundary


def plan(tournament: Tournament, asking: Boundary, bounds: Bounds | None = None) -> Plan:
    """Return the balancing plan for a table, by fair lot and by earlier moves of its entries.

    `bounds` come from the balancer's record unless the caller passes newer ones.
    """
    with metrics.BALANCER_S.time():
        seen = _view(tournament, asking, bounds or balancer.bounds(tournament, asking.table.pk))
        moved: dict[int, int] = {}
        if seen.shortest and balancing.leaves_by_moves(seen.asking, stud=seen.stud):
            entries = Entry.objects.filter(pk__in=seen.asking.seats.values())
            moved = dict(entries.values_list("pk", "moved"))
        return balancing.plan(seen, entropy.system(), moved)


def _view(tournament: Tournament, asking: Boundary, bounds: Bounds) -> View:
    """Collect the input of a plan; other tables are read only when an entry may move to them."""
    own = _own_view(asking)
    stud = VARIANTS[tournament.variant].brings_in
    closes = bounds.rank < balancer.doomed(tournament, bounds.tables_open)
    targets = [
        size.table for size in bounds.shortest if closes or balancing.sends_one(own.size, size.size)
    ]
    shortest = view_tables(targets, stud=stud) if targets else ()
    rows = _with_owners(tournament, (own, *shortest))
    return View(
        asking=own,
        rank=bounds.rank,
        tables_open=bounds.tables_open,
        players_left=tournament.left,
        entries_open=tournament.entries_open,
        longest=bounds.longest,
        shortest=shortest,
        others_in_hand=_others_in_hand(tournament, asking.table),
        gathers=_gathers(tournament),
        stud=stud,
        owners=dict(rows.values_list("pk", "user")),
        waiting=frozenset(rows.filter(state=Entry.State.PENDING).values_list("pk", flat=True)),
    )


def _with_owners(tournament: Tournament, tables: Sequence[TableView]) -> QuerySet[Entry]:
    """Return the entries at these tables where a player may have several, else none (E-03)."""
    if not tournament.several_at_once:
        return Entry.objects.none()
    here = [
        entry for table in tables for entry in (*table.seats.values(), *table.reserved.values())
    ]
    return Entry.objects.filter(pk__in=here)


def _own_view(asking: Boundary) -> TableView:
    table = asking.table
    return TableView(
        table=table.pk,
        max_seats=table.seats_max,
        seats={seat.seat: seat.entry for seat in asking.seats},
        reserved={move.to_seat: move.entry_id for move in asking.arriving},
        leaving=frozenset(),
        big_blind=table.big_blind,
    )


def view_tables(ids: Sequence[int], *, stud: bool) -> tuple[TableView, ...]:
    """Views of tables in the given order, in one snapshot.

    In stud with the order in which seats became free (T-08).
    """
    with connection.cursor() as cursor:
        cursor.execute(_TABLES, [list(Move.PENDING), list(ids)])
        rows = {row[0]: row[1:] for row in cursor.fetchall()}
    opened = freed_seats(ids) if stud else {}
    return tuple(_table_view(pk, *rows[pk], opened=opened.get(pk, ())) for pk in ids)


def _table_view(
    pk: int,
    seats_max: int,
    big_blind: int | None,
    in_hand: bool,
    seats: list[int],
    entries: list[int],
    reserved: list[int],
    arriving: list[int],
    *,
    opened: tuple[int, ...],
) -> TableView:
    taken = dict(zip(seats, entries, strict=True))
    return TableView(
        table=pk,
        max_seats=seats_max,
        seats=taken,
        reserved={
            seat: entry for seat, entry in zip(reserved, arriving, strict=True) if seat not in taken
        },
        leaving=frozenset(),
        big_blind=_big_blind(big_blind, taken, in_hand=in_hand),
        opened=opened,
    )


def _big_blind(last: int | None, occupied: Iterable[int], *, in_hand: bool) -> int | None:
    """Seat of the big blind in the hand in play, else in the last hand."""
    return last if last is None or not in_hand else clockwise(last, occupied)[0]


def _gathers(tournament: Tournament) -> bool:
    return balancing.gathers(tournament.tables_opened, gathered=tournament.final_table)


def _others_in_hand(tournament: Tournament, table: Table) -> int:
    """Return how many other tables block the final table; 0 unless it may be drawn now.

    Counts tables in a hand, pending entries and unfinished merges: the final table is drawn for
    players who are present.
    """
    is_due = _gathers(tournament) and not tournament.entries_open
    if not is_due or balancer.needed(tournament) > 1:
        return 0
    pending = tournament.entries.filter(state=Entry.State.PENDING).count()
    return in_hand(tournament, but=table.pk) + pending + merging.waiting(tournament)


def in_hand(tournament: Tournament, *, but: int = 0) -> int:
    """Return how many open tables, except `but`, have a granted hand that is not settled."""
    rows = Table.objects.filter(
        director=locks.DIRECTOR, game=tournament.pk, status=Table.Status.OPEN
    )
    return sum(
        granted > hand for granted, hand in rows.exclude(pk=but).values_list("granted_hand", "hand")
    )


_TABLES = """
SELECT t.id, t.seats_max, t.big_blind, t.granted_hand <> t.hand,
       array(SELECT s.seat FROM tables_seat s WHERE s.table_id = t.id ORDER BY s.id),
       array(SELECT s.entry FROM tables_seat s WHERE s.table_id = t.id ORDER BY s.id),
       array(SELECT m.to_seat FROM tournaments_move m
              WHERE m.to_table_id = t.id AND m.state = ANY(p.pending) ORDER BY m.id),
       array(SELECT m.entry_id FROM tournaments_move m
              WHERE m.to_table_id = t.id AND m.state = ANY(p.pending) ORDER BY m.id)
  FROM (SELECT %s::text[] AS pending) p, tables_table t
 WHERE t.id = ANY(%s)
"""
