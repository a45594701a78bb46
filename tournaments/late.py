"""Seats for those who come while a tournament is played: by lot at the shortest tables (E-01)."""

from __future__ import annotations

from django.db import transaction

from config import entropy
from tables.models import Seat, Table
from tournaments import balancer, bells, field, standing
from tournaments.announcements import Outbox
from tournaments.announcements import user as notices_of
from tournaments.balancer import Size
from tournaments.client_events import Seated
from tournaments.engine.lot import drawn
from tournaments.engine.seating import OpenTable, late_seat
from tournaments.field import Stack
from tournaments.locks import DIRECTOR
from tournaments.models import Move, Tournament
from tournaments.refusals import NoTableForEntry


def seat(tournament: Tournament, stack: Stack, outbox: Outbox) -> None:
    """Let a stack in at the next boundary of one of the shortest tables, or at a new one.

    The tournament is locked, counts the stack in `left` already, and is saved by the caller.
    """
    table = _shortest(tournament, stack)
    if table is None:
        [taken] = field.seat(tournament, [stack], outbox)
        table, number = taken.table, taken.seat
    else:
        number = _reserve(tournament, stack, table)
        opened = table.pk
        transaction.on_commit(lambda: bells.wake_tables([opened]), robust=True)
    balancer.changed(tournament, {table.pk})
    outbox.tell(
        notices_of(stack.entry.user_id),
        Seated(tournament.pk, tournament.name, table.pk, table.number, number),
    )


def _shortest(tournament: Tournament, stack: Stack) -> Table | None:
    """One of the shortest tables that stay, by lot; None when all are full (TDA 8, 10).

    Raises NoTableForEntry when only tables have room where the player sits already (E-03).
    """
    sizes = _staying(tournament, balancer.sizes_of(tournament.pk)[1])
    free = [size for size in sizes if size.size < tournament.seats_per_table]
    if not free:
        return None
    own = _own_tables(tournament, stack)
    sizes = [size for size in free if size.table not in own]
    if not sizes:
        raise NoTableForEntry
    least = min(size.size for size in sizes)
    shortest = sorted(size.table for size in sizes if size.size == least)
    return Table.objects.get(pk=drawn(shortest, entropy.system()))


def _own_tables(tournament: Tournament, stack: Stack) -> set[int]:
    """Tables where other entries of this player are, or are on the way to (E-03)."""
    if not tournament.several_at_once:
        return set()
    user = stack.entry.user_id
    seats = Seat.objects.filter(user=user, table__director=DIRECTOR, table__game=tournament.pk)
    moving = tournament.moves.filter(entry__user=user, state__in=Move.PENDING)
    return {
        *seats.values_list("table", flat=True),
        *moving.values_list("to_table", flat=True),
    }


def _staying(tournament: Tournament, sizes: list[Size]) -> list[Size]:
    in_order = sorted(sizes, key=lambda size: -size.number)
    return in_order[balancer.doomed(tournament, len(sizes)) :]


def _reserve(tournament: Tournament, stack: Stack, table: Table) -> int:
    """The chips wait in a move for the table's next boundary; the seat that was drawn."""
    seen = standing.look([table.pk], stud=False)[0]
    found = late_seat([OpenTable(table.pk, seen.size, seen.open_seats)], entropy.system())
    assert found is not None, "a table that is not full has a free seat"
    Move.objects.create(
        tournament=tournament,
        entry=stack.entry,
        reason=Move.Reason.LATE,
        state=Move.State.LEFT,
        to_table=table,
        to_seat=found.seat,
        chips=stack.chips,
        bank_ms=stack.bank_ms,
        absent=stack.absent,
        showdown=stack.showdown,
        version=tournament.balance_version + 1,
    )
    return found.seat
