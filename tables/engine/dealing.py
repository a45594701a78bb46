"""The dealer's work between decisions: bets into pots, streets, showdown, end."""

from __future__ import annotations

from tables.engine.events import (
    BetsCollected,
    Card,
    HandsRevealed,
    HoleCardsDealt,
    StreetDealt,
    UncalledReturned,
)
from tables.engine.play import Play
from tables.engine.pots import pots, uncalled
from tables.engine.showdown import award_all, show_down
from tables.engine.state import HandState
from tables.engine.variants import VARIANTS


def deal_hole_cards(play: Play) -> None:
    """One card at a time, clockwise from left of the button (H-01)."""
    state = play.state
    seats = len(state.order)
    down = VARIANTS[state.rules.variant].streets[0].down
    for place, seat in enumerate(state.order):
        cards = tuple(_card(state.deck, place + turn * seats) for turn in range(down))
        play.happen(HoleCardsDealt(seat=seat, cards=cards))


def go_on(play: Play) -> None:
    """Everything that follows until the next decision or the end of the hand."""
    while play.state.actor is None:
        _collect(play)
        state = play.state
        if not state.live & (state.live - 1):
            award_all(play)
            return
        _reveal(play)
        streets = VARIANTS[state.rules.variant].streets
        if state.round + 1 == len(streets):
            show_down(play)
            award_all(play)
            return
        street = streets[state.round + 1]
        play.happen(StreetDealt(street=street.street, cards=_next_cards(state, street.board)))


def _collect(play: Play) -> None:
    """Give back what nobody matched, and move the bets into the pots (H-10, P-01)."""
    if excess := uncalled(play.state):
        seat, amount = excess
        play.happen(UncalledReturned(seat=seat.seat, amount=amount))
    collected = pots(play.state)
    if collected != play.state.pots:
        play.happen(BetsCollected(pots=collected))


def _reveal(play: Play) -> None:
    """Live hands turn face up once a seat is all-in and nobody can bet any more (S-04)."""
    state = play.state
    if state.revealed or not state.rules.options.face_up or state.able & (state.able - 1):
        return
    hands = tuple((seat.seat, seat.cards) for seat in state.seats if not seat.folded)
    play.happen(HandsRevealed(hands=hands))


def _next_cards(state: HandState, count: int) -> tuple[Card, ...]:
    """The next cards of the deck after a burn (H-01)."""
    start = state.dealt + 1
    return tuple([_card(state.deck, number) for number in range(start, start + count)])


def _card(deck: str, number: int) -> Card:
    return deck[2 * number : 2 * number + 2]
