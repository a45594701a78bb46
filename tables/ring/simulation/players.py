"""Simulated players of ring games: loose decisions by a random strength, always legal."""

from __future__ import annotations

from random import Random

from tables.engine.actions import Action, Bet, Call, Check, Fold, Option, Raise
from tables.engine.begin import begun
from tables.engine.betting import legal_actions
from tables.engine.decide import played
from tables.engine.state import HandSetup, HandState

RAISING = 0.88
CALLING = 0.4
BLUFFS = 0.04
POTS = 0.1
"""Part of the bets that are as large as allowed."""


def play_hand(setup: HandSetup, lot: Random) -> tuple[HandState, int]:
    """Play a hand to its end; return its last state and the number of actions."""
    state, actions = begun(setup).state, 0
    strength = {player.seat: lot.random() for player in setup.players}
    while state.actor is not None:
        seat = state.actor
        action = _choose(legal_actions(state, seat), strength[seat], lot)
        state = played(state, seat, action).state
        actions += 1
    assert state.finished, "a hand without a seat to act is finished"
    return state, actions


def _choose(option: Option, strength: float, lot: Random) -> Action:
    if strength > RAISING or lot.random() < BLUFFS:
        if option.raise_min is not None and option.raise_max is not None:
            return Raise(_size(option.raise_min, option.raise_max, lot))
        if option.bet_min is not None and option.bet_max is not None:
            return Bet(_size(option.bet_min, option.bet_max, lot))
    if option.check:
        return Check()
    if option.call is not None and (not option.fold or strength > CALLING):
        return Call()
    return Fold()


def _size(least: int, most: int, lot: Random) -> int:
    if lot.random() < POTS:
        return most
    return min(most, least + lot.randrange(least + 1))
