"""Calls and folds to bets, by own strength and by the opponent's hidden cards (pure)."""

from __future__ import annotations

from random import Random

from tables.engine.actions import Action, Call, Fold, Raise
from tables.engine.state import HandState
from tables.engine.variants import VARIANTS

STRENGTHS = 8
"""Classes of own strength: eighths of the hands that the opponent could hold."""

CALL_CELLS = STRENGTHS * 4
HOLDINGS_DRAWN = 100
"""Hands of the opponent that are drawn to place the own strength among them."""


def call_cell(state: HandState, seat: int, action: Action, chance: Random) -> int | None:
    """Return the cell of a decision of one against one, facing a bet after the first street.

    The cell is 4 * strength + 2 * ahead + stayed. None for other decisions, equal hands, games with
    a low hand and games without a board.
    """
    game = VARIANTS[state.rules.variant]
    # One card for all in stud (D-03) makes no board: up cards of the other seat are not hidden.
    has_board = any(street.board for street in game.streets)
    if not state.round or state.live.bit_count() != 2 or game.low is not None or not has_board:
        return None
    own = state.seat(seat)
    if own.bet >= state.level or not isinstance(action, Fold | Call | Raise):
        return None
    other = next(one for one in state.seats if not one.folded and one.seat != seat)
    mine = game.high(own.cards, state.board)
    theirs = game.high(other.cards, state.board)
    if mine == theirs:
        return None
    known = {*own.cards, *state.board}
    unseen = [card for card in game.deck if card not in known]
    held = len(other.cards)
    beaten = sum(
        game.high(tuple(chance.sample(unseen, held)), state.board) < mine
        for _ in range(HOLDINGS_DRAWN)
    )
    strength = min(STRENGTHS - 1, beaten * STRENGTHS // HOLDINGS_DRAWN)
    return 4 * strength + 2 * (mine > theirs) + (not isinstance(action, Fold))
