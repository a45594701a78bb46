"""What an action leads to: its events, and all the dealer does until the next decision."""

from __future__ import annotations

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
from tables.engine.play import Play
from tables.engine.refusals import (
    AmountNotAllowed,
    AmountTooLarge,
    AmountTooSmall,
    CannotBet,
    CannotCheck,
    CannotFold,
    CannotRaise,
    HandNotOver,
    HandOver,
    NothingToCall,
    NothingToShow,
    NotInHand,
    NotYourTurn,
)
from tables.engine.state import HandState


def decide(state: HandState, seat: int, action: Action) -> tuple[HandEvent, ...]:
    """The events of `action` by `seat`; raises a Refusal, and then nothing has happened."""
    play = Play(state)
    if isinstance(action, Show):
        play.happen(_shown(state, seat, action))
    else:
        play.happen(_acted(state, seat, action))
        go_on(play)
    return tuple(play.events)


def _acted(state: HandState, seat: int, action: Fold | Check | Call | Bet | Raise) -> HandEvent:
    if state.finished:
        raise HandOver
    if seat not in state.order or state.seat(seat).folded:
        raise NotInHand
    if state.actor != seat:
        raise NotYourTurn(actor=state.actor)
    place = state.order.index(seat)
    match action:
        case Fold():
            return _folded(state, place)
        case Check():
            return _checked(state, place)
        case Call():
            return _called(state, place)
        case Bet(amount):
            return _bet(state, place, amount)
        case Raise(amount):
            return _raised(state, place, amount)


def _folded(state: HandState, place: int) -> Folded:
    if state.must_open:
        raise CannotFold(call=to_call(state, place))
    return Folded(state.order[place])


def _checked(state: HandState, place: int) -> Checked:
    if owed := to_call(state, place):
        raise CannotCheck(call=owed)
    return Checked(state.order[place])


def _called(state: HandState, place: int) -> Called | Posted:
    owed = to_call(state, place)
    if not owed:
        raise NothingToCall(check=True)
    seat, all_in = state.order[place], owed == state.seats[place].stack
    if state.must_open:
        return Posted(seat, "bring_in", owed, all_in)
    return Called(seat, owed, all_in)


def _bet(state: HandState, place: int, amount: int) -> BetMade:
    allowed = bet_range(state, place)
    if allowed is None:
        raise CannotBet
    _check_amount(state, amount, allowed)
    return BetMade(state.order[place], amount, amount == state.seats[place].stack)


def _raised(state: HandState, place: int, amount: int) -> Raised:
    allowed = raise_range(state, place)
    if allowed is None:
        raise CannotRaise
    _check_amount(state, amount, allowed)
    seat = state.seats[place]
    added = amount - seat.bet
    return Raised(seat.seat, amount, added, added == seat.stack)


def _check_amount(state: HandState, amount: int, allowed: tuple[int, int]) -> None:
    least, most = allowed
    if amount < least:
        raise AmountTooSmall(min=least, max=most)
    if amount > most:
        raise AmountTooLarge(min=least, max=most)
    if state.rules.limit == "fixed_limit" and amount not in allowed:
        raise AmountNotAllowed(min=least, max=most)


def _shown(state: HandState, number: int, action: Show) -> CardsShown:
    """Own cards after the hand, by winner or loser, folded ones too (S-02)."""
    if not state.finished:
        raise HandNotOver
    if number not in state.order:
        raise NotInHand
    seat = state.seat(number)
    wanted = {"first": {0}, "second": {1}, "both": set(range(len(seat.cards)))}[action.cards]
    seen = seat.shown or (HIDDEN,) * len(seat.cards)
    if all(seen[place] != HIDDEN for place in wanted):
        raise NothingToShow
    cards = tuple(card if place in wanted else HIDDEN for place, card in enumerate(seat.cards))
    return CardsShown(seat=number, cards=cards, made="")
