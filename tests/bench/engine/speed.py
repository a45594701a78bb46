"""Recorded hands through this engine and through pokerkit, in processor seconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time

from tables.engine.begin import begin, begun
from tables.engine.decide import decide, played
from tables.engine.events import HandEvent
from tables.engine.state import HandState
from tables.second_opinion.other_engine import act, deal_to, pokerkit_state
from tests.bench.engine.recorded import Recorded

RUNS = 3


def best_s(run: Callable[[], None]) -> float:
    """Return the processor seconds of the fastest run."""
    return min(_timed(run) for _ in range(RUNS))


def _timed(run: Callable[[], None]) -> float:
    start = process_time()
    run()
    return process_time() - start


def ours(hands: Sequence[Recorded]) -> None:
    """Deal and play every hand to its end."""
    for hand in hands:
        state = begun(hand.setup).state
        for seat, action in hand.actions:
            state = played(state, seat, action).state
        assert state.finished


Dealt = tuple[Recorded, tuple[tuple[HandEvent, ...], ...], tuple[bool, ...]]


def with_cards(hands: Sequence[Recorded]) -> list[Dealt]:
    """Return the hands with this engine's events after each step, as pokerkit gets the
    same cards.
    """
    found: list[Dealt] = []
    for hand in hands:
        state: HandState = begun(hand.setup).state
        steps = [begin(hand.setup)]
        opens: list[bool] = []
        for seat, action in hand.actions:
            opens.append(state.must_open)
            steps.append(decide(state, seat, action))
            state = played(state, seat, action).state
        found.append((hand, tuple(steps), tuple(opens)))
    return found


def pokerkit(hands: Sequence[Dealt]) -> None:
    """Deal and play every hand to its end in pokerkit."""
    for hand, steps, opens in hands:
        state = pokerkit_state(hand.setup)
        deal_to(state, steps[0])
        for (_, action), step, opening in zip(hand.actions, steps[1:], opens, strict=True):
            act(state, action, bring_in=opening)
            deal_to(state, step)
        assert not state.status
