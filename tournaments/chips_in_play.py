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
    columns = ("table", "table__button", "table__seats_max", "seat", "entry", "chips")
    seats = sorted(
        (table, _from_button(seat, button, seats_max), entry, chips)
        for table, button, seats_max, seat, entry, chips in rows.values_list(*columns)
    )
    moving = tournament.moves.filter(state=Move.State.LEFT).order_by("entry")
    at_seats = {entry: chips for _, _, entry, chips in seats}
    held = at_seats | dict(moving.values_list("entry", "chips"))
    merging = tournament.offers.filter(kind=Offer.Kind.MERGE, state=Offer.State.ACCEPTED)
    for entry, chips in merging.values_list("entry", "chips"):
        held[entry] += chips
    return held


def _from_button(seat: int, button: int | None, seats_max: int) -> int:
    """Seats left of the button; by seat number before the first button."""
    return (seat - (button or 0) - 1) % seats_max
