"""Apply one event to a hand; only here and in `turns` the state of a hand changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from tables.engine import turns
from tables.engine.betting import opening_step
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
from tables.engine.state import HandState, Rules, SeatState, with_seat
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
        return turns.called(state, event)
    place = state.order.index(event.seat)
    seat = state.seats[place]
    stack, amount = seat.stack - event.amount, event.amount
    able = state.able if stack else state.able & ~(1 << place)
    if event.kind == "ante" and state.rules.stakes.ante_kind == "per_seat":
        seat = replace(seat, stack=stack, committed=seat.committed + amount)
        return replace(state, seats=with_seat(state.seats, place, seat), able=able)
    if event.kind in ("ante", "dead", "penalty"):
        seat = replace(seat, stack=stack)
        seats = with_seat(state.seats, place, seat)
        return replace(state, seats=seats, able=able, dead=state.dead + amount)
    seat = replace(seat, stack=stack, bet=seat.bet + amount, committed=seat.committed + amount)
    seats = with_seat(state.seats, place, seat)
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
    return state if state.live >> (place + 1) else turns.open_round(state)


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
    return turns.open_round(state) if event.cards else state


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
        seats=with_seat(state.seats, place, seat),
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
    return replace(state, seats=with_seat(state.seats, place, seat))


def _merged(known: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    if HIDDEN not in cards or not known:
        return cards
    return tuple(new if new != HIDDEN else old for old, new in zip(known, cards, strict=True))


def _mucked(state: HandState, event: Mucked) -> HandState:
    place = state.order.index(event.seat)
    seat = replace(state.seats[place], mucked=True)
    return replace(state, seats=with_seat(state.seats, place, seat))


def _pot_awarded(state: HandState, event: PotAwarded) -> HandState:
    seats = state.seats
    for share in event.winners:
        place = state.order.index(share.seat)
        seat = seats[place]
        seats = with_seat(seats, place, replace(seat, stack=seat.stack + share.amount))
    return replace(state, seats=seats, awarded=(*state.awarded, event))


def _hand_ended(state: HandState, event: HandEnded) -> HandState:
    return replace(state, finished=True)


APPLY: dict[type, Callable[[Any, Any], HandState]] = {
    HandBegan: _hand_began,
    Posted: _posted,
    HoleCardsDealt: _hole_cards_dealt,
    Folded: turns.folded,
    Checked: turns.checked,
    Called: turns.called,
    BetMade: turns.bet,
    Raised: turns.raised,
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
