"""Apply one event to a hand: the only place where the state of a hand changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from tables.engine.betting import highest_other, is_full, opening_step
from tables.engine.deck import burnt_by
from tables.engine.events import (
    HIDDEN,
    BetMade,
    BetsCollected,
    Called,
    Card,
    CardsShown,
    Checked,
    Folded,
    HandBegan,
    HandEnded,
    HandEvent,
    HandsRevealed,
    HoleCardsDealt,
    Mucked,
    Posted,
    PotAwarded,
    Raised,
    RakeTaken,
    Stack,
    StreetDealt,
    UncalledReturned,
)
from tables.engine.opening import first_by_cards
from tables.engine.state import HandState, Rules, SeatState
from tables.engine.variants import VARIANTS


def evolve(state: HandState | None, event: HandEvent) -> HandState:
    """Return the hand after `event`; every hand begins with HandBegan and no state."""
    assert state is not None or isinstance(event, HandBegan), "the first event is not HandBegan"
    return APPLY[type(event)](state, event)


def evolve_all(state: HandState | None, events: Iterable[HandEvent]) -> HandState:
    """Return the hand after all of these events, at least one where there is no state."""
    for event in events:
        state = evolve(state, event)
    assert state is not None, "no event"
    return state


def _hand_began(state: HandState | None, event: HandBegan) -> HandState:
    assert state is None, "HandBegan inside a hand"
    order = tuple([stack.seat for stack in event.stacks])
    everybody = (1 << len(order)) - 1
    rules = Rules(event.variant, event.limit, event.stakes, event.options)
    brings_in = VARIANTS[event.variant].brings_in
    first = 0
    if event.big_blind is not None and not event.options.s0_order:
        first = order.index(event.big_blind) + 1
    level = event.stakes.bring_in if brings_in else event.stakes.big_blind
    return HandState(
        hand=event.hand,
        rules=rules,
        button=event.button,
        small_blind=event.small_blind,
        big_blind=event.big_blind,
        order=order,
        seats=tuple([SeatState(stack.seat, stack.chips, stack.chips) for stack in event.stacks]),
        deck="".join(event.deck),
        level=level,
        base=0 if brings_in else level,
        step=opening_step(rules, 0),
        raises=0 if brings_in else 1,
        first=first,
        live=everybody,
        able=everybody,
        blinds_short=0 if brings_in else event.stakes.small_blind + event.stakes.big_blind,
        open_losers=event.open_losers,
        closed_losers=event.closed_losers,
    )


def _posted(state: HandState, event: Posted) -> HandState:
    if event.kind == "bring_in":
        return _called(state, event)
    place = state.order.index(event.seat)
    seat = state.seats[place]
    stack, amount = seat.stack - event.amount, event.amount
    able = state.able if stack else state.able & ~(1 << place)
    if event.kind == "ante" and state.rules.stakes.ante_kind == "per_seat":
        seat = replace(seat, stack=stack, committed=seat.committed + amount)
        return replace(state, seats=_with(state.seats, place, seat), able=able)
    if event.kind in ("ante", "dead", "penalty"):
        seat = replace(seat, stack=stack)
        seats = _with(state.seats, place, seat)
        return replace(state, seats=seats, able=able, dead=state.dead + amount)
    seat = replace(seat, stack=stack, bet=seat.bet + amount, committed=seat.committed + amount)
    seats = _with(state.seats, place, seat)
    if event.kind == "straddle":
        level = 2 * state.rules.stakes.big_blind
        return replace(state, seats=seats, able=able, level=level, base=level, first=place + 1)
    is_blind = event.seat in (state.small_blind, state.big_blind)
    short = state.blinds_short - amount if is_blind else state.blinds_short
    return replace(state, seats=seats, able=able, blinds_short=short)


def _hole_cards_dealt(state: HandState, event: HoleCardsDealt) -> HandState:
    return dealt_round(state, (event,))


def dealt_round(state: HandState, events: Sequence[HoleCardsDealt]) -> HandState:
    """Return the hand after cards for several seats in dealing order, equal to one event each."""
    seats = list(state.seats)
    place, dealt = -1, state.dealt
    for event in events:
        place = state.order.index(event.seat)
        seat = seats[place]
        shown = seat.shown
        if event.up or shown:
            hidden = len(event.cards) - event.up
            shown = shown + (HIDDEN,) * hidden + event.cards[hidden:]
        seats[place] = replace(seat, cards=seat.cards + event.cards, shown=shown)
        dealt += len(event.cards)
    state = replace(state, seats=tuple(seats), dealt=dealt)
    return state if state.live >> (place + 1) else _open_round(state)


def _street_dealt(state: HandState, event: StreetDealt) -> HandState:
    state = replace(
        state,
        round=state.round + 1,
        board=state.board + event.cards,
        dealt=state.dealt + burnt_by(state, event) + len(event.cards),
        level=0,
        base=0,
        step=opening_step(state.rules, state.round + 1),
        raises=0,
        first=0,
        aggressor=None,
        acted=0,
    )
    return _open_round(state) if event.cards else state


def _open_round(state: HandState) -> HandState:
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


def _folded(state: HandState, event: Folded) -> HandState:
    place = state.order.index(event.seat)
    others = ~(1 << place)
    live, able = state.live & others, state.able & others
    seats = _with(state.seats, place, replace(state.seats[place], folded=True))
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


def _checked(state: HandState, event: Checked) -> HandState:
    place = state.order.index(event.seat)
    left = state.pending & ~(1 << place)
    pending, actor, turn = _asked_next(state, place, state.seats, left, state.able)
    acted = state.acted | 1 << place
    return replace(state, pending=pending, acted=acted, actor=actor, turn=turn)


def _called(state: HandState, event: Called | Posted) -> HandState:
    place, amount = state.order.index(event.seat), event.amount
    seat = state.seats[place]
    stack = seat.stack - amount
    others = ~(1 << place)
    able = state.able if stack else state.able & others
    seat = replace(seat, stack=stack, bet=seat.bet + amount, committed=seat.committed + amount)
    seats = _with(state.seats, place, seat)
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


def _bet(state: HandState, event: BetMade) -> HandState:
    return _raised_to(state, event.seat, to=event.amount, amount=event.amount)


def _raised(state: HandState, event: Raised) -> HandState:
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
    seats = _with(state.seats, place, seat)
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


def _uncalled_returned(state: HandState, event: UncalledReturned) -> HandState:
    place = state.order.index(event.seat)
    seat = state.seats[place]
    seat = replace(
        seat,
        stack=seat.stack + event.amount,
        bet=max(0, seat.bet - event.amount),
        committed=seat.committed - event.amount,
    )
    return replace(
        state,
        seats=_with(state.seats, place, seat),
        able=state.able | 1 << place,
        uncalled=Stack(event.seat, event.amount),
    )


def _bets_collected(state: HandState, event: BetsCollected) -> HandState:
    seats = tuple([replace(seat, bet=0) if seat.bet else seat for seat in state.seats])
    return replace(state, seats=seats, pots=event.pots)


def _rake_taken(state: HandState, event: RakeTaken) -> HandState:
    return replace(state, raked=state.raked + event.amount)


def _hands_revealed(state: HandState, event: HandsRevealed) -> HandState:
    for number, cards in event.hands:
        state = _shown(state, number, cards)
    return replace(state, revealed=True)


def _cards_shown(state: HandState, event: CardsShown) -> HandState:
    return _shown(state, event.seat, event.cards)


def _shown(state: HandState, number: int, cards: tuple[Card, ...]) -> HandState:
    """Show `cards` to all; each "??" leaves that card as the viewers knew it."""
    place = state.order.index(number)
    seat = state.seats[place]
    seat = replace(seat, shown=_merged(seat.shown, cards), cards=_merged(seat.cards, cards))
    return replace(state, seats=_with(state.seats, place, seat))


def _merged(known: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    if HIDDEN not in cards or not known:
        return cards
    return tuple(new if new != HIDDEN else old for old, new in zip(known, cards, strict=True))


def _mucked(state: HandState, event: Mucked) -> HandState:
    place = state.order.index(event.seat)
    seat = replace(state.seats[place], mucked=True)
    return replace(state, seats=_with(state.seats, place, seat))


def _pot_awarded(state: HandState, event: PotAwarded) -> HandState:
    seats = state.seats
    for share in event.winners:
        place = state.order.index(share.seat)
        seat = seats[place]
        seats = _with(seats, place, replace(seat, stack=seat.stack + share.amount))
    return replace(state, seats=seats, awarded=(*state.awarded, event))


def _hand_ended(state: HandState, event: HandEnded) -> HandState:
    return replace(state, finished=True)


def _with(seats: tuple[SeatState, ...], place: int, seat: SeatState) -> tuple[SeatState, ...]:
    changed = list(seats)
    changed[place] = seat
    return tuple(changed)


APPLY: dict[type, Callable[[Any, Any], HandState]] = {
    HandBegan: _hand_began,
    Posted: _posted,
    HoleCardsDealt: _hole_cards_dealt,
    Folded: _folded,
    Checked: _checked,
    Called: _called,
    BetMade: _bet,
    Raised: _raised,
    UncalledReturned: _uncalled_returned,
    BetsCollected: _bets_collected,
    RakeTaken: _rake_taken,
    HandsRevealed: _hands_revealed,
    StreetDealt: _street_dealt,
    CardsShown: _cards_shown,
    Mucked: _mucked,
    PotAwarded: _pot_awarded,
    HandEnded: _hand_ended,
}
"""Handler of each event type; `evolve` checks first that a state exists."""
