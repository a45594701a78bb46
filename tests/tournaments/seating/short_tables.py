"""Tables with fewer players: seats emptied, stacks lost in a finished hand."""

from __future__ import annotations

from msgspec.structs import replace

from tables.dealer.state import TableState
from tables.models import Seat, Table
from tournaments.models import Entry, Tournament


def empty_seat(entry: int, heir: int) -> None:
    """Give the chips of an entry to another one and take it out, as after an earlier hand."""
    seat = Seat.objects.get(entry=entry)
    other = Seat.objects.get(entry=heir)
    other.chips += seat.chips
    other.save()
    seat.delete()
    Entry.objects.filter(pk=entry).update(state="out")
    Tournament.objects.update(left=Entry.objects.filter(state="seated").count())


def thin_out(table: Table, players: int) -> None:
    """Take all but this many players of a table out, with a new balance version."""
    seats = list(table.seats.order_by("seat"))
    for seat in seats[players:]:
        empty_seat(seat.entry, seats[0].entry)
    tournament = Tournament.objects.get()
    tournament.balance_version += 1
    tournament.save()


def knocked_out(state: TableState, stacks: set[int]) -> TableState:
    """The finished hand with the chips of those stacks moved to the biggest one."""
    assert state.phase == "finished" and state.setup is not None
    started_with = {player.seat: player.stack for player in state.setup.players}
    biggest = max(started_with, key=lambda seat: started_with[seat])
    gone = {seat for seat, chips in started_with.items() if chips in stacks}
    lost = sum(seat.chips for seat in state.seats if seat.seat in gone)
    seats = tuple(
        replace(seat, chips=0)
        if seat.seat in gone
        else replace(seat, chips=seat.chips + (lost if seat.seat == biggest else 0))
        for seat in state.seats
    )
    return replace(state, seats=seats)
