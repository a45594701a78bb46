"""Result of a finished hand: stacks, pots with their winners, and busted seats."""

from __future__ import annotations

import msgspec

from tables.engine.events import Card, Pot, PotAwarded, Share, Stack
from tables.engine.invariants import check_finished
from tables.engine.state import HandState, SeatState


class Busted(msgspec.Struct, frozen=True, array_like=True):
    """A seat that lost its last chip, with the winners of the pot that held it (N-01)."""

    seat: int
    pot: int
    winners: tuple[Share, ...]


class HandResult(msgspec.Struct, frozen=True, array_like=True):
    """A finished hand in chips; `shown` are the hole cards visible to all at its end."""

    hand: int
    stacks_before: tuple[Stack, ...]
    stacks_after: tuple[Stack, ...]
    pots: tuple[Pot, ...]
    awards: tuple[PotAwarded, ...]
    uncalled: Stack | None
    rake: int
    busted: tuple[Busted, ...]
    board: tuple[Card, ...]
    shown: tuple[tuple[int, tuple[Card, ...]], ...]


def result(state: HandState) -> HandResult:
    """Return the result of a finished hand; asserts that chips are conserved."""
    check_finished(state)
    return HandResult(
        hand=state.hand,
        stacks_before=tuple(Stack(seat.seat, seat.start) for seat in state.seats),
        stacks_after=tuple(Stack(seat.seat, seat.stack) for seat in state.seats),
        pots=state.pots,
        awards=state.awarded,
        uncalled=state.uncalled,
        rake=sum(award.rake for award in state.awarded),
        busted=tuple(_busted(state, seat) for seat in state.seats if seat.stack == 0),
        board=state.board,
        shown=tuple((seat.seat, seat.shown) for seat in state.seats if seat.shown),
    )


def _busted(state: HandState, seat: SeatState) -> Busted:
    """Return the winners of the last pot the seat was in, by the chips each won of it."""
    number = max(number for number, pot in enumerate(state.pots) if seat.seat in pot.seats)
    won: dict[int, int] = {}
    for award in state.awarded:
        if award.pot == number:
            for share in award.winners:
                won[share.seat] = won.get(share.seat, 0) + share.amount
    return Busted(seat.seat, number, tuple(Share(*item) for item in won.items()))
