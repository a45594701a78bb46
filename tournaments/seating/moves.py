"""Carries out what the balancer planned for a table that stands: moves, closing, final table."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import F
from django.utils import timezone

from tables.models import Seat, Table
from tournaments import locks
from tournaments.engine import balancing
from tournaments.events.client_events import FinalTable, Moved, SeatChanged, TableClosed
from tournaments.events.outbox import Outbox
from tournaments.events.outbox import tournament as stream_of
from tournaments.events.outbox import user as notices_of
from tournaments.models import Entry, Move, Tournament
from tournaments.prizes import deal_field
from tournaments.seating import draws
from tournaments.seating import merging as merges
from tournaments.seating.draws import Stack
from tournaments.seating.grants import Boundary


def carry_out(
    tournament: Tournament, now: Boundary, plan: balancing.Plan, outbox: Outbox
) -> set[int]:
    """Do what was planned for a table that stands; the tables whose size changed."""
    match plan:
        case balancing.Moves(planned):
            return move(tournament, now, planned, outbox, reason=Move.Reason.BALANCE)
        case balancing.CloseTable(planned, merging):
            _merge(tournament, now, merging, outbox)
            return close(tournament, now, planned, outbox)
        case balancing.GatherFinalTable():
            return gather(tournament, outbox)
        case balancing.Play() | balancing.Wait():
            return set()


def move(
    tournament: Tournament,
    now: Boundary,
    planned: Sequence[balancing.Move],
    outbox: Outbox,
    *,
    reason: Move.Reason,
) -> set[int]:
    """Players leave the asking table, their chips in the row of their move (T-08)."""
    entries = _go(tournament, now, planned, reason, outbox)
    Entry.objects.filter(pk__in=entries).update(moved=F("moved") + 1)
    return {now.table.pk, *(one.table for one in planned)}


def close(
    tournament: Tournament, now: Boundary, planned: Sequence[balancing.Move], outbox: Outbox
) -> set[int]:
    """The asking table ends; everybody there or on the way there goes where the lot says (T-08)."""
    _redirect(now, planned, outbox, tournament)
    _go(tournament, now, planned, Move.Reason.CLOSING, outbox)
    assert not now.seats and not now.arriving, "a closed table is empty"
    draws.close([now.table])
    outbox.tell(stream_of(tournament.pk), TableClosed(now.table.pk, now.table.number))
    return {now.table.pk, *(one.table for one in planned)}


def _merge(
    tournament: Tournament, now: Boundary, merging: Sequence[balancing.Merging], outbox: Outbox
) -> None:
    """Who finds no table without another entry of his gives it his chips (E-03)."""
    here = {seat.entry: seat for seat in now.seats}
    for one in merging:
        merges.absorb(tournament, here[one.entry], one.into, outbox)
    gone = {one.entry for one in merging}
    now.seats = [seat for seat in now.seats if seat.entry not in gone]


def gather(tournament: Tournament, outbox: Outbox) -> set[int]:
    """Everybody left draws a seat at one fresh table, which also draws its button (T-08).

    Nothing changes when a table was granted a hand meanwhile.
    """
    tables = locks.open_tables(tournament.pk)
    if any(table.granted_hand > table.hand for table in tables):
        return set()
    moves = list(tournament.moves.filter(state__in=Move.PENDING))
    seats = {seat.entry: seat for seat in Seat.objects.filter(table__in=tables)}
    stacks = _stacks(seats, moves)
    assert len(stacks) == tournament.left <= tournament.seats_per_table, "all fit one table"
    tournament.moves.filter(pk__in=[one.pk for one in moves]).update(state=Move.State.VOID)
    Seat.objects.filter(table__in=tables).delete()
    draws.close(tables)
    drawn = draws.seat(tournament, stacks, outbox)
    final = drawn[0].table
    _tell_gathered(tournament, tables, final, outbox)
    by_id = {table.pk: table for table in tables}
    record(tournament, seats, moves, drawn, by_id, Move.Reason.FINAL, outbox)
    tournament.final_table = True
    deal_field.tell_possible(tournament, [seat.user_id for seat in drawn], outbox)
    return {final.pk, *(table.pk for table in tables)}


def _go(
    tournament: Tournament,
    now: Boundary,
    planned: Sequence[balancing.Move],
    reason: Move.Reason,
    outbox: Outbox,
) -> list[int]:
    """Turn seats of the asking table into moves that have left."""
    here = {seat.entry: seat for seat in now.seats}
    leaving = [one for one in planned if one.entry in here]
    targets = Table.objects.in_bulk([one.table for one in leaving])
    made = Move.objects.bulk_create(
        Move(
            tournament=tournament,
            entry_id=one.entry,
            reason=reason,
            state=Move.State.LEFT,
            from_table=now.table,
            from_seat=here[one.entry].seat,
            to_table=targets[one.table],
            to_seat=one.seat,
            chips=here[one.entry].chips,
            bank_ms=here[one.entry].bank_ms,
            absent=here[one.entry].absent,
            showdown=here[one.entry].showdown,
            hand=now.table.hand,
            version=tournament.balance_version + 1,
        )
        for one in leaving
    )
    gone, _ = Seat.objects.filter(pk__in=[here[one.entry].pk for one in leaving]).delete()
    assert gone == len(leaving), "who leaves had a seat"
    for one in leaving:
        _tell_moved(tournament, here[one.entry], now.table, targets[one.table], one.seat, outbox)
    entries = [one.entry for one in leaving]
    now.seats = [seat for seat in now.seats if seat.entry not in entries]
    now.gone += made
    return entries


def _redirect(
    now: Boundary, planned: Sequence[balancing.Move], outbox: Outbox, tournament: Tournament
) -> None:
    """Whoever was on the way to a table that closes goes on to another at once."""
    arriving = {one.entry_id: one for one in now.arriving}
    turned = [one for one in planned if one.entry in arriving]
    targets = Table.objects.in_bulk([one.table for one in turned])
    entries = Entry.objects.in_bulk([one.entry for one in turned])
    for one in turned:
        on_the_way = arriving[one.entry]
        on_the_way.to_table, on_the_way.to_seat = targets[one.table], one.seat
        on_the_way.save(update_fields=["to_table", "to_seat"])
        entry = entries[one.entry]
        target = targets[one.table]
        outbox.tell(
            stream_of(tournament.pk),
            Moved(entry.pk, entry.user_id, entry.name, now.table.pk, target.pk, one.seat),
        )
        outbox.tell(
            notices_of(entry.user_id),
            SeatChanged(
                tournament.pk, tournament.name, now.table.pk, target.pk, target.number, one.seat
            ),
        )
    now.arriving = [one for one in now.arriving if one.entry_id not in {t.entry for t in turned}]


def _tell_moved(
    tournament: Tournament, seat: Seat, source: Table, target: Table, to_seat: int, outbox: Outbox
) -> None:
    outbox.tell(
        stream_of(tournament.pk),
        Moved(seat.entry, seat.user_id, seat.name, source.pk, target.pk, to_seat),
    )
    outbox.tell(
        notices_of(seat.user_id),
        SeatChanged(tournament.pk, tournament.name, source.pk, target.pk, target.number, to_seat),
    )


def _stacks(seats: dict[int, Seat], moves: Sequence[Move]) -> list[Stack]:
    entries = Entry.objects.in_bulk([*seats, *(one.entry_id for one in moves)])
    seated = [
        Stack(entries[entry], seat.chips, seat.bank_ms, seat.absent, seat.showdown)
        for entry, seat in seats.items()
    ]
    moving = [
        Stack(entries[one.entry_id], one.chips, one.bank_ms, one.absent, one.showdown)
        for one in moves
    ]
    return seated + moving


def _tell_gathered(
    tournament: Tournament, tables: Sequence[Table], final: Table, outbox: Outbox
) -> None:
    for table in tables:
        outbox.tell(stream_of(tournament.pk), TableClosed(table.pk, table.number))
    outbox.tell(stream_of(tournament.pk), FinalTable(final.pk, tournament.left))


def record(
    tournament: Tournament,
    seats: dict[int, Seat],
    moves: Sequence[Move],
    drawn: Sequence[Seat],
    tables: dict[int, Table],
    reason: Move.Reason,
    outbox: Outbox,
) -> None:
    """Keep the moves of a fresh draw as rows that are done, and tell everybody."""
    came_from = {entry: (tables[seat.table_id], seat.seat) for entry, seat in seats.items()}
    came_from |= {one.entry_id: (tables[one.to_table_id], one.to_seat) for one in moves}
    now = timezone.now()
    Move.objects.bulk_create(
        Move(
            tournament=tournament,
            entry_id=seat.entry,
            reason=reason,
            state=Move.State.SEATED,
            from_table=came_from[seat.entry][0],
            from_seat=came_from[seat.entry][1],
            to_table=seat.table,
            to_seat=seat.seat,
            chips=seat.chips,
            bank_ms=seat.bank_ms,
            absent=seat.absent,
            showdown=seat.showdown,
            hand=came_from[seat.entry][0].hand,
            version=tournament.balance_version + 1,
            seated_at=now,
        )
        for seat in drawn
    )
    for seat in drawn:
        source = came_from[seat.entry][0]
        _tell_moved(tournament, seat, source, seat.table, seat.seat, outbox)
