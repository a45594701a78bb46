"""Who shows, who mucks, and who takes which pot (S-01, P-01, P-02)."""

from __future__ import annotations

from tables.engine.events import CardsShown, HandEnded, Mucked, Pot, PotAwarded, Share, Stack
from tables.engine.notation import made
from tables.engine.play import Play
from tables.engine.state import HandState
from tables.engine.variants import VARIANTS


def show_down(play: Play) -> None:
    """Each live seat shows or, when it is beaten by what was shown, mucks; winners always show."""
    state = play.state
    strengths = _strengths(state)
    shown: dict[int, int] = {}
    for seat in _showing_order(state):
        if state.revealed or _could_win(seat, strengths[seat], shown, state.pots):
            shown[seat] = strengths[seat]
            cards = state.seat(seat).cards
            play.happen(CardsShown(seat=seat, cards=cards, made=made(strengths[seat])))
        else:
            play.happen(Mucked(seat=seat))


def award_all(play: Play) -> None:
    """Give each pot to its winners, last side pot first, and end the hand (P-02)."""
    state = play.state
    strengths = _strengths(state) if len(state.pots[0].seats) > 1 else {}
    for number in reversed(range(len(state.pots))):
        pot = state.pots[number]
        winners = _best(pot.seats, strengths)
        shares = _split(pot.amount, winners)
        play.happen(PotAwarded(pot=number, amount=pot.amount, winners=shares))
    stacks = tuple([Stack(seat.seat, seat.stack) for seat in play.state.seats])
    play.happen(HandEnded(hand=state.hand, stacks=stacks))


def _strengths(state: HandState) -> dict[int, int]:
    high = VARIANTS[state.rules.variant].high
    return {seat.seat: high(seat.cards, state.board) for seat in state.seats if not seat.folded}


def _showing_order(state: HandState) -> list[int]:
    """The last aggressor of the last street first, else the first asked in it; then clockwise."""
    start = state.first if state.aggressor is None else state.aggressor
    turned = state.seats[start:] + state.seats[:start]
    return [seat.seat for seat in turned if not seat.folded]


def _could_win(seat: int, strength: int, shown: dict[int, int], pots: tuple[Pot, ...]) -> bool:
    """Whether no hand shown so far beats this one in some pot the seat is in for."""
    return any(
        seat in pot.seats
        and all(strength >= other for rival, other in shown.items() if rival in pot.seats)
        for pot in pots
    )


def _best(seats: tuple[int, ...], strengths: dict[int, int]) -> list[int]:
    if len(seats) == 1:
        return list(seats)
    best = max(strengths[seat] for seat in seats)
    return [seat for seat in seats if strengths[seat] == best]


def _split(amount: int, winners: list[int]) -> tuple[Share, ...]:
    """Equal shares; the odd chips go one each to the first winners left of the button (P-02)."""
    share, odd = divmod(amount, len(winners))
    return tuple(Share(seat, share + (place < odd)) for place, seat in enumerate(winners))
