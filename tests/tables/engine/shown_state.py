"""State of a hand as one viewer may know it: the oracle for the fold of the visible events."""

from __future__ import annotations

from msgspec.structs import replace

from tables.engine.events import HIDDEN
from tables.engine.state import HandState, SeatState


def view_state(state: HandState, audience: int | None) -> HandState:
    """Return the hand as `audience` sees it; equals the fold of the events it was shown."""
    seats = tuple(seat if seat.seat == audience else _hidden(seat) for seat in state.seats)
    return replace(state, deck="", seats=seats, open_losers=(), closed_losers=())


def _hidden(seat: SeatState) -> SeatState:
    return replace(seat, cards=seat.shown or (HIDDEN,) * len(seat.cards))
