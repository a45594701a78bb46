"""Seat draws for a whole field: at the start and at the final table (T-14, T-08)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.utils import timezone

from config import entropy
from tables.dealer import carried
from tables.dealer.carried import CarriedValues
from tables.models import Seat, Table
from tables.workers import withdrawing
from tables.workers.opening import open_tables
from tournaments.duplicates.seats import given_seats
from tournaments.engine.lot import Lot
from tournaments.engine.seating import draw, draw_apart
from tournaments.events.client_events import TableOpened
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.locks import DIRECTOR
from tournaments.models import Entry, Tournament


class CarriedStack(NamedTuple):
    """An entry without a seat, with the values it takes to its new one."""

    entry: Entry
    values: CarriedValues


def seat(
    tx: TournamentTransaction, stacks: Sequence[CarriedStack], lot: Lot | None = None
) -> list[Seat]:
    """Draw all stacks to the fewest new tables, which open after this transaction commits."""
    seats = draw_seats(tx, stacks, lot)
    announce_open(tx, {seat.table_id: seat.table for seat in seats}.values())
    return seats


def draw_seats(
    tx: TournamentTransaction, stacks: Sequence[CarriedStack], lot: Lot | None = None
) -> list[Seat]:
    """Draw all stacks to the fewest new tables; the caller opens these with `announce_open`."""
    by_entry = {stack.entry.pk: stack for stack in stacks}
    drawn = _drawn(tx.tournament, stacks, lot or entropy.system())
    tables = _tables(tx.tournament, len(drawn))
    return Seat.objects.bulk_create(
        _seat(table, number, by_entry[entry])
        for table, places in zip(tables, drawn, strict=True)
        for number, entry in places.items()
    )


def announce_open(tx: TournamentTransaction, tables: Iterable[Table]) -> None:
    """Announce new tables, and open them after the commit."""
    opened = sorted(tables, key=lambda table: table.number)
    for table in opened:
        tx.announce(TableOpened(table.pk, table.number))
    tx.after_commit(lambda: open_tables([table.pk for table in opened]))


def close_tables(tx: TournamentTransaction, tables: Sequence[Table]) -> None:
    """Close locked tables and raise their epochs, so that their workers are told to leave."""
    withdrawing.end_closing(tables)
    for table in tables:
        table.status = Table.Status.CLOSED
        table.epoch += 1
        table.closed_at = timezone.now()
    Table.objects.bulk_update(tables, ["status", "epoch", "closed_at"])
    tx.wake_tables(table.pk for table in tables)


def _drawn(
    tournament: Tournament, stacks: Sequence[CarriedStack], lot: Lot
) -> list[dict[int, int]]:
    """Draw seats; entries of one player sit at different tables (T-14, E-03).

    Bots of a duplicate game have theirs from its set.
    """
    if given := given_seats(tournament.pk):
        return [{given[stack.entry.user_id]: stack.entry.pk for stack in stacks}]
    owned: dict[int, list[int]] = defaultdict(list)
    for stack in sorted(stacks, key=lambda stack: stack.entry.pk):
        owned[stack.entry.user_id].append(stack.entry.pk)
    if all(len(entries) == 1 for entries in owned.values()):
        return draw(
            [entry for entries in owned.values() for entry in entries],
            tournament.seats_per_table,
            lot,
        )
    return draw_apart(list(owned.values()), tournament.seats_per_table, lot)


def _tables(tournament: Tournament, count: int) -> list[Table]:
    first = tournament.tables_opened + 1
    tournament.tables_opened += count
    return Table.objects.bulk_create(
        Table(
            director=DIRECTOR,
            game=tournament.pk,
            number=number,
            seats_max=tournament.seats_per_table,
        )
        for number in range(first, first + count)
    )


def _seat(table: Table, number: int, stack: CarriedStack) -> Seat:
    return Seat(
        table=table,
        seat=number,
        entry=stack.entry.pk,
        user_id=stack.entry.user_id,
        name=stack.entry.name,
        newcomer=False,
        **carried.copied(stack.values),
    )
