"""Silence of an all-in: players who are still in the hand say nothing until its result is told."""

from __future__ import annotations

from tables.dealer.state import BEING_PLAYED, TableState


def is_quiet(state: TableState, user: int) -> bool:
    """Return whether a hand is in play, somebody in it is all-in, and `user` has not folded.

    It reads what every spectator was told: a run-out is in play until its result is released.
    """
    if state.phase not in BEING_PLAYED or state.hand is None:
        return False
    live = [seat for seat in state.hand.seats if not seat.folded]
    own = state.seat_of(user)
    return (
        own is not None
        and any(seat.seat == own.seat for seat in live)
        and any(seat.stack == 0 for seat in live)
    )
