"""What the seat to act may do under each betting structure (B-01..B-05, H-05)."""

from __future__ import annotations

from tables.engine.actions import Option
from tables.engine.state import HandState, Rules, SeatState


def legal_actions(state: HandState, seat: int) -> Option:
    """What `seat`, which must be the one asked, may do; a fold is always allowed."""
    assert state.actor == seat, "only the seat that is asked has a choice"
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
    )


def to_call(state: HandState, place: int) -> int:
    """Chips the seat must add to stay in: the full level, or all it has (H-06).

    A seat that nobody can answer any more owes no more than somebody put in.
    """
    seat = state.seats[place]
    level = state.level
    if state.able == 1 << place:
        level = min(level, max(seat.bet, highest_other(state.seats, place)))
    return min(level - seat.bet, seat.stack)


def bet_range(state: HandState, place: int) -> tuple[int, int] | None:
    """Least and most chips of an opening bet, None when the seat may not bet."""
    if state.level or state.able == 1 << place:
        return None
    return _range(state, state.seats[place])


def raise_range(state: HandState, place: int) -> tuple[int, int] | None:
    """Least and most chips to raise TO, None when the seat may not raise (H-05)."""
    seat = state.seats[place]
    if not state.level or state.able == 1 << place or seat.bet + seat.stack <= state.level:
        return None
    if state.acted >> place & 1 and not is_full(state, state.level - seat.bet):
        return None
    return _range(state, seat)


def is_full(state: HandState, size: int) -> bool:
    """Whether raising by `size` chips is a full raise, which reopens the betting (H-05)."""
    if state.rules.limit == "fixed_limit":
        return 2 * size >= state.step
    return size >= state.step


def opening_step(rules: Rules) -> int:
    """The least bet of a street in chips."""
    return rules.stakes.big_blind


def highest_other(seats: tuple[SeatState, ...], place: int) -> int:
    """The largest bet on this street of all seats but one, folded ones included."""
    return max(seat.bet for other, seat in enumerate(seats) if other != place)


def _range(state: HandState, seat: SeatState) -> tuple[int, int] | None:
    most = seat.bet + seat.stack
    least = state.level + state.step
    if state.rules.limit == "pot_limit":
        most = min(most, state.level + _pot_after_call(state, seat))
    return min(least, most), most


def _pot_after_call(state: HandState, seat: SeatState) -> int:
    """All chips in the middle once the seat has called; blinds count in full (B-02)."""
    middle = state.dead + sum(other.committed for other in state.seats) + state.level - seat.bet
    return middle + (state.blinds_short if state.round == 0 else 0)
