"""Effect of an action: its events, and the dealer's work until the next decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tables.engine.actions import Action, Bet, Call, Check, Fold, Raise, Show
from tables.engine.betting import bet_range, raise_range, to_call
from tables.engine.dealing import go_on
from tables.engine.events import (
    HIDDEN,
    BetMade,
    Called,
    CardsShown,
    Checked,
    Folded,
    HandEvent,
    Posted,
    Raised,
)
from tables.engine.hand_progress import HandProgress
from tables.engine.refusals import (
    ActionRefusal,
    AmountNotAllowed,
    AmountTooLarge,
    AmountTooSmall,
    CannotBet,
    CannotCheck,
    CannotFold,
    CannotRaise,
    CannotShow,
    HandNotOver,
    HandOver,
    NothingToCall,
    NothingToShow,
    NotInHand,
    NotYourTurn,
)
from tables.engine.state import HandState


def decide(state: HandState, seat: int, action: Action) -> tuple[HandEvent, ...]:
    """Return the events of `action` by `seat`; raises ActionRefusal before any change (H-04)."""
    return tuple(played(state, seat, action).events)


def played(state: HandState, seat: int, action: Action) -> HandProgress:
    """Apply `action` by `seat`; return its events together with the state they lead to."""
    if isinstance(action, Show):
        return HandProgress(state, _shown(state, seat, action))
    if state.actor != seat:
        raise _out_of_turn(state, seat)
    play = HandProgress(state, _EVENT_OF[type(action)](state, state.order.index(seat), action))
    if play.state.actor is None:
        go_on(play)
    return play


def _out_of_turn(state: HandState, seat: int) -> ActionRefusal:
    if state.finished:
        return HandOver()
    if seat not in state.order or state.seat(seat).folded:
        return NotInHand()
    return NotYourTurn(actor=state.actor)


def _folded(state: HandState, place: int, action: Fold) -> Folded:
    if state.must_open:
        raise CannotFold(call=to_call(state, place))
    return Folded(state.order[place])


def _checked(state: HandState, place: int, action: Check) -> Checked:
    if owed := to_call(state, place):
        raise CannotCheck(call=owed)
    return Checked(state.order[place])


def _called(state: HandState, place: int, action: Call) -> Called | Posted:
    owed = to_call(state, place)
    if not owed:
        raise NothingToCall(check=True)
    seat, all_in = state.order[place], owed == state.seats[place].stack
    if state.must_open:
        return Posted(seat, "bring_in", owed, all_in)
    return Called(seat, owed, all_in)


def _bet(state: HandState, place: int, action: Bet) -> BetMade:
    allowed = bet_range(state, place)
    if allowed is None:
        raise CannotBet
    _check_amount(state, action.amount, allowed)
    return BetMade(state.order[place], action.amount, action.amount == state.seats[place].stack)


def _raised(state: HandState, place: int, action: Raise) -> Raised:
    allowed = raise_range(state, place)
    if allowed is None:
        raise CannotRaise
    _check_amount(state, action.amount, allowed)
    seat = state.seats[place]
    added = action.amount - seat.bet
    return Raised(seat.seat, action.amount, added, added == seat.stack)


def _check_amount(state: HandState, amount: int, allowed: tuple[int, int]) -> None:
    least, most = allowed
    if amount < least:
        raise AmountTooSmall(min=least, max=most)
    if amount > most:
        raise AmountTooLarge(min=least, max=most)
    if state.rules.limit == "fixed_limit" and amount not in allowed:
        raise AmountNotAllowed(min=least, max=most)


def _shown(state: HandState, number: int, action: Show) -> CardsShown:
    """Show own cards after the hand, as winner or loser; never folded ones (S-02, S-03)."""
    if not state.finished:
        raise HandNotOver
    if number not in state.order:
        raise NotInHand
    seat = state.seat(number)
    if seat.folded:
        raise CannotShow
    wanted = {"first": {0}, "second": {1}, "both": set(range(len(seat.cards)))}[action.cards]
    seen = seat.shown or (HIDDEN,) * len(seat.cards)
    if all(seen[place] != HIDDEN for place in wanted):
        raise NothingToShow
    cards = tuple(card if place in wanted else HIDDEN for place, card in enumerate(seat.cards))
    return CardsShown(seat=number, cards=cards, made="")


_EVENT_OF: dict[type, Callable[[HandState, int, Any], HandEvent]] = {
    Fold: _folded,
    Check: _checked,
    Call: _called,
    Bet: _bet,
    Raise: _raised,
}
