"""Seats for late entries: by lot at the shortest tables, or at a new one (E-01, E-02)."""

from __future__ import annotations

from config import entropy
from tables.dealer import carried
from tables.models import Table
from tournaments.engine.lot import drawn
from tournaments.engine.seating import late_table
from tournaments.events.notices import Seated
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Move, Tournament
from tournaments.refusals import NoTableForEntry
from tournaments.seating import apart, balancer, draws, planning
from tournaments.seating.draws import CarriedStack


def seat(tx: TournamentTransaction, stack: CarriedStack, *, lost_at: int | None = None) -> None:
    """Seat a stack at the next boundary of one of the shortest tables, or at a new table.

    A re-entry normally avoids the table it `lost_at` (E-02). The stack is counted in `left`.
    Raises NoTableForEntry.
    """
    tournament = tx.tournament
    table = _shortest(tournament, stack, lost_at)
    if table is None:
        [taken] = draws.seat(tx, [stack])
        table, number = taken.table, taken.seat
    else:
        number = _reserve(tx, stack, table)
        tx.wake_tables([table.pk])
    balancer.changed(tx, {table.pk})
    tx.notify(
        stack.entry.user_id, Seated(tournament.pk, tournament.name, table.pk, table.number, number)
    )


def _shortest(tournament: Tournament, stack: CarriedStack, lost_at: int | None) -> Table | None:
    """Draw one of the shortest tables that stay; None when all are full (TDA 8, 10).

    Raises NoTableForEntry when the player sits at every table with a free seat (E-03).
    """
    sizes = balancer.sizes_of(tournament.pk)[1]
    stay = {*balancer.staying(tournament, sizes)}
    sizes = [size for size in sizes if size.table in stay]
    free = [size for size in sizes if size.size < tournament.table_size]
    if not free:
        return None
    own = apart.taken(tournament, stack.entry)
    lengths = {size.table: size.size for size in free if size.table not in own}
    longest = max(size.size for size in sizes)
    table = late_table(lengths, entropy.system(), longest=longest, lost_at=lost_at)
    if table is None:
        raise NoTableForEntry
    return Table.objects.get(pk=table)


def _reserve(tx: TournamentTransaction, stack: CarriedStack, table: Table) -> int:
    """Store the chips in a move to the table's next boundary; return the drawn seat."""
    seen = planning.view_tables([table.pk], stud=False)[0]
    number = drawn(seen.open_seats, entropy.system())
    Move.objects.create(
        tournament=tx.tournament,
        entry=stack.entry,
        reason=Move.Reason.LATE,
        state=Move.State.LEFT,
        to_table=table,
        to_seat=number,
        version=balancer.version_after(tx),
        **carried.copied(stack.values),
    )
    return number
