"""Showdown: order of showing, mucking, and the winners of each pot (S-01, P-01, P-02, O-03)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tables.engine.cards import ORDER
from tables.engine.events import CardsShown, HandEnded, Mucked, Pot, PotAwarded, Share, Stack
from tables.engine.hand_progress import HandProgress
from tables.engine.notation import made_low
from tables.engine.rake import rakes
from tables.engine.state import HandState
from tables.engine.variants import VARIANTS

Strengths = dict[int, int]
"""Strength of each live seat's hand, for the high or for the low; 0 is none."""


def show_down(play: HandProgress) -> tuple[Strengths, Strengths]:
    """Show each live hand, or muck it when a shown hand beats it; winners always show (S-01).

    A seat may have chosen to show a beaten hand, or to muck one even as the first to show. Returns
    the strengths of all hands, for the high and for the low.
    """
    state = play.state
    high, low = _strengths(state)
    spoken = VARIANTS[state.rules.variant].words
    shown: list[int] = []
    for seat in _showing_order(state):
        rivals = state.order if seat in state.closed_losers else shown
        if (
            state.revealed
            or seat in state.open_losers
            or _could_win(seat, high, rivals, state.pots)
            or (low.get(seat) and _could_win(seat, low, rivals, state.pots))
        ):
            shown.append(seat)
            words, low_words = spoken(high[seat]), made_low(low.get(seat, 0))
            play.happen(CardsShown(seat, state.seat(seat).cards, words, low_words))
        else:
            play.happen(Mucked(seat=seat))
    return high, low


def award_all(play: HandProgress, high: Strengths, low: Strengths) -> None:
    """Give each pot to its winners, last side pot first, and end the hand (P-02)."""
    state = play.state
    taken = rakes(state)
    for number in reversed(range(len(state.pots))):
        _award(play, number, high, low, taken[number])
    stacks = tuple([Stack(seat.seat, seat.stack) for seat in play.state.seats])
    play.happen(HandEnded(hand=state.hand, stacks=stacks))


def _award(play: HandProgress, number: int, high: Strengths, low: Strengths, rake: int) -> None:
    """Award one pot; with a qualifying low it is halved, the odd chip to the high half (P-02).

    Seats that share both halves alone get the pot as evenly as possible: odd chips of the low half
    go to the seat after the last that got one of the high half (TDA 20).
    """
    pot = play.state.pots[number]
    winners = _odd_chips_first(play.state, _best(pot.seats, high))
    lows = _odd_chips_first(play.state, _best([seat for seat in pot.seats if low.get(seat)], low))
    net = pot.amount - rake
    if not lows or len(pot.seats) == 1:
        _give(play, number, "all", net, winners, rake)
        return
    low_half = net // 2
    high_half = net - low_half
    if winners == lows:
        odd = high_half % len(lows)
        lows = lows[odd:] + lows[:odd]
    _give(play, number, "high", high_half, winners, rake)
    _give(play, number, "low", low_half, lows, 0)


def _odd_chips_first(state: HandState, winners: list[int]) -> list[int]:
    """Winners in the order of odd chips: left of the button, in stud by highest card."""
    if not VARIANTS[state.rules.variant].brings_in:
        return winners
    return sorted(winners, key=lambda seat: _highest_card(state, seat), reverse=True)


def _give(
    play: HandProgress,
    number: int,
    half: Literal["all", "high", "low"],
    amount: int,
    winners: list[int],
    rake: int,
) -> None:
    """Award equal shares, the odd chips one each to the first; a share of 0 is no share (P-02)."""
    each, odd = divmod(amount, len(winners))
    # With fewer chips than winners the later ones win nothing, so they are not listed as winners.
    paid = winners if each else winners[:odd]
    shares = tuple([Share(seat, each + (place < odd)) for place, seat in enumerate(paid)])
    if shares or rake:
        play.happen(PotAwarded(number, amount + rake, shares, half, rake))


def _highest_card(state: HandState, seat: int) -> int:
    return max(ORDER[card] for card in state.seat(seat).cards)


def _strengths(state: HandState) -> tuple[Strengths, Strengths]:
    variant = VARIANTS[state.rules.variant]
    live = [seat for seat in state.seats if not seat.folded]
    high = {seat.seat: variant.high(seat.cards, state.board) for seat in live}
    if variant.low is None:
        return high, {}
    return high, {seat.seat: variant.low(seat.cards, state.board) for seat in live}


def _showing_order(state: HandState) -> list[int]:
    """Seats in showing order: the last aggressor of the last street, else its first seat asked."""
    start = state.first if state.aggressor is None else state.aggressor
    turned = state.seats[start:] + state.seats[:start]
    return [seat.seat for seat in turned if not seat.folded]


def _could_win(
    seat: int, strengths: Strengths, rivals: Sequence[int], pots: tuple[Pot, ...]
) -> bool:
    """Return whether no hand of these rivals beats this one in some pot of the seat."""
    return any(
        seat in pot.seats
        and all(strengths[seat] >= strengths[rival] for rival in rivals if rival in pot.seats)
        for pot in pots
    )


def _best(seats: tuple[int, ...] | list[int], strengths: Strengths) -> list[int]:
    if len(seats) < 2:
        return list(seats)
    best = max([strengths[seat] for seat in seats])
    return [seat for seat in seats if strengths[seat] == best]
