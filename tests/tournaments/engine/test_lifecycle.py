"""State machine of a tournament: only transitions of its table are accepted."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from config.refusals import Refusal
from tournaments.engine.lifecycle import (
    ENDED,
    TRANSITIONS,
    Facts,
    State,
    Step,
    after,
    may,
    shown,
)

STATES: tuple[State, ...] = get_args(State)
STEPS: tuple[Step, ...] = get_args(Step)
FIRST: State = "announced"


def test_a_whole_life_passes_through_the_states() -> None:
    state = FIRST
    seen = [state]
    steps: tuple[Step, ...] = ("open", "start", "freeze", "thaw", "pause", "resume", "finish")
    for step in steps:
        state = after(state, step)
        seen.append(state)
    assert seen == [
        "announced",
        "registering",
        "running",
        "frozen",
        "running",
        "paused",
        "running",
        "finished",
    ]


def test_every_step_outside_the_table_is_refused() -> None:
    for state in STATES:
        for step in STEPS:
            if may(state, step):
                assert after(state, step) in STATES
                continue
            with pytest.raises(Refusal) as refused:
                after(state, step)
            assert refused.value.code == f"cannot_{step}"


def test_final_states_have_no_transition_and_every_state_is_reachable() -> None:
    reached = {FIRST} | {to for moves in TRANSITIONS.values() for to in moves.values()}
    assert reached == set(STATES)
    assert not any(may(state, step) for state in ENDED for step in STEPS)


@pytest.mark.rule("T-13")
def test_an_admin_pause_survives_the_end_of_a_fault() -> None:
    paused = after(after("running", "freeze"), "pause")
    assert paused == "paused"
    assert not may(paused, "thaw")


def test_break_final_table_and_late_registration_are_derived() -> None:
    open_facts = Facts(entries_open=True, on_break=False, final_table=False)
    assert shown("running", open_facts) == "late_registration"
    assert shown("running", Facts(entries_open=True, on_break=True, final_table=False)) == "break"
    last = Facts(entries_open=False, on_break=False, final_table=True)
    assert shown("running", last) == "final_table"
    assert shown("paused", last) == "paused"


def diagram() -> str:
    """Return the transitions as the mermaid state diagram of the docs."""
    lines = ["stateDiagram-v2", f"    [*] --> {FIRST}"]
    for step, moves in TRANSITIONS.items():
        lines += [f"    {before} --> {follows}: {step}" for before, follows in moves.items()]
    lines += [f"    {state} --> [*]" for state in STATES if state in ENDED]
    return "\n".join(lines) + "\n"


def test_the_diagram_shows_every_transition_once() -> None:
    lines = diagram().splitlines()
    assert lines[0] == "stateDiagram-v2"
    arrows = sum(len(moves) for moves in TRANSITIONS.values())
    assert len(lines) == 2 + arrows + len(ENDED)
    assert "    registering --> running: start" in lines


def test_the_docs_show_the_diagram_of_the_code() -> None:
    page = Path(__file__).parents[3] / "docs" / "tournaments.md"
    assert f"```mermaid\n{diagram()}```" in page.read_text(encoding="utf-8")
