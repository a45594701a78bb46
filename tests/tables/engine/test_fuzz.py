"""Arbitrary input makes the engine act or refuse, and nothing else."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from tables.engine.actions import Action
from tables.engine.decide import decide
from tables.engine.evolve import evolve
from tables.engine.refusals import ActionRefusal
from tables.engine.result import result
from tables.engine.state import HandState
from tests.tables.engine.plays import random_play
from tests.tables.engine.random_actions import random_wire_action

ATTEMPTS = 100_000


def test_arbitrary_actions_are_played_or_refused() -> None:
    random = Random(5)
    played = refused = attempt = 0
    while attempt < ATTEMPTS:
        states = random_play(random.randrange(10**9)).states
        stops = [state for state in states if state.actor is not None or state.finished]
        for state in random.choices(stops, k=8):
            now = state
            for _ in range(25):
                attempt += 1
                seat, action = random_wire_action(random.randrange(10**9))
                if attempt % 2 and now.actor is not None:
                    seat = now.actor
                after = _attempt(now, seat, action)
                played, refused = played + (after is not None), refused + (after is None)
                now = after or now
    assert played > ATTEMPTS // 50
    assert refused > ATTEMPTS // 3


def _attempt(state: HandState, seat: int, action: Action) -> HandState | None:
    """State after the action, or None when it was refused."""
    try:
        events = decide(state, seat, action)
    except ActionRefusal as refusal:
        told = (refusal.code, refusal.sentence, msgspec.json.encode(refusal.allowed))
        return None if all(told) else state
    for event in events:
        state = evolve(state, event)
    assert state.actor is not None or result(state)
    return state


@pytest.mark.parametrize(
    "data",
    [
        b'{"type":"bet","amount":"5"}',
        b'{"type":"bet","amount":5.5}',
        b'{"type":"raise"}',
        b'{"type":"raise","amount":null}',
        b'{"type":"all_in"}',
        b'{"type":"show","cards":"third"}',
        b"[]",
    ],
)
def test_an_invalid_action_does_not_decode(data: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(data, type=Action)
