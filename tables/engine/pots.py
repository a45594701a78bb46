"""Main and side pots from the chips that each seat has put in (P-01, P-03)."""

from __future__ import annotations

from tables.engine.events import Pot
from tables.engine.state import HandState, SeatState


def pots(state: HandState) -> tuple[Pot, ...]:
    """Return the pots, main pot first; a seat is in a pot when it has paid its full share of it.

    Chips of folded seats stay in the pots they went into, dead posts in the main pot (P-01, P-03).
    """
    live = [seat for seat in state.seats if not seat.folded]
    total = sum([seat.committed for seat in state.seats])
    caps = {seat.committed for seat in live}
    if len(caps) == 1:
        return (Pot(total + state.dead, tuple([seat.seat for seat in live])),)
    layers = []
    below = 0
    for cap in sorted(caps):
        amount = sum(min(seat.committed, cap) - min(seat.committed, below) for seat in state.seats)
        layers.append(Pot(amount, tuple(seat.seat for seat in live if seat.committed >= cap)))
        below = cap
    # With `s0_order` a blind may fold before others go all-in for less (H-11): chips above all
    # layers go into the last pot.
    over = total - sum(pot.amount for pot in layers)
    layers[-1] = Pot(layers[-1].amount + over, layers[-1].seats)
    layers[0] = Pot(layers[0].amount + state.dead, layers[0].seats)
    return tuple(layers)


def uncalled(state: HandState) -> tuple[SeatState, int] | None:
    """Return the live seat that put in more than any other seat, and the difference (H-10)."""
    amounts = [seat.committed for seat in state.seats]
    most = max(amounts)
    if amounts.count(most) > 1:
        return None
    seat = state.seats[amounts.index(most)]
    return None if seat.folded else (seat, most - sorted(amounts)[-2])
