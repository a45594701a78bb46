"""Hands of simulated tournaments, exported as PHH and played by pokerkit to equal stacks."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from pokerkit import HandHistory

from tables.dealer.record import HandRecord
from tables.dealer.state import Played
from tables.engine.actions import Action, Option
from tables.engine.state import HandSetup, HandState
from tables.history.exports import hand, phh
from tests.tables.history.exports.played import GAME, recorded
from tournaments.simulation import players
from tournaments.simulation.options import SimulationOptions, validate_simulation
from tournaments.simulation.simulation_run import SimulationRun

GAMES = [
    ("holdem", "no_limit", "turbo"),
    ("holdem", "fixed_limit", "split"),
    ("omaha", "pot_limit", "turbo"),
    ("omaha_hilo", "fixed_limit", "split"),
    ("stud", "fixed_limit", "stud"),
    ("stud_hilo", "fixed_limit", "stud"),
]
HANDS = 100
DIFFERING_MAX = 0.05


def hands_of(
    options: SimulationOptions, seed: int, monkeypatch: pytest.MonkeyPatch
) -> list[HandRecord]:
    """Records of all hands of a simulated tournament."""
    hands: list[tuple[HandSetup, list[Played]]] = []
    play, choose = players.play, players.choose

    def played(setup: HandSetup, lot: Random) -> tuple[HandState, int]:
        hands.append((setup, []))
        return play(setup, lot)

    def chosen(option: Option, strength: float, state: HandState, unit: int, lot: Random) -> Action:
        action = choose(option, strength, state, unit, lot)
        assert state.actor is not None
        hands[-1][1].append(Played(state.actor, action))
        return action

    monkeypatch.setattr(players, "play", played)
    monkeypatch.setattr(players, "choose", chosen)
    SimulationRun(options, seed).run()
    return [recorded(setup, tuple(actions)) for setup, actions in hands]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_hands_of_tournaments_play_to_equal_stacks(monkeypatch: pytest.MonkeyPatch) -> None:
    reasons: Counter[object] = Counter()
    for variant, limit, structure in GAMES:
        options = validate_simulation(
            SimulationOptions(
                players=9,
                seats_per_table=6,
                variant=variant,
                limit=limit,
                structure=structure,
            )
        )
        with monkeypatch.context() as patched:
            kept = hands_of(options, 3, patched)
        for one in kept[:: len(kept) // HANDS + 1]:
            exported = hand.seen_by(None, one, game=GAME, table=1, seats_max=6)
            history = HandHistory.loads(phh.written(exported))
            reasons[history.user_defined_fields.get("_differs")] += 1
            if "_differs" not in history.user_defined_fields:
                assert list(history)[-1].stacks == history.finishing_stacks
    assert reasons[None] > HANDS * len(GAMES) // 2
    assert reasons.total() - reasons[None] <= reasons.total() * DIFFERING_MAX
