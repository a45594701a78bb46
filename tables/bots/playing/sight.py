"""Sight of a seat at its turn, taken from the picture of its table."""

from __future__ import annotations

from room_client.messages.frames import TableSnapshot
from room_client.messages.hands import BetMade, HandBegan, Raised, StreetDealt
from room_client.messages.streams import TableEvent
from tables.bots.playing.brain import PlayerView


def of(seen: TableSnapshot, number: int, raises: int) -> PlayerView:
    """Return the sight of the seat to act; `raises` counts bets and raises of the street."""
    assert seen.turn is not None and seen.turn.seat == number
    seats = {seat.seat: seat for seat in seen.seats}
    own = seats[number]
    others = [
        seat for seat in seen.seats if seat.in_hand and not seat.folded and seat.seat != number
    ]
    largest = max((seat.chips + seat.bet for seat in others), default=0)
    return PlayerView(
        cards=own.cards,
        board=seen.board,
        pot=_middle(seen),
        option=seen.turn.option,
        stack=own.chips,
        bet=own.bet,
        at_risk=max(0, min(own.chips, largest - own.bet)),
        big_blind=seen.stakes.big_blind or seen.stakes.small_bet,
        opponents=len(others),
        behind=_behind(seen, number),
        raises=raises,
        variant=seen.variant or "holdem",
    )


def raises_after(event: TableEvent, raises: int) -> int:
    """Return the bets and raises of the street after an event."""
    match event:
        case HandBegan() | StreetDealt():
            return 0
        case BetMade() | Raised():
            return raises + 1
        case _:
            return raises


def raises_seen(seen: TableSnapshot) -> int:
    """Guess the raises from a snapshot, which has none: 1 when a bet exceeds the big blind."""
    highest = max((seat.bet for seat in seen.seats), default=0)
    before_the_flop = not seen.board
    return int(highest > (seen.stakes.big_blind if before_the_flop else 0))


def _middle(seen: TableSnapshot) -> int:
    """All chips in the middle; before the first street ends, antes are in no pot yet."""
    collected = sum(pot.amount for pot in seen.pots)
    if not seen.pots and not seen.board:
        each = {"per_seat": sum(seat.in_hand for seat in seen.seats), "big_blind": 1, "none": 0}
        collected = seen.stakes.ante * each[seen.stakes.ante_kind]
    return collected + sum(seat.bet for seat in seen.seats)


def _behind(seen: TableSnapshot, number: int) -> int:
    """Number of seats with cards and chips that act after this seat on the street."""
    last = seen.big_blind if not seen.board else seen.button
    waiting = 0
    seat = number
    while seat != last:
        seat = seat % seen.seats_max + 1
        if seat == number:
            break
        waiting += any(
            s.seat == seat and s.in_hand and not s.folded and not s.all_in for s in seen.seats
        )
    return waiting
