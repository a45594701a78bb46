"""Action clock: time bank first, then the forced action of a seat that does not act.

Between them a player without a connection gets the disconnection time, where the game has one.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from tables.dealer.state import MadeBy, TableSeat, TableState
from tables.dealer.turns import go_on, play, turn_event
from tables.engine.betting import forced_action
from tables.wire.table_events import (
    DisconnectTimeStarted,
    SatOut,
    TableEvent,
    TimeBankCharged,
    TimeBankStarted,
    TimedOut,
)

Progress = tuple[TableState, tuple[TableEvent, ...]]

IsConnected = Callable[[int], bool]
"""Return whether a user has a live connection that plays at this table; asked only when needed."""


def strike(state: TableState, *, now_ms: int, is_connected: IsConnected) -> Progress:
    """Apply a passed deadline: start the time bank, else act for the seat (X-02, X-04).

    A seat without a connection gets the disconnection time first, once per turn (X-03).
    """
    assert state.phase == "hand" and state.turn is not None and state.timing is not None
    turn, seat = state.turn, state.at(state.turn.seat)
    if not turn.on_bank and seat.bank_ms > 0:
        return start_bank(state)
    if state.timing.disconnect_ms and not turn.disconnected and not is_connected(seat.user):
        return _start_disconnect_time(state, state.timing.disconnect_ms)
    return _time_out(state, now_ms)


def start_bank(state: TableState) -> Progress:
    """Extend the deadline of the turn by the whole time bank; see `stop_bank` for the rest."""
    turn = state.turn
    assert turn is not None and not turn.on_bank
    bank_ms = state.at(turn.seat).bank_ms
    turn = replace(turn, on_bank=True, deadline_ms=turn.deadline_ms + bank_ms)
    started = TimeBankStarted(seat=turn.seat, turn=turn.turn, deadline_ms=turn.deadline_ms)
    return replace(state, turn=turn), (started,)


def stop_bank(state: TableState, *, at_ms: int) -> Progress:
    """Charge the time bank with the time the seat used of it until it acted at `at_ms`."""
    turn = state.turn
    assert turn is not None
    if not turn.on_bank:
        return state, ()
    seat = state.at(turn.seat)
    left_ms = max(0, min(seat.bank_ms, turn.deadline_ms - at_ms))
    return put(state, replace(seat, bank_ms=left_ms)), (TimeBankCharged(seat.seat, left_ms),)


def shift(state: TableState, shift_ms: int) -> Progress:
    """Give the seat to act the time of an outage back; `shift_ms` sums up all outages."""
    gap_ms = shift_ms - state.shift_ms
    state = replace(state, shift_ms=shift_ms)
    if gap_ms <= 0 or state.turn is None:
        return state, ()
    turn = replace(state.turn, deadline_ms=state.turn.deadline_ms + gap_ms)
    state = replace(state, turn=turn)
    return state, (turn_event(state),)


def put(state: TableState, seat: TableSeat) -> TableState:
    """Return the state with one occupied seat replaced."""
    seats = tuple(seat if old.seat == seat.seat else old for old in state.seats)
    return replace(state, seats=seats)


def _start_disconnect_time(state: TableState, disconnect_ms: int) -> Progress:
    """Extend the deadline of the turn; a time bank that ran is used up before it."""
    assert state.turn is not None
    state, charged = stop_bank(state, at_ms=state.turn.deadline_ms)
    assert state.turn is not None
    turn = replace(
        state.turn,
        on_bank=False,
        disconnected=True,
        deadline_ms=state.turn.deadline_ms + disconnect_ms,
    )
    started = DisconnectTimeStarted(seat=turn.seat, turn=turn.turn, deadline_ms=turn.deadline_ms)
    return replace(state, turn=turn), (*charged, started)


def _time_out(state: TableState, now_ms: int) -> Progress:
    assert state.turn is not None and state.hand is not None
    turn = state.turn
    forced = forced_action(state.hand)
    state, charged = stop_bank(state, at_ms=turn.deadline_ms)
    state = put(state, replace(state.at(turn.seat), absent=True))
    reason: MadeBy = "disconnected" if turn.disconnected else "time_out"
    state, acted = play(state, turn.seat, forced, at_ms=now_ms, made_by=reason)
    state, happened = go_on(state, acted, now_ms=now_ms)
    return state, (TimedOut(turn.seat, turn.turn), *charged, SatOut(turn.seat), *happened)
