"""Carry out a balancing plan for a standing table: moves, closing, final table.

The tournament and the table are locked. A move takes two transactions:

1. The table left deletes the seat and stores the chips in a move with state `LEFT`.
2. The table of arrival turns the move into a seat at its own boundary, under its own lock
   (`grants.seat_arrivals`). Until then the move row holds the chips.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection
from django.db.models import F
from django.utils import timezone

from tables.dealer import carried
from tables.models import Seat, Table
from tournaments import locks
from tournaments.engine import balancing
from tournaments.events.client_events import FinalTable, Moved, TournamentTableClosed
from tournaments.events.notices import SeatChanged
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, Move
from tournaments.prizes import deal_field
from tournaments.seating import balancer, draws
from tournaments.seating import merging as merges
from tournaments.seating.draws import CarriedStack
from tournaments.seating.grants import Boundary


class Mover(NamedTuple):
    """Entry that gets another seat, and its player."""

    entry: int
    user: int
    name: str


def carry_out(tx: TournamentTransaction, boundary: Boundary, plan: balancing.Plan) -> set[int]:
    """Carry out a plan for a standing table; return the tables whose size changed."""
    match plan:
        case balancing.Moves(planned):
            return move(tx, boundary, planned, reason=Move.Reason.BALANCE)
        case balancing.CloseTable(planned, merging):
            _merge(tx, boundary, merging)
            return close_table(tx, boundary, planned)
        case balancing.GatherFinalTable():
            return gather(tx)
        case balancing.DealNextHand() | balancing.DealNoHand():
            return set()


def move(
    tx: TournamentTransaction,
    boundary: Boundary,
    planned: Sequence[balancing.PlannedMove],
    *,
    reason: Move.Reason,
) -> set[int]:
    """Move entries away from the asking table, their chips in the row of the move (T-08)."""
    entries = _go(tx, boundary, planned, reason)
    Entry.objects.filter(pk__in=entries).update(moved=F("moved") + 1)
    return {boundary.table.pk, *(target.table for target in planned)}


def close_table(
    tx: TournamentTransaction, boundary: Boundary, planned: Sequence[balancing.PlannedMove]
) -> set[int]:
    """Close the asking table; its players and pending arrivals go to the drawn seats (T-08)."""
    _redirect(tx, boundary, planned)
    _go(tx, boundary, planned, Move.Reason.CLOSING)
    assert not boundary.seats and not boundary.arriving, "a closing table is empty"
    draws.close_tables(tx, [boundary.table])
    tx.announce(TournamentTableClosed(boundary.table.pk, boundary.table.number))
    return {boundary.table.pk, *(target.table for target in planned)}


def _merge(
    tx: TournamentTransaction, boundary: Boundary, merging: Sequence[balancing.Merging]
) -> None:
    """Merge entries that find no table without another entry of their player (E-03)."""
    here = {seat.entry: seat for seat in boundary.seats}
    for pair in merging:
        merges.absorb(tx, here[pair.entry], pair.into)
    gone = {pair.entry for pair in merging}
    boundary.seats = [seat for seat in boundary.seats if seat.entry not in gone]


def gather(tx: TournamentTransaction) -> set[int]:
    """Draw all entries left to one new table, which also draws its button (T-08).

    Returns the tables whose size changed; none when a table was granted a hand in between.
    """
    tournament = tx.tournament
    # 1. Lock all tables: a table may have been granted a hand since the plan was made.
    tables = locks.open_tables(tournament.pk)
    if any(table.granted_hand > table.hand for table in tables):
        return set()
    # 2. Collect every stack, at seats and in moves, before seats and moves are voided.
    moves = list(tournament.moves.filter(state__in=Move.PENDING))
    seats = {seat.entry: seat for seat in Seat.objects.filter(table__in=tables)}
    stacks = _stacks(seats, moves)
    assert len(stacks) == tournament.left <= tournament.table_size, (
        "every entry left has a stack, and all fit one table"
    )
    tournament.moves.filter(pk__in=[move.pk for move in moves]).update(state=Move.State.VOID)
    Seat.objects.filter(table__in=tables).delete()
    draws.close_tables(tx, tables)
    # 3. Draw all of them to one table, and store the draw as completed moves.
    drawn = draws.seat(tx, stacks)
    final = drawn[0].table
    _tell_gathered(tx, tables, final)
    by_id = {table.pk: table for table in tables}
    record(tx, seats, moves, drawn, by_id, Move.Reason.FINAL)
    tell_recorded(tx, drawn, Move.Reason.FINAL)
    tournament.final_table = True
    deal_field.tell_possible(tx, [seat.user_id for seat in drawn])
    return {final.pk, *(table.pk for table in tables)}


def _go(
    tx: TournamentTransaction,
    boundary: Boundary,
    planned: Sequence[balancing.PlannedMove],
    reason: Move.Reason,
) -> list[int]:
    """Turn seats of the asking table into moves with state `LEFT`; return the moved entries."""
    here = {seat.entry: seat for seat in boundary.seats}
    leaving = [target for target in planned if target.entry in here]
    targets = Table.objects.in_bulk([target.table for target in leaving])
    moves = Move.objects.bulk_create(
        Move(
            tournament=tx.tournament,
            entry_id=target.entry,
            reason=reason,
            state=Move.State.LEFT,
            from_table=boundary.table,
            from_seat=here[target.entry].seat,
            to_table=targets[target.table],
            to_seat=target.seat,
            **carried.copied(here[target.entry]),
            hand=boundary.table.hand,
            version=balancer.version_after(tx),
        )
        for target in leaving
    )
    deleted, _ = Seat.objects.filter(pk__in=[here[target.entry].pk for target in leaving]).delete()
    assert deleted == len(leaving), "every moved entry had a seat"
    for target in leaving:
        mover = _mover(here[target.entry])
        _tell_moved(tx, mover, boundary.table.pk, targets[target.table], target.seat)
    entries = [target.entry for target in leaving]
    boundary.seats = [seat for seat in boundary.seats if seat.entry not in entries]
    boundary.gone += moves
    return entries


def _redirect(
    tx: TournamentTransaction, boundary: Boundary, planned: Sequence[balancing.PlannedMove]
) -> None:
    """Redirect pending arrivals of a closing table to their new tables."""
    arriving = {move.entry_id: move for move in boundary.arriving}
    turned = [move for move in planned if move.entry in arriving]
    targets = Table.objects.in_bulk([move.table for move in turned])
    entries = Entry.objects.in_bulk([move.entry for move in turned])
    for move in turned:
        on_the_way = arriving[move.entry]
        on_the_way.to_table, on_the_way.to_seat = targets[move.table], move.seat
        on_the_way.save(update_fields=["to_table", "to_seat"])
        entry = entries[move.entry]
        mover = Mover(entry.pk, entry.user_id, entry.name)
        _tell_moved(tx, mover, boundary.table.pk, targets[move.table], move.seat)
    boundary.arriving = [
        move for move in boundary.arriving if move.entry_id not in {t.entry for t in turned}
    ]


def _tell_moved(
    tx: TournamentTransaction, mover: Mover, source: int, target: Table, to_seat: int
) -> None:
    entry, user, name = mover
    tx.announce(Moved(entry, user, name, source, target.pk, to_seat))
    tournament = tx.tournament
    notice = SeatChanged(tournament.pk, tournament.name, source, target.pk, target.number, to_seat)
    tx.notify(user, notice)


def _mover(seat: Seat) -> Mover:
    return Mover(seat.entry, seat.user_id, seat.name)


def _stacks(seats: dict[int, Seat], moves: Sequence[Move]) -> list[CarriedStack]:
    holders = [*seats.items(), *((move.entry_id, move) for move in moves)]
    entries = Entry.objects.in_bulk([entry for entry, _ in holders])
    return [CarriedStack(entries[entry], carried.of(holder)) for entry, holder in holders]


def _tell_gathered(tx: TournamentTransaction, tables: Sequence[Table], final: Table) -> None:
    for table in tables:
        tx.announce(TournamentTableClosed(table.pk, table.number))
    tx.announce(FinalTable(final.pk, tx.tournament.left))


def record(
    tx: TournamentTransaction,
    seats: dict[int, Seat],
    moves: Sequence[Move],
    drawn: Sequence[Seat],
    tables: dict[int, Table],
    reason: Move.Reason,
) -> None:
    """Store the moves of a fresh draw as completed rows, in one statement."""
    came_from = {entry: (tables[seat.table_id], seat.seat) for entry, seat in seats.items()}
    came_from |= {move.entry_id: (tables[move.to_table_id], move.to_seat) for move in moves}
    left = [came_from[seat.entry] for seat in drawn]
    with connection.cursor() as cursor:
        cursor.execute(
            _RECORD,
            {
                "tournament": tx.tournament.pk,
                "reason": reason,
                "version": balancer.version_after(tx),
                "at": timezone.now(),
                "seats": [seat.pk for seat in drawn],
                "from_tables": [table.pk for table, _ in left],
                "from_seats": [number for _, number in left],
                "hands": [table.hand for table, _ in left],
            },
        )
        assert cursor.rowcount == len(drawn), "every seat of the draw has a move"


def tell_recorded(tx: TournamentTransaction, seats: Sequence[Seat], reason: Move.Reason) -> None:
    """Announce the recorded moves to these seats, read with their tables, and tell their players.

    The tables they left are woken.
    """
    came_from = dict(
        Move.objects.filter(
            to_table__in={seat.table_id for seat in seats}, reason=reason
        ).values_list("entry", "from_table")
    )
    for seat in seats:
        _tell_moved(tx, _mover(seat), came_from[seat.entry], seat.table, seat.seat)
    tx.wake_tables(came_from.values())


_RECORD = f"""
INSERT INTO tournaments_move (tournament_id, entry_id, reason, state, from_table_id, from_seat,
                              to_table_id, to_seat, hand, version, decided_at, seated_at,
                              {", ".join(carried.NAMES)})
SELECT %(tournament)s, s.entry, %(reason)s, 'seated', v.table_id, v.seat,
       s.table_id, s.seat, v.hand, %(version)s, %(at)s, %(at)s,
       {", ".join(f"s.{name}" for name in carried.NAMES)}
  FROM unnest(%(seats)s::bigint[], %(from_tables)s::bigint[], %(from_seats)s::int[],
              %(hands)s::int[])
       WITH ORDINALITY AS v(id, table_id, seat, hand, position)
  JOIN tables_seat s ON s.id = v.id
 ORDER BY v.position
"""  # nosec B608
