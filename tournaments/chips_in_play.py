"""Chips of every entry in play, at seats and in moves between them."""

from __future__ import annotations

from tables.models import Seat
from tournaments.locks import DIRECTOR
from tournaments.models import Move, Offer, Tournament


def by_entry(tournament: Tournament) -> dict[int, int]:
    """Chips of every entry left, at seats and in moves, by entry; at each table from the button on.

    The order decides which of equal stacks gets the odd cent of a share (T-07).
    """
    seats = Seat.objects.filter(table__director=DIRECTOR, table__game=tournament.pk)
    at = ("table", "table__button", "table__seats_max", "seat", "entry", "chips")
    to = ("to_table", "to_table__button", "to_table__seats_max", "to_seat", "entry", "chips")
    moving = tournament.moves.filter(state=Move.State.LEFT).values_list(*to)
    # In one statement: an arrival becomes a seat under the lock of its table alone.
    rows = seats.values_list(*at).union(moving, all=True)
    stacks = sorted(
        (table, _from_button(seat, button, seats_max), entry, chips)
        for table, button, seats_max, seat, entry, chips in rows
    )
    held = {entry: chips for _, _, entry, chips in stacks}
    merging = tournament.offers.filter(kind=Offer.Kind.MERGE, state=Offer.State.ACCEPTED)
    for entry, chips in merging.values_list("entry", "chips"):
        held[entry] += chips
    return held


def _from_button(seat: int, button: int | None, seats_max: int) -> int:
    """Seats left of the button; by seat number before the first button."""
    return (seat - (button or 0) - 1) % seats_max
