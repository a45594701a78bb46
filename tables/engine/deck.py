"""Position of the next cards in the deck, and the cards burnt before them (H-01, D-03)."""

from __future__ import annotations

from tables.engine.events import StreetDealt
from tables.engine.state import HandState
from tables.engine.variants import VARIANTS, StreetDeal


def left(state: HandState) -> int:
    """Number of cards not yet dealt or burnt, also for a viewer without sight of the deck."""
    return len(VARIANTS[state.rules.variant].deck) - state.dealt


def runs_out(state: HandState, street: StreetDeal) -> bool:
    """Return whether the deck is too short to give every live seat its stud card (D-03)."""
    return left(state) < state.live.bit_count() * (street.down + street.up)


def burnt(state: HandState, needed: int) -> int:
    """Number of cards burnt before `needed` others: 1, or 0 when the deck has no more (D-03)."""
    return 1 if left(state) > needed else 0


def burnt_by(state: HandState, event: StreetDealt) -> int:
    """Number of cards burnt before the street that `event` opens; `state` is the hand before it."""
    street = VARIANTS[state.rules.variant].streets[state.round + 1]
    each = state.live.bit_count() * (street.down + street.up)
    return burnt(state, len(event.cards) or each)
