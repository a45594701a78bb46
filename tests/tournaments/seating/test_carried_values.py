"""Values a player carries reach every seat: all holders have them, every copy is whole."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

import msgspec
import pytest
from django.db import connection
from msgspec.structs import asdict, replace
from redis import Redis

from config import redis as doors
from tables.dealer import boundary as table_boundary
from tables.dealer import carried, record
from tables.dealer.carried import CarriedValues
from tables.dealer.grants import RosterSeat
from tables.dealer.record import SeatAfter
from tables.dealer.state import TableSeat
from tables.models import Seat, Table
from tables.store import fenced
from tables.workers import database_losses, granted_hands, recovery
from tests.style.modules import app_modules
from tests.tables import stages
from tests.tournaments.cast import STACK, started
from tournaments import locks, progress
from tournaments.engine.balancing import PlannedMove
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import Move
from tournaments.seating import grants, moves

HOLDERS: tuple[type, ...] = (Seat, Move, RosterSeat, TableSeat, SeatAfter)
VALUES = CarriedValues(chips=STACK, bank_ms=4_321, absent=True, showdown="muck", pledge=b"p" * 32)
"""A value unlike every default, for each field."""


class WithOneMore(CarriedValues, frozen=True):
    """Carried values with a planted field that no holder has."""

    muted: bool = True


def test_every_holder_has_every_carried_value() -> None:
    assert without(CarriedValues, HOLDERS) == []


def test_a_planted_field_is_missed_in_every_holder() -> None:
    assert without(WithOneMore, HOLDERS) == [f"{kind.__name__}.muted" for kind in HOLDERS]


def test_every_copy_is_whole() -> None:
    sources = {name: path.read_text() for name, path in app_modules().items()}
    assert list(partial_copies(sources)) == []
    assert sum(text.count("carried.copied(") for text in sources.values()) >= 8


def test_planted_partial_copies_are_found() -> None:
    planted = {
        "single": "Seat(table=table, chips=move.chips, bank_ms=move.bank_ms)",
        "mixed": "Move(absent=False, **carried.copied(seat))",
        "forgotten": "dealer.RosterSeat(seat=1, entry=2)",
        "whole": "TableSeat(seat=1, **carried.copied(row))",
    }
    assert list(partial_copies(planted)) == [
        "single:1: Seat copies chips alone",
        "single:1: Seat copies bank_ms alone",
        "single:1: Seat is made without all carried values",
        "mixed:1: Move copies absent alone",
        "forgotten:1: RosterSeat is made without all carried values",
    ]


def test_a_holder_that_forgot_a_value_is_refused() -> None:
    class Forgetful(msgspec.Struct):
        chips: int
        bank_ms: int
        absent: bool

    with pytest.raises(msgspec.ValidationError, match="showdown"):
        carried.of(Forgetful(1, 2, True))


@pytest.mark.rule("T-08")
def test_values_reach_the_new_seat_by_every_station(house: Redis) -> None:
    """Seat row, state, roster, move row, new seat row, roster of the new table, its state."""
    tournament = started(8, seats_per_table=5)
    defaults = asdict(carried.fresh(0, tournament.bank_ms))
    assert not defaults.items() & asdict(VALUES).items(), "no value of the journey is a default"
    old, new = Table.objects.filter(game=tournament.pk).order_by("pk")
    mover = old.seats.order_by("seat")[0]
    Seat.objects.filter(pk=mover.pk).update(**asdict(VALUES))
    room = doors.room()
    room.flushall()
    assert recovery.adopt(room, 0)
    state = fenced.peek(room, old.pk)
    assert state is not None
    # The seed of this pledge may be known already: a state that was lost may have called it.
    unpledged = replace(VALUES, pledge=b"")
    assert _values(state.seats, mover.entry) == unpledged, "the state restored from the rows"
    assert carried.of(Seat.objects.get(pk=mover.pk)) == unpledged, "nobody leaves with it either"
    Seat.objects.filter(pk=mover.pk).update(pledge=VALUES.pledge)
    free = min(set(range(1, 6)) - set(new.seats.values_list("seat", flat=True)))
    with tournament_transaction(tournament.pk) as tx:
        standing = _boundary(old.pk)
        planned = PlannedMove(mover.entry, new.pk, free)
        moves.move(tx, standing, [planned], reason=Move.Reason.ROOM)
        move = Move.objects.get(entry=mover.entry)
        assert carried.of(move) == VALUES, "the row of the move"
        assert [departure.entry for departure in standing.departures()] == [mover.entry]
        arrival = _boundary(new.pk)
        grants.seat_arrivals(arrival)
        assert carried.of(Seat.objects.get(entry=mover.entry)) == VALUES, "the new row of the seat"
        granted = grants.grant(tx.tournament, arrival, 1, progress.level(tx.tournament))
    assert _values(granted.roster, mover.entry) == VALUES, "the roster of the grant"
    kept = granted_hands.stored(Table.objects.get(pk=new.pk), 1)
    assert kept is not None
    assert _values(kept.roster, mover.entry) == unpledged, "the stored grant, asked for again"
    there = fenced.peek(room, new.pk)
    assert there is not None
    there, _ = table_boundary.answer(there, granted, now_ms=0)
    assert _values(there.seats, mover.entry) == VALUES, "the state of the new table"


def test_a_loss_of_postgresql_takes_the_pledge_of_a_move(house: Redis) -> None:
    """PostgreSQL may lack the grant of the new table that called it, and its seed may be open."""
    tournament = started(8, seats_per_table=5)
    old, new = Table.objects.filter(game=tournament.pk).order_by("pk")
    mover = old.seats.order_by("seat")[0]
    Seat.objects.filter(pk=mover.pk).update(**asdict(VALUES))
    free = min(set(range(1, 6)) - set(new.seats.values_list("seat", flat=True)))
    with tournament_transaction(tournament.pk) as tx:
        planned = PlannedMove(mover.entry, new.pk, free)
        moves.move(tx, _boundary(old.pk), [planned], reason=Move.Reason.ROOM)
    with connection.cursor() as cursor:
        database_losses.go_on_above(cursor, house)
    assert carried.of(Move.objects.get(entry=mover.entry)) == replace(VALUES, pledge=b"")


def test_values_reach_the_record_of_a_hand() -> None:
    state = stages.dealt(stages.roster(500, 500))
    while state.phase == "hand":
        state, _ = stages.at(
            state, stages.START_MS, stages.by_actor(state, stages.act(state, "fold"))
        )
    changed = replace(VALUES, chips=state.seats[0].chips)
    seats = (replace(state.seats[0], **asdict(changed)), *state.seats[1:])
    kept = record.of(replace(state, seats=seats))
    assert carried.of(record.decode(record.encode(kept)).seats[0]) == changed


def without(values: type[CarriedValues], holders: Iterable[type]) -> list[str]:
    """Return each carried value that a row or struct does not have, as `Holder.name`."""
    return [
        f"{kind.__name__}.{name}"
        for kind in holders
        for name in values.__struct_fields__
        if not hasattr(kind, name)
    ]


def partial_copies(sources: Mapping[str, str]) -> Iterator[str]:
    """Return each construction of a holder that names single carried values or has not all."""
    kinds = {kind.__name__ for kind in HOLDERS}
    for module, text in sources.items():
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Call):
                continue
            kind = ast.unparse(node.func).split(".")[-1]
            if kind not in kinds:
                continue
            where = f"{module}:{node.lineno}: {kind}"
            for keyword in node.keywords:
                if keyword.arg in carried.NAMES:
                    yield f"{where} copies {keyword.arg} alone"
            if all(keyword.arg is not None for keyword in node.keywords):
                yield f"{where} is made without all carried values"


def _values(seats: Iterable[RosterSeat | TableSeat], entry: int) -> CarriedValues:
    return carried.of(next(seat for seat in seats if seat.entry == entry))


def _boundary(table: int) -> grants.Boundary:
    return grants.boundary(locks.table(table))
