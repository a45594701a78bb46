"""A hand is the fold of its events: for its state, for every viewer, and through every encoding."""

from __future__ import annotations

import msgspec
import pytest

from tables.engine.decide import decide
from tables.engine.events import HandEvent, PotAwarded
from tables.engine.evolve import evolve
from tables.engine.refusals import ActionRefusal
from tables.engine.state import HandState
from tables.engine.visibility import view
from tests.tables.engine.plays import Told, random_play
from tests.tables.engine.random_actions import random_wire_action
from tests.tables.engine.shown_state import view_state

SEEDS = range(300)


@pytest.fixture(scope="module")
def plays() -> list[Told]:
    return [random_play(seed) for seed in SEEDS]


def test_the_random_hands_reach_every_kind_of_event(plays: list[Told]) -> None:
    seen = {type(event) for told in plays for event in told.events}
    assert seen == set(HandEvent.__args__) - {None}


def test_state_is_the_fold_of_its_events_at_every_prefix(plays: list[Told]) -> None:
    for told in plays:
        state: HandState | None = None
        for event, expected in zip(told.events, told.states, strict=True):
            state = evolve(state, event)
            assert state == expected


def test_a_decision_leaves_its_state_untouched(plays: list[Told]) -> None:
    for told in plays[:50]:
        encoded = [msgspec.msgpack.encode(state) for state in told.states]
        random_play(told.setup.hand)
        assert [msgspec.msgpack.encode(state) for state in told.states] == encoded


def test_every_viewer_can_fold_the_visible_events(plays: list[Told]) -> None:
    for told in plays[:120]:
        for audience in (None, *told.states[0].order):
            state: HandState | None = None
            for event, full in zip(told.events, told.states, strict=True):
                state = evolve(state, view(event, audience))
                assert state == view_state(full, audience)


def test_states_and_events_survive_encoding(plays: list[Told]) -> None:
    for told in plays[:120]:
        for event in told.events:
            data = msgspec.json.encode(event)
            assert msgspec.json.decode(data, type=HandEvent) == event
        for state in told.states:
            packed = msgspec.msgpack.encode(state)
            assert msgspec.msgpack.decode(packed, type=HandState) == state


def test_chips_are_conserved_after_every_event(plays: list[Told]) -> None:
    for told in plays:
        given = raked = 0
        for event, state in zip(told.events, told.states, strict=True):
            if isinstance(event, PotAwarded):
                given, raked = given + event.amount, raked + event.rake
                assert event.amount == event.rake + sum(share.amount for share in event.winners)
            in_pots = state.dead + sum(seat.committed for seat in state.seats) - given
            stacks = sum(seat.stack for seat in state.seats)
            assert stacks + in_pots + raked == sum(seat.start for seat in state.seats)
            assert min(seat.stack for seat in state.seats) >= 0
        assert sum(pot.amount for pot in told.states[-1].pots) == given


def test_a_refused_action_changes_nothing(plays: list[Told]) -> None:
    refused = 0
    for told in plays[:100]:
        for number, state in enumerate(told.states):
            before = msgspec.msgpack.encode(state)
            seat, action = random_wire_action(number)
            try:
                decide(state, seat, action)
            except ActionRefusal:
                refused += 1
            assert msgspec.msgpack.encode(state) == before
    assert refused > 500
