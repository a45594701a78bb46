"""Hand boundary: release a settled hand, and apply the director's answer about the next one."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from config import limits
from tables.dealer import carried
from tables.dealer.grants import Answer, Close, Departure, Grant, RosterSeat, Wait
from tables.dealer.sealed import CalledHand
from tables.dealer.state import TableSeat, TableState
from tables.wire.table_events import (
    ChipsBought,
    CutCalled,
    DealtIn,
    DealtOut,
    DeckOpened,
    LeaveReason,
    SatOut,
    SeatLeft,
    SeatTaken,
    TableClosed,
    TableEvent,
    TableLevelBegan,
    TableWaiting,
)

Progress = tuple[TableState, tuple[TableEvent, ...]]


def confirm(state: TableState) -> TableState:
    """Move a finished hand, now in PostgreSQL, to the boundary, due after its pause.

    Where players will cut, the next hand is asked for a little sooner and dealt when it was before.
    """
    assert state.phase == "finished"
    seats = tuple(replace(seat, newcomer=False) for seat in state.seats)
    lead_ms = limits.CUT_LEAD_MS if any(map(_cuts, seats)) else 0
    return replace(state, phase="boundary", seats=seats, due_ms=state.next_hand_ms - lead_ms)


def _cuts(seat: TableSeat) -> bool:
    return bool(seat.pledge) and not seat.absent


Call = Callable[[TableState], CalledHand | None]
"""Call the sealed hand to the seats of a table, or None when its deck does not fit the game."""


def answer(
    state: TableState,
    decision: Answer,
    *,
    now_ms: int,
    call: Call | None = None,
    opened: tuple[DeckOpened, ...] = (),
) -> Progress:
    """Apply the director's answer about the next hand; a granted hand is called at once.

    A table that closes tells the decks that were `opened`.
    """
    assert state.phase == "boundary"
    match decision:
        case Grant():
            return _grant(state, decision, now_ms, call)
        case Wait():
            return _wait(state, decision, now_ms)
        case Close():
            everybody = {seat.entry for seat in state.seats}
            state, left = _depart(state, everybody, decision.departures, staying="closed")
            closed = replace(state, phase="closed", opened=opened)
            return closed, (*left, *opened, TableClosed())


def _grant(state: TableState, grant: Grant, now_ms: int, call: Call | None) -> Progress:
    assert grant.hand == state.hand_number + 1, (grant.hand, state.hand_number)
    state, left = _depart(state, _gone(state, grant.roster), grant.departures)
    state, joined = _seat(state, grant.roster)
    events: tuple[TableEvent, ...] = (*left, *joined)
    if (grant.level, grant.rules.stakes) != (state.level, state.stakes):
        events = (*events, TableLevelBegan(level=grant.level, stakes=grant.rules.stakes))
    granted = replace(
        state,
        phase="granted",
        hand_number=grant.hand,
        rules=grant.rules,
        stakes=grant.rules.stakes,
        level=grant.level,
        round=grant.round,
        timing=grant.timing,
        draw_button=grant.draw_button,
        button_by_lot=grant.button_by_lot,
        newcomers_wait=grant.newcomers_wait,
        positions=grant.positions or state.positions,
        is_placed=grant.positions is not None,
        frees_folded=grant.frees_folded,
        due_ms=max(now_ms, grant.not_before_ms, state.next_hand_ms),
        called=None,
    )
    called = call(granted) if call is not None and state.is_next_sealed else None
    if called is None:
        return replace(granted, next_seal=None), events
    until_ms = granted.due_ms
    if called.awaited_seats():
        until_ms = max(until_ms, now_ms + limits.CUT_WAIT_MS)
    called = replace(called, deal_ms=granted.due_ms, until_ms=until_ms)
    granted = replace(granted, called=called, due_ms=until_ms, next_seal=None)
    return granted, (*events, cut_called(called))


def cut_called(called: CalledHand) -> CutCalled:
    """Return the event that calls the seats of a granted hand to cut its deck."""
    return CutCalled(
        hand=called.sealed.hand,
        seal=called.sealed.seal.hex(),
        call=called.call.hex(),
        signature=called.signature.hex(),
        seats=tuple(cut.seat for cut in called.cuts),
        deal_ms=called.deal_ms,
        until_ms=called.until_ms,
    )


def _wait(state: TableState, wait: Wait, now_ms: int) -> Progress:
    gone = {departure.entry for departure in wait.departures}
    if wait.roster is not None:
        gone = _gone(state, wait.roster)
    state, left = _depart(state, gone, wait.departures)
    joined: tuple[TableEvent, ...] = ()
    if wait.roster is not None:
        state, joined = _seat(state, wait.roster)
    due_ms = now_ms + max(1, min(wait.again_ms, limits.STANDING_WAIT_MS))
    told: tuple[TableEvent, ...] = ()
    if state.waiting != wait.reason:
        told = (TableWaiting(reason=wait.reason, until_ms=wait.until_ms),)
    return replace(state, waiting=wait.reason, due_ms=due_ms), (*left, *joined, *told)


def _gone(state: TableState, roster: tuple[RosterSeat, ...]) -> set[int]:
    """Return the entries that have no seat, or another one, in the roster.

    A PostgreSQL that was set back gives the number of a lost entry again, to another player.
    """
    staying = {seat.entry: (seat.seat, seat.user) for seat in roster}
    here = {seat.entry: (seat.seat, seat.user) for seat in state.seats}
    return {entry for entry, place in here.items() if staying.get(entry) != place}


def _depart(
    state: TableState,
    gone: set[int],
    departures: tuple[Departure, ...],
    *,
    staying: LeaveReason = "moved",
) -> Progress:
    """Empty the seats of `gone`; `staying` is the default reason for entries with chips."""
    why = {departure.entry: departure for departure in departures}
    events = []
    for seat in state.seats:
        if seat.entry in gone:
            departure = why.get(seat.entry)
            reason: LeaveReason = "knocked_out" if seat.chips == 0 else staying
            events.append(
                SeatLeft(
                    seat=seat.seat,
                    entry=seat.entry,
                    reason=departure.reason if departure else reason,
                    to_table=departure.to_table if departure else None,
                )
            )
    seats = tuple(seat for seat in state.seats if seat.entry not in gone)
    return replace(state, seats=seats), tuple(events)


def _seat(state: TableState, roster: tuple[RosterSeat, ...]) -> Progress:
    """Seat the new entries of the roster, add bought chips, and note which seats are dealt in."""
    here = {seat.entry: seat for seat in state.seats}
    seats: list[TableSeat] = []
    events: list[TableEvent] = []
    for row in sorted(roster, key=lambda row: row.seat):
        seat = here.get(row.entry)
        if seat is None:
            seat = TableSeat(
                seat=row.seat,
                entry=row.entry,
                user=row.user,
                name=row.name,
                newcomer=row.newcomer,
                session=row.session,
                **carried.copied(row),
            )
            events.append(_taken(seat))
        elif row.chips != seat.chips:
            assert row.chips - seat.chips == row.bought, "chips of a seat differ from PostgreSQL"
            seat = replace(seat, chips=row.chips)
            events.append(ChipsBought(seat.seat, row.bought, row.chips))
        if row.sits_out and not seat.absent:
            seat = replace(seat, absent=True)
            events.append(SatOut(seat.seat))
        if row.dealt != seat.dealt:
            events.append(DealtIn(seat.seat) if row.dealt else DealtOut(seat.seat))
        granted = replace(seat, dealt=row.dealt, posts=row.posts, action_ms=row.action_ms)
        seats.append(replace(granted, session=row.session))
    assert len({seat.seat for seat in seats}) == len(seats), "two entries on one seat"
    return replace(state, seats=tuple(seats)), tuple(events)


def _taken(seat: TableSeat) -> SeatTaken:
    return SeatTaken(
        seat=seat.seat,
        entry=seat.entry,
        user=seat.user,
        name=seat.name,
        chips=seat.chips,
        bank_ms=seat.bank_ms,
        absent=seat.absent,
        session=seat.session or None,
    )
