"""Apply the actions of seats to a hand, and decide which seat is asked next."""

from __future__ import annotations

from msgspec.structs import replace

from tables.engine.betting import highest_other, is_full
from tables.engine.events import BetMade, Called, Checked, Folded, Posted, Raised
from tables.engine.opening import first_by_cards
from tables.engine.state import HandState, SeatState, with_seat
from tables.engine.variants import VARIANTS


def open_round(state: HandState) -> HandState:
    """Ask every seat with chips, beginning at the place `first` or the next after it (H-03)."""
    if VARIANTS[state.rules.variant].brings_in:
        state = replace(state, first=first_by_cards(state))
    pending = _must_act(state.able, state.seats, state.able)
    if not pending:
        return replace(state, pending=0, first=state.first % len(state.order))
    place = _nearest(pending, state.first)
    return replace(
        state, pending=pending, first=place, actor=state.order[place], turn=state.turn + 1
    )


def folded(state: HandState, event: Folded) -> HandState:
    """Give up the hand of a seat (H-04)."""
    place = state.order.index(event.seat)
    others = ~(1 << place)
    live, able = state.live & others, state.able & others
    seats = with_seat(state.seats, place, replace(state.seats[place], folded=True))
    left = state.pending & others if live & (live - 1) else 0
    pending, actor, turn = _asked_next(state, place, seats, left, able)
    return replace(
        state,
        seats=seats,
        live=live,
        able=able,
        pending=pending,
        acted=state.acted | 1 << place,
        actor=actor,
        turn=turn,
    )


def checked(state: HandState, event: Checked) -> HandState:
    """Pass the action on (H-04)."""
    place = state.order.index(event.seat)
    left = state.pending & ~(1 << place)
    pending, actor, turn = _asked_next(state, place, state.seats, left, state.able)
    acted = state.acted | 1 << place
    return replace(state, pending=pending, acted=acted, actor=actor, turn=turn)


def called(state: HandState, event: Called | Posted) -> HandState:
    """Match the bet, or bring in, from the stack of a seat (H-04)."""
    place, amount = state.order.index(event.seat), event.amount
    seat = state.seats[place]
    stack = seat.stack - amount
    others = ~(1 << place)
    able = state.able if stack else state.able & others
    seat = replace(seat, stack=stack, bet=seat.bet + amount, committed=seat.committed + amount)
    seats = with_seat(state.seats, place, seat)
    pending, actor, turn = _asked_next(state, place, seats, state.pending & others, able)
    return replace(
        state,
        seats=seats,
        able=able,
        pending=pending,
        acted=state.acted | 1 << place,
        actor=actor,
        turn=turn,
    )


def bet(state: HandState, event: BetMade) -> HandState:
    """Open the betting of a street (B-01)."""
    return _raised_to(state, event.seat, to=event.amount, amount=event.amount)


def raised(state: HandState, event: Raised) -> HandState:
    """Raise the bet of a street (B-01)."""
    return _raised_to(state, event.seat, to=event.to, amount=event.amount)


def _raised_to(state: HandState, number: int, *, to: int, amount: int) -> HandState:
    place = state.order.index(number)
    others = ~(1 << place)
    seat = state.seats[place]
    stack = seat.stack - amount
    seat = replace(seat, stack=stack, bet=to, committed=seat.committed + amount)
    full = is_full(state, to - state.base)
    if state.rules.limit == "fixed_limit":
        base = to if full else state.base
        step = max(state.step, state.rules.stakes.big_bet if _is_big(state, to) else 0)
    else:
        base, step = to, max(state.step, to - state.reached)
    able = state.able if stack else state.able & others
    seats = with_seat(state.seats, place, seat)
    pending, actor, turn = _asked_next(state, place, seats, state.able & others, able)
    return replace(
        state,
        seats=seats,
        level=to,
        base=base,
        step=step,
        raises=state.raises + full,
        aggressor=place,
        able=able,
        pending=pending,
        acted=(0 if full else state.acted) | 1 << place,
        actor=actor,
        turn=turn,
    )


def _is_big(state: HandState, to: int) -> bool:
    """Return whether the big bet was chosen where the small one was enough (stud, open pair)."""
    return to - state.base == state.rules.stakes.big_bet


def _asked_next(
    state: HandState, place: int, seats: tuple[SeatState, ...], pending: int, able: int
) -> tuple[int, int | None, int]:
    """Return the seats still to act, the seat asked next and its decision number.

    `seats`, `pending` and `able` are those after the action, `state` is the hand before it.
    """
    if not able & (able - 1):
        pending = _must_act(pending, seats, able)
    if not pending:
        return 0, None, state.turn
    return pending, state.order[_nearest(pending, place + 1)], state.turn + 1


def _must_act(pending: int, seats: tuple[SeatState, ...], able: int) -> int:
    """Seats still to act: none when the last seat with chips has the largest bet already."""
    if pending and not able & (able - 1):
        alone = able.bit_length() - 1
        if seats[alone].bet >= highest_other(seats, alone):
            return 0
    return pending


def _nearest(places: int, start: int) -> int:
    """First of a set of places from `start` on, clockwise."""
    beyond = places >> start << start or places
    return (beyond & -beyond).bit_length() - 1
