"""Chips of every entry in play, at seats and in moves between them."""

from __future__ import annotations

from tables.models import Seat
from tournaments.locks import DIRECTOR
from tournaments.models import Move, Offer, Tournament


def by_entry(tournament: Tournament) -> dict[int, int]:
    """Chips of every entry left, at seats and in moves, by entry; at one table from the button on.

    The order decides which of equal stacks gets the odd cent of a share (T-07).
    """
    rows = Seat.objects.filter(table__director=DIRECTOR, table__game=tournament.pk)
    seats = list(rows.select_related("table").order_by("table"))
    seats.sort(key=lambda seat: (seat.table_id, _from_button(seat)))
    moving = tournament.moves.filter(state=Move.State.LEFT).order_by("entry")
    at_seats = {seat.entry: seat.chips for seat in seats}
    held = at_seats | dict(moving.values_list("entry", "chips"))
    merging = tournament.offers.filter(kind=Offer.Kind.MERGE, state=Offer.State.ACCEPTED)
    for entry, chips in merging.values_list("entry", "chips"):
        held[entry] += chips
    return held


def _from_button(seat: Seat) -> int:
    """Seats left of the button; by seat number before the first button."""
    return (seat.seat - (seat.table.button or 0) - 1) % seat.table.seats_max
