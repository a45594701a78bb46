"""Dealer's work between decisions: bets into pots, streets, showdown, end."""

from __future__ import annotations

from tables.engine.deck import burnt, runs_out
from tables.engine.events import (
    BetsCollected,
    Card,
    HandsRevealed,
    HoleCardsDealt,
    RakeTaken,
    StreetDealt,
    UncalledReturned,
)
from tables.engine.hand_progress import HandProgress
from tables.engine.pots import pots, uncalled
from tables.engine.rake import due_after_street
from tables.engine.showdown import award_all, show_down
from tables.engine.variants import VARIANTS, StreetDeal


def deal_hole_cards(play: HandProgress) -> None:
    """Deal hole cards one at a time, clockwise from left of the button (H-01)."""
    state = play.state
    street = VARIANTS[state.rules.variant].streets[0]
    _deal_to_seats(play, list(state.order), street, start=0)


def go_on(play: HandProgress) -> None:
    """Advance the hand until the next decision or its end.

    The last live seat wins without showing (S-02, D-04).
    """
    while play.state.actor is None:
        _collect(play)
        state = play.state
        if not state.live & (state.live - 1):
            award_all(play, {}, {})
            return
        _reveal(play)
        streets = VARIANTS[state.rules.variant].streets
        if state.round + 1 == len(streets):
            award_all(play, *show_down(play))
            return
        _deal_street(play, streets[state.round + 1])


def _deal_street(play: HandProgress, street: StreetDeal) -> None:
    """Burn, then deal the board, or a card to each live seat; a common card when too few are left.

    No card is burnt when the deck has exactly as many as needed: one for each live seat, or the
    common card (D-01, D-03).
    """
    state = play.state
    common = street.board or int(runs_out(state, street))
    start = state.dealt + burnt(state, common)
    cards = _cards(state.deck, start, common)
    play.happen(StreetDealt(street=street.street, cards=cards))
    if not common:
        live = [seat.seat for seat in state.seats if not seat.folded]
        _deal_to_seats(play, live, street, start=play.state.dealt)


def _deal_to_seats(play: HandProgress, seats: list[int], street: StreetDeal, *, start: int) -> None:
    """Deal the street's cards to each seat, one at a time, from card number `start` of the deck."""
    round_table = len(seats)
    cards = _cards(play.state.deck, start, round_table * (street.down + street.up))
    up = street.up
    play.deal(
        [HoleCardsDealt(seat, cards[place::round_table], up) for place, seat in enumerate(seats)]
    )


def _collect(play: HandProgress) -> None:
    """Return unmatched chips, move the bets into the pots, take the rake (H-10, P-01, R-02)."""
    if excess := uncalled(play.state):
        seat, amount = excess
        play.happen(UncalledReturned(seat=seat.seat, amount=amount))
    collected = pots(play.state)
    if collected != play.state.pots:
        play.happen(BetsCollected(pots=collected))
    if due := due_after_street(play.state):
        play.happen(RakeTaken(amount=due))


def _reveal(play: HandProgress) -> None:
    """Turn live hands face up once a seat is all-in and no bet is possible any more (S-04)."""
    state = play.state
    last = state.round + 1 == len(VARIANTS[state.rules.variant].streets)
    may_bet = not last and state.able & (state.able - 1)
    if state.revealed or not state.rules.options.face_up or state.live == state.able or may_bet:
        return
    hands = tuple((seat.seat, seat.cards) for seat in state.seats if not seat.folded)
    play.happen(HandsRevealed(hands=hands))


def _cards(deck: str, start: int, count: int) -> tuple[Card, ...]:
    return tuple([deck[at : at + 2] for at in range(2 * start, 2 * (start + count), 2)])
