"""One hand in this engine and in pokerkit, step by step, until they differ or the hand ends."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import NamedTuple

from pokerkit import State

from tables.engine.actions import Action, Option, Show
from tables.engine.begin import begin
from tables.engine.betting import legal_actions
from tables.engine.decide import decide
from tables.engine.events import HandEvent, PotAwarded, StreetDealt
from tables.engine.evolve import evolve_all
from tables.engine.state import HandSetup, HandState
from tables.engine.variants import VARIANTS
from tables.second_opinion.differences import DECK_RUNS_OUT, named_difference, not_compared
from tables.second_opinion.other_engine import QUICK_HANDS, act, deal_to, option_of, pokerkit_state

Choose = Callable[[HandState, Option], Action]
"""Return the action of the seat that is asked, of its legal ones."""


class Compared(NamedTuple):
    """Result of a comparison: common decisions, and the name of the difference if any."""

    decisions: int
    parted: str | None


class Disagreement(AssertionError):
    """A difference between the engines without a known name."""


def compare_recorded(setup: HandSetup, actions: Iterable[Action]) -> Compared:
    """Play a recorded hand in both engines; raises Disagreement."""
    told = iter([action for action in actions if not isinstance(action, Show)])
    with warnings.catch_warnings():
        # pokerkit warns of a fold where a check is free; absent players fold so.
        warnings.simplefilter("ignore", UserWarning)
        return compare(setup, lambda _, __: next(told))


def compare(setup: HandSetup, choose: Choose) -> Compared:
    """Play one hand in both engines; raises Disagreement."""
    reason = not_compared(setup)
    if reason is not None:
        return Compared(0, reason)
    events = list(begin(setup))
    state = evolve_all(None, events)
    other = pokerkit_state(setup, QUICK_HANDS)
    deal_to(other, events)
    decisions = 0
    while not state.finished:
        assert state.actor is not None
        option = legal_actions(state, state.actor)
        if option_of(other, state) != (state.order.index(state.actor), option):
            return _part(setup, events, decisions, _told(other, state, option), ())
        action = choose(state, option)
        happened = decide(state, state.actor, action)
        if _community_card(setup, happened):
            return Compared(decisions, DECK_RUNS_OUT)
        act(other, action, bring_in=state.must_open)
        events += happened
        deal_to(other, happened)
        state = evolve_all(state, happened)
        decisions += 1
    return _end(setup, events, decisions, state, other)


def _end(
    setup: HandSetup, events: list[HandEvent], decisions: int, state: HandState, other: State
) -> Compared:
    raked = _raked(events)
    ours = [seat.stack + raked.get(seat.seat, 0) for seat in state.seats]
    assert not other.status, "pokerkit has not ended the hand"
    if ours != other.stacks:
        told = f"stacks are {ours}, pokerkit {other.stacks}"
        gaps = tuple(our - their for our, their in zip(ours, other.stacks, strict=True))
        return _part(setup, events, decisions, told, gaps)
    return Compared(decisions, None)


def _raked(events: list[HandEvent]) -> dict[int, int]:
    """Return the rake by the seat that would have won it; that of a split pot by its first one."""
    raked: dict[int, int] = {}
    for event in events:
        if isinstance(event, PotAwarded) and event.rake:
            seat = event.winners[0].seat
            raked[seat] = raked.get(seat, 0) + event.rake
    return raked


def _part(
    setup: HandSetup,
    events: list[HandEvent],
    decisions: int,
    what: str,
    gaps: tuple[int, ...],
) -> Compared:
    """Return the comparison of a hand that differs; `gaps` are chips each seat has more than in
    pokerkit at its end.
    """
    reason = named_difference(setup, events, gaps)
    if reason is None:
        story = "\n".join(map(repr, events))
        raise Disagreement(f"{what}\n{story}")
    return Compared(decisions, reason)


def _community_card(setup: HandSetup, happened: tuple[HandEvent, ...]) -> bool:
    """Return whether the stud deck ran out, where pokerkit deals mucked cards again."""
    return VARIANTS[setup.rules.variant].brings_in and any(
        isinstance(event, StreetDealt) and event.cards for event in happened
    )


def _told(other: State, state: HandState, option: Option) -> str:
    return f"seat {state.actor} has {option}, pokerkit {option_of(other, state)}"
