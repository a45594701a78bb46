"""Order in which the seats of a table became free; in stud the last one is taken first (T-08)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import Q

from tables.models import Hand
from tables.records import hand_months
from tables.records.stored import decode_open
from tournaments.models import KnockOut, Move


def freed_seats(tables: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Seats by table, the one left last at the end; seats taken again are included.

    Derived from the moves away and the knock-outs of each table, by the hand after which they
    happened.
    """
    left: dict[int, dict[int, int]] = defaultdict(dict)
    completed = [Move.State.LEFT, Move.State.SEATED]
    departed = Move.objects.filter(from_table__in=tables, state__in=completed)
    for table, seat, hand in [
        *departed.values_list("from_table_id", "from_seat", "hand"),
        *_knocked_out(tables),
    ]:
        assert seat is not None, "a move away from a table names the seat it left"
        left[table][seat] = max(hand, left[table].get(seat, 0))
    return {table: tuple(sorted(seats, key=lambda s: seats[s])) for table, seats in left.items()}


def _knocked_out(tables: Sequence[int]) -> list[tuple[int, int, int]]:
    """Table, seat and hand of each knock-out; the seat is read from the stored hand."""
    outs = list(
        KnockOut.objects.filter(table__in=tables).values_list("table_id", "hand", "entry_id")
    )
    played = Q(pk__in=[])
    for table, hand in {(table, hand) for table, hand, _ in outs}:
        played |= Q(table=table, number=hand)
    seats = {
        (row.table_id, row.number, seat.entry): seat.seat
        for row in Hand.objects.filter(played, hand_months.of_tables(tables))
        for seat in decode_open(bytes(row.record)).seats
    }
    return [
        (table, seats[table, hand, entry], hand)
        for table, hand, entry in outs
        if (table, hand, entry) in seats
    ]
