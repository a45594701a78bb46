"""Seat draws for a whole field: at the start and at the final table (T-14, T-08)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
from django.db import connection
from django.db.models import F
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
    seats = draw_stacks(tx, stacks, lot)
    announce_open(tx, {seat.table_id: seat.table for seat in seats}.values())
    return seats


def draw_stacks(
    tx: TournamentTransaction, stacks: Sequence[CarriedStack], lot: Lot | None = None
) -> list[Seat]:
    """Draw all stacks to the fewest new tables; the caller opens them with `announce_open`."""
    values = {stack.entry.pk: stack.values for stack in stacks}
    users = {stack.entry.pk: stack.entry.user_id for stack in stacks}
    drawn = _drawn(tx.tournament, users, lot or entropy.system())
    tables = {table.pk: table for table in _tables(tx.tournament, len(drawn))}
    places = [
        (table, seat, entry)
        for table, given in zip(tables, drawn, strict=True)
        for seat, entry in given.items()
    ]
    of, numbers, entries = map(list, zip(*places, strict=True))
    columns = carried.columns(values[entry] for entry in entries)
    with connection.cursor() as cursor:
        cursor.execute(
            _SEAT_STACKS, {**columns, "tables": of, "seats": numbers, "entries": entries}
        )
        assert cursor.rowcount == len(stacks), "every stack is seated"
    seats = list(Seat.objects.filter(table__in=tables).order_by("pk"))
    for seat in seats:
        seat.table = tables[seat.table_id]
    return seats


def draw_field(
    tx: TournamentTransaction, values: CarriedValues, lot: Lot | None = None
) -> dict[int, int]:
    """Draw all registered entries, each with these values, to the fewest new tables (T-14).

    Return entry -> user. The caller opens the tables with `announce_open`. The whole field is
    stored in few statements, without an object for each entry: a start holds a worker and the row
    of its tournament meanwhile.
    """
    tournament = tx.tournament
    registered = tournament.entries.filter(state=Entry.State.REGISTERED)
    users = dict(registered.order_by("pk").values_list("pk", "user_id"))
    drawn = _drawn(tournament, users, lot or entropy.system())
    first = tournament.tables_opened + 1
    tournament.tables_opened += len(drawn)
    places = [
        (number, seat, entry)
        for number, table in enumerate(drawn, start=first)
        for seat, entry in table.items()
    ]
    numbers, seats, entries = map(list, zip(*places, strict=True))
    with connection.cursor() as cursor:
        cursor.execute(
            _OPEN,
            [DIRECTOR, tournament.pk, tournament.table_size, first, tournament.tables_opened],
        )
        given = msgspec.structs.asdict(values)
        cursor.execute(
            _SEAT_FIELD,
            {
                **given,
                "director": DIRECTOR,
                "game": tournament.pk,
                "numbers": numbers,
                "seats": seats,
                "entries": entries,
            },
        )
        assert cursor.rowcount == len(users), "every entry is seated"
    registered.update(state=Entry.State.SEATED)
    return users


def announce_open(tx: TournamentTransaction, tables: Iterable[Table]) -> None:
    """Announce new tables, and open them after the commit."""
    opened = sorted(tables, key=lambda table: table.number)
    for table in opened:
        tx.announce(TableOpened(table.pk, table.number))
    tx.after_commit(lambda: open_tables([table.pk for table in opened]))


def close_tables(tx: TournamentTransaction, tables: Sequence[Table], *, wake: bool = True) -> None:
    """Close locked tables and raise their epochs, so that their workers are told to leave.

    Without `wake` each table closes when it asks next, which a standing one does by itself.
    """
    withdrawing.end_closing(tables)
    now = timezone.now()
    for table in tables:
        table.status, table.epoch, table.closed_at = Table.Status.CLOSED, table.epoch + 1, now
    Table.objects.filter(pk__in=[table.pk for table in tables]).update(
        status=Table.Status.CLOSED, epoch=F("epoch") + 1, closed_at=now
    )
    if wake:
        tx.wake_tables(table.pk for table in tables)


def _drawn(tournament: Tournament, users: Mapping[int, int], lot: Lot) -> list[dict[int, int]]:
    """Draw seats for entries (entry -> user); those of one player at different tables (T-14, E-03).

    Bots of a duplicate game have theirs from its set.
    """
    if given := given_seats(tournament.pk):
        return [{given[user]: entry for entry, user in users.items()}]
    owned: dict[int, list[int]] = defaultdict(list)
    for entry, user in sorted(users.items()):
        owned[user].append(entry)
    if all(len(entries) == 1 for entries in owned.values()):
        return draw(
            [entry for entries in owned.values() for entry in entries],
            tournament.table_size,
            lot,
        )
    return draw_apart(list(owned.values()), tournament.table_size, lot)


def _tables(tournament: Tournament, count: int) -> list[Table]:
    first = tournament.tables_opened + 1
    tournament.tables_opened += count
    return Table.objects.bulk_create(
        Table(
            director=DIRECTOR,
            game=tournament.pk,
            number=number,
            seats_max=tournament.table_size,
        )
        for number in range(first, first + count)
    )


_OPEN = """
INSERT INTO tables_table (director, game, number, seats_max, status, epoch, hand, round,
                          granted_hand, opened_at)
SELECT %s, %s, number, %s, 'open', 1, 0, 0, 0, statement_timestamp()
  FROM generate_series(%s, %s) AS number
 ORDER BY number
"""

_SEAT_FIELD = f"""
INSERT INTO tables_seat (table_id, seat, entry, user_id, name, newcomer,
                         {", ".join(carried.NAMES)})
SELECT t.id, v.seat, e.id, e.user_id, e.name, false,
       {", ".join(f"%({name})s" for name in carried.NAMES)}
  FROM unnest(%(numbers)s::int[], %(seats)s::int[], %(entries)s::bigint[])
       WITH ORDINALITY AS v(number, seat, entry, position)
  JOIN tables_table t
    ON t.director = %(director)s AND t.game = %(game)s AND t.number = v.number
  JOIN tournaments_entry e ON e.id = v.entry
 ORDER BY v.position
"""  # nosec B608

_SEAT_STACKS = f"""
INSERT INTO tables_seat (table_id, seat, entry, user_id, name, newcomer,
                         {", ".join(carried.NAMES)})
SELECT v.table_id, v.seat, e.id, e.user_id, e.name, false,
       {", ".join(f"v.{name}" for name in carried.NAMES)}
  FROM unnest(%(tables)s::bigint[], %(seats)s::int[], %(entries)s::bigint[],
              {", ".join(f"%({name})s::{carried.SQL_TYPES[name]}[]" for name in carried.NAMES)})
       WITH ORDINALITY
       AS v(table_id, seat, entry, {", ".join(carried.NAMES)}, position)
  JOIN tournaments_entry e ON e.id = v.entry
 ORDER BY v.position
"""  # nosec B608
