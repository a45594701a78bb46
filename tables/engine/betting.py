"""Legal actions of the seat to act under each betting structure (B-01..B-05, H-05)."""

from __future__ import annotations

from tables.engine.actions import Call, Check, Fold, Option
from tables.engine.opening import has_open_pair
from tables.engine.state import HandState, Rules, SeatState
from tables.engine.variants import VARIANTS

RAISES_MAX = 4
"""Bets and raises per round of fixed limit: one bet and three raises (B-03)."""


def legal_actions(state: HandState, seat: int) -> Option:
    """Return the legal actions of the seat that is asked; the bring-in is its call (D-02)."""
    assert state.actor == seat, "the seat is not asked"
    place = state.order.index(seat)
    owed = to_call(state, place)
    bets, raises = bet_range(state, place), raise_range(state, place)
    return Option(
        check=owed == 0,
        call=owed or None,
        bet_min=bets and bets[0],
        bet_max=bets and bets[1],
        raise_min=raises and raises[0],
        raise_max=raises and raises[1],
        fold=not state.must_open,
    )


def forced_action(state: HandState) -> Check | Fold | Call:
    """Return the action of a seat whose time is over: check when free, else fold (X-02).

    The seat that must bring in can do neither: it pays the bring-in (D-02).
    """
    assert state.actor is not None, "no seat is asked"
    if state.must_open:
        return Call()
    return Fold() if to_call(state, state.order.index(state.actor)) else Check()


def absent_action(state: HandState) -> Fold | Call:
    """Return the action of an absent seat: fold even if a check is free (X-01), bring-in (D-02)."""
    return Call() if state.must_open else Fold()


def to_call(state: HandState, place: int) -> int:
    """Chips the seat must add to stay in: up to the full level, or its whole stack (H-06).

    A seat that no other seat can answer any more owes no more than the largest bet of another.
    """
    seat = state.seats[place]
    level = state.level
    if state.able == 1 << place:
        level = min(level, max(seat.bet, highest_other(state.seats, place)))
    return min(level - seat.bet, seat.stack)


def bet_range(state: HandState, place: int) -> tuple[int, int] | None:
    """Least and most chips of an opening bet; None when the seat may not bet."""
    if state.level or state.able == 1 << place:
        return None
    return _range(state, state.seats[place])


def raise_range(state: HandState, place: int) -> tuple[int, int] | None:
    """Least and most chips to raise TO; None when the seat may not raise (H-05)."""
    seat = state.seats[place]
    if not state.level or state.able == 1 << place or seat.bet + seat.stack <= state.level:
        return None
    if state.acted >> place & 1 and not is_full(state, state.level - seat.bet):
        return None
    if state.rules.limit == "fixed_limit" and _capped(state):
        return None
    return _range(state, seat)


def is_full(state: HandState, size: int) -> bool:
    """Return whether `size` chips are a full bet or raise; in fixed limit half is enough (H-05)."""
    if state.rules.limit == "fixed_limit":
        return 2 * size >= state.step
    return size >= state.step


def opening_step(rules: Rules, street: int) -> int:
    """Least bet of a street in chips (B-01..B-04)."""
    if rules.limit == "fixed_limit" and VARIANTS[rules.variant].streets[street].big:
        return rules.stakes.upper_bet
    return rules.stakes.lower_bet


def highest_other(seats: tuple[SeatState, ...], place: int) -> int:
    """Largest bet on this street of all seats but one, folded ones included."""
    return max([seat.bet for other, seat in enumerate(seats) if other != place])


def _capped(state: HandState) -> bool:
    """Return whether this round's raises are used up; a setting lifts the cap for two (B-03)."""
    if state.raises < RAISES_MAX:
        return False
    if state.rules.options.cap_lift == "event":
        return not state.rules.options.event_heads_up
    last = state.round + 1 == len(VARIANTS[state.rules.variant].streets)
    return not (last and state.live.bit_count() == 2)


def _range(state: HandState, seat: SeatState) -> tuple[int, int]:
    stack = seat.bet + seat.stack
    least = state.base + state.step
    match state.rules.limit:
        case "no_limit":
            most = stack
        case "pot_limit":
            most = max(least, state.reached + _pot_after_call(state, seat))
        case "fixed_limit":
            most = max(least, state.base + _open_pair_bet(state))
        case _:
            most = max(least, state.reached + state.rules.stakes.upper_bet)
    return min(least, stack), min(most, stack)


def _open_pair_bet(state: HandState) -> int:
    """Big bet on stud's fourth street when a pair is showing, by setting; else 0."""
    if not state.rules.options.open_pair or state.street != "fourth":
        return 0
    pair = any(has_open_pair(seat.shown) for seat in state.seats if not seat.folded)
    return opening_step(state.rules, state.round + 1) if pair else 0


def _pot_after_call(state: HandState, seat: SeatState) -> int:
    """All chips in the middle once the seat has called; blinds count in full (B-02)."""
    middle = state.dead - state.raked + sum([other.committed for other in state.seats])
    short = state.blinds_short if state.round == 0 else 0
    return middle + state.reached - seat.bet + short
