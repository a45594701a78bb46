"""Rake of a hand, a pure function of its pots and streets (R-02)."""

from __future__ import annotations

from itertools import accumulate, pairwise

from tables.engine.state import HandState


def rakes(state: HandState) -> tuple[int, ...]:
    """Rake of each pot in chips, main pot first; the rake of the hand is spread by pot size."""
    amounts = [pot.amount for pot in state.pots]
    total = _rake(state, sum(amounts))
    if not total:
        return (0,) * len(amounts)
    upto = [total * below // sum(amounts) for below in accumulate(amounts, initial=0)]
    return tuple(after - before for before, after in pairwise(upto))


def due_after_street(state: HandState) -> int:
    """Rake to take after a street, in chips; 0 when the rake is taken after the hand.

    The share counts all pots so far, so that a hand pays as much as if it were taken at its end.
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
