"""What the room takes of a hand, a pure function of its pots and streets (R-02)."""

from __future__ import annotations

from itertools import accumulate, pairwise

from tables.engine.state import HandState


def rakes(state: HandState) -> tuple[int, ...]:
    """Chips taken of each pot, main pot first; the rake of the hand is spread by their size."""
    amounts = [pot.amount for pot in state.pots]
    total = _rake(state, sum(amounts))
    if not total:
        return (0,) * len(amounts)
    upto = [total * below // sum(amounts) for below in accumulate(amounts, initial=0)]
    return tuple(after - before for before, after in pairwise(upto))


def due_after_street(state: HandState) -> int:
    """Chips to take now that the bets of a street are in the pots; 0 where it is done at the end.

    The share is that of all pots so far: a hand pays the same as if it was taken after it.
    """
    rake = state.rules.options.rake
    if rake is None or not rake.per_street:
        return 0
    return _rake(state, sum([pot.amount for pot in state.pots])) - state.raked


def _rake(state: HandState, amount: int) -> int:
    rake = state.rules.options.rake
    if rake is None or (rake.no_flop_no_drop and state.round == 0):
        return 0
    taken = min(amount * rake.basis_points // 10_000, rake.maximum)
    return taken if taken >= rake.minimum else 0
