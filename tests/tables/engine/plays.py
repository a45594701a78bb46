"""Random hands played to the end, with the state after every event."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from tables.engine.begin import begin
from tables.engine.betting import legal_actions
from tables.engine.decide import decide
from tables.engine.events import HandEvent, Rake
from tables.engine.evolve import evolve
from tables.engine.state import HandSetup, HandState
from tables.engine.variants import VARIANTS
from tests.tables.engine.random_hands import (
    BLIND_GAMES,
    LIMITS,
    STUD_GAMES,
    random_action,
    random_setup,
)


class Told(NamedTuple):
    """A finished hand: its events, and the state after each event."""

    setup: HandSetup
    events: tuple[HandEvent, ...]
    states: tuple[HandState, ...]


def random_play(seed: int) -> Told:
    """Hand of this seed, of any game and limit."""
    random = Random(seed)
    variant = random.choice((*BLIND_GAMES, "omaha5_house", *STUD_GAMES))
    setup = random_setup(
        random,
        variant=variant,
        limit=random.choice((*LIMITS, "spread_limit")),
        seats=random.randint(2, min(9, VARIANTS[variant].seats_max)),
        ante_kind=random.choice(("none", "per_seat", "big_blind")),
    )
    setup = _with_settings(random, setup)
    state: HandState | None = None
    events: list[HandEvent] = []
    states: list[HandState] = []
    happened = begin(setup)
    while True:
        for event in happened:
            state = evolve(state, event)
            events.append(event)
            states.append(state)
        assert state is not None
        if state.finished:
            return Told(setup, tuple(events), tuple(states))
        assert state.actor is not None
        option = legal_actions(state, state.actor)
        action = random_action(random, option)
        happened = decide(state, state.actor, action)


def _with_settings(random: Random, setup: HandSetup) -> HandSetup:
    """The hand with settings of a ring table: rake, and choices for the showdown."""
    options = replace(setup.rules.options, rake=_rake(random), face_up=random.random() < 0.7)
    losers = [random.choice(("", "", "open", "closed")) for _ in setup.players]
    return replace(
        setup,
        rules=replace(setup.rules, options=options),
        players=tuple(
            replace(player, open_loser=loser == "open", closed_loser=loser == "closed")
            for player, loser in zip(setup.players, losers, strict=True)
        ),
    )


def _rake(random: Random) -> Rake | None:
    if random.random() < 0.4:
        return None
    return Rake(
        basis_points=random.choice((250, 1_000)),
        minimum=random.choice((0, 2)),
        maximum=random.choice((5, 1_000)),
        no_flop_no_drop=random.random() < 0.5,
        per_street=random.random() < 0.5,
    )
