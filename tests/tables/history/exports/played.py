"""Finished hands of the engine as they are stored: random ones, and records of given setups."""

from __future__ import annotations

from random import Random

from tables.dealer.record import HandRecord, SeatAfter
from tables.dealer.state import Played
from tables.engine.actions import Action, Call, Check
from tables.engine.begin import begin
from tables.engine.betting import legal_actions
from tables.engine.decide import decide
from tables.engine.events import AnteKind
from tables.engine.evolve import evolve
from tables.engine.result import result
from tables.engine.state import HandSetup, HandState
from tables.engine.variants import VARIANTS
from tables.history.exports.games import GameFacts
from tests.tables.engine.random_hands import random_action, random_setup
from tests.tables.engine.scene import Scene

BEGAN_MS = 1_795_440_600_000
"""A time on 2026-11-23."""
USER = 100
"""Keys of users are this and the seat."""
GAME = GameFacts("Monday Main Event")


def recorded(setup: HandSetup, actions: tuple[Played, ...]) -> HandRecord:
    """Record of a hand with these actions."""
    state: HandState | None = None
    for event in begin(setup):
        state = evolve(state, event)
    for played in actions:
        assert state is not None
        for event in decide(state, played.seat, played.action):
            state = evolve(state, event)
    assert state is not None
    outcome = result(state)
    after = {stack.seat: stack.chips for stack in outcome.stacks_after}
    seats = tuple(
        SeatAfter(
            seat=player.seat,
            entry=player.seat,
            user=USER + player.seat,
            name=f"Player{player.seat}",
            chips_before=player.stack,
            chips=after[player.seat],
            bank_ms=0,
            absent=False,
            dealt=True,
        )
        for player in setup.players
    )
    return HandRecord(
        table=7,
        game=3,
        epoch=1,
        hand=setup.hand,
        level=2,
        round=1,
        began_ms=BEGAN_MS,
        ended_ms=BEGAN_MS + 40_000,
        setup=setup,
        actions=actions,
        result=outcome,
        seats=seats,
        released_ms=BEGAN_MS + 40_000,
    )


def called(table: Scene) -> HandRecord:
    """Check and call to the end of the hand; return its record."""
    actions: list[Played] = []
    while not table.now.finished:
        assert table.now.actor is not None and len(actions) < 40
        act = Check() if table.option().check else Call()
        actions.append(Played(table.now.actor, act))
        table.does((table.now.actor, act))
    return recorded(table.setup, tuple(actions))


def random_record(random: Random, variant: str, limit: str) -> HandRecord:
    """Record of a random hand of a game, two to six seats, with every kind of ante."""
    kinds: tuple[AnteKind, ...] = ("none", "per_seat", "big_blind")
    kind: AnteKind = "none" if limit == "fixed_limit" else random.choice(kinds)
    setup = random_setup(
        random, variant=variant, limit=limit, seats=random.randint(2, 6), ante_kind=kind
    )
    return played_at_random(random, setup)


def full_table(random: Random, variant: str, limit: str) -> HandRecord:
    """Record of a hand of a full table that mostly checks and calls: many see the last card."""
    seats = VARIANTS[variant].seats_max
    setup = random_setup(random, variant=variant, limit=limit, seats=seats)
    return played_at_random(random, setup, passive=0.9)


def played_at_random(random: Random, setup: HandSetup, passive: float = 0.0) -> HandRecord:
    """Record of a hand with random legal actions; of so many a check or call where it may be."""
    state: HandState | None = None
    actions: list[Played] = []
    happened = begin(setup)
    while True:
        for event in happened:
            state = evolve(state, event)
        assert state is not None
        if state.finished:
            return recorded(setup, tuple(actions))
        assert state.actor is not None
        option = legal_actions(state, state.actor)
        action: Action = random_action(random, option)
        if passive and random.random() < passive and (option.check or option.call is not None):
            action = Check() if option.check else Call()
        actions.append(Played(state.actor, action))
        happened = decide(state, state.actor, action)
