"""Simulated players: decisions by a random strength, fast and always legal."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tables.engine.actions import Action, Bet, Call, Check, Fold, Option, Raise
from tables.engine.begin import begun
from tables.engine.betting import legal_actions
from tables.engine.decide import played
from tables.engine.state import HandSetup, HandState

SHORT_BIG_BLINDS = 10


Decide = Callable[[Option, HandState], Action]
"""Decision of the seat that is asked."""


def play(setup: HandSetup, lot: Random) -> tuple[HandState, int]:
    """Play a hand by random strengths; return its last state and the number of actions."""
    strength = {player.seat: lot.random() for player in setup.players}
    unit = setup.rules.stakes.big_blind or setup.rules.stakes.small_bet

    def decide(option: Option, state: HandState) -> Action:
        assert state.actor is not None
        return choose(option, strength[state.actor], state, unit, lot)

    return play_by(setup, decide)


def play_by(setup: HandSetup, decide: Decide) -> tuple[HandState, int]:
    """Play a hand from the deal to its end; return its last state and the number of actions."""
    state = begun(setup).state
    actions = 0
    while state.actor is not None:
        seat = state.actor
        action = decide(legal_actions(state, seat), state)
        before, state = _progress(state), played(state, seat, action).state
        assert state.finished or _progress(state) > before, (
            "every action makes progress in the hand"
        )
        actions += 1
    assert state.finished, "a hand without a next player is finished"
    return state, actions


def _progress(state: HandState) -> tuple[int, int, int, int]:
    """Return values that rise with every action: streets, folds, chips put in, seats that acted."""
    behind = sum(seat.stack for seat in state.seats)
    return (state.round, -state.live.bit_count(), -behind, state.acted.bit_count())


def choose(option: Option, strength: float, state: HandState, unit: int, lot: Random) -> Action:
    """Fold the weak half to bets, raise with the best tenth, push with a short stack."""
    assert state.actor is not None, "a player is to act"
    short = state.seat(state.actor).stack <= SHORT_BIG_BLINDS * unit
    aggressive = strength > (0.7 if short else 0.9) or lot.random() < 0.04
    if aggressive and option.raise_max is not None and option.raise_min is not None:
        return Raise(_size(option.raise_min, option.raise_max, lot, all_in=short))
    if aggressive and option.bet_max is not None and option.bet_min is not None:
        return Bet(_size(option.bet_min, option.bet_max, lot, all_in=short))
    if option.check:
        return Check()
    if option.call is None:
        return Fold()
    price = option.call / max(unit, 1)
    if not option.fold or strength > min(0.85, 0.45 + 0.04 * price):
        return Call()
    return Fold()


def _size(least: int, most: int, lot: Random, *, all_in: bool) -> int:
    if all_in or lot.random() < 0.05:
        return most
    return min(most, least + lot.randrange(least + 1))
