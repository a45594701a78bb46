"""A decided hand is shown step by step, and no step is published before its time."""

from __future__ import annotations

import random

import msgspec
import pytest
from msgspec.structs import replace

from tables.dealer import record
from tables.dealer.grants import Timing
from tables.dealer.state import TableState, decode, encode, wake
from tables.engine.actions import Option
from tables.engine.betting import legal_actions
from tables.engine.events import (
    CardsShown,
    HandEnded,
    HandEvent,
    HandsRevealed,
    PotAwarded,
    StreetDealt,
)
from tables.engine.result import result
from tables.engine.state import Rules
from tables.engine.visibility import view
from tables.wire.table_events import RunOutBegan, TableEvent
from tests.tables import playing, stages
from tests.tables.client_side import fold, snapshot

PACE = Timing(action_ms=10_000, hand_pause_ms=500, showdown_pause_ms=2_000, street_pause_ms=1_000)
START = stages.START_MS
Told = list[tuple[int, TableEvent]]


def _all_in(
    *chips: int, timing: Timing = PACE, rules: Rules = stages.RULES
) -> tuple[TableState, Told]:
    """Put every seat all-in as far as possible; return the state and the events since."""
    state = stages.dealt(stages.roster(*chips), timing=timing, rules=rules)
    told: Told = []
    while state.phase == "hand":
        option = _option(state)
        act = stages.act(state, "call")
        if option.raise_max is not None:
            act = stages.act(state, "raise", option.raise_max)
        elif option.call is None:
            act = stages.act(state, "check")
        state, events = stages.at(state, START, stages.by_actor(state, act))
        told += [(START, event) for event in events]
    return state, told


def _shown(state: TableState, told: Told) -> tuple[TableState, Told]:
    """The run-out as shown by a worker that is always in time."""
    while state.phase == "run_out":
        due, kind = wake(state) or (0, "settle")
        assert kind == "play"
        early, nothing = stages.at(state, due - 1)
        assert (early, nothing) == (state, ()), "no event is published before its time"
        state, events = stages.at(decode(encode(state)), due)
        told += [(due, event) for event in events]
    return state, told


@pytest.mark.rule("S-04")
def test_an_all_in_before_the_flop_is_published_street_by_street() -> None:
    state, told = _shown(*_all_in(2_000, 2_000, 500))
    at = [(ms - START, type(event)) for ms, event in told]
    assert (0, HandsRevealed) in at and (0, RunOutBegan) in at
    streets = [(ms - START, e.street) for ms, e in told if isinstance(e, StreetDealt)]
    assert streets == [(1_000, "flop"), (2_000, "turn"), (3_000, "river")]
    results = {ms for ms, kind in at if kind in (CardsShown, PotAwarded, HandEnded)}
    assert results == {4_000}
    [plan] = [event for _, event in told if isinstance(event, RunOutBegan)]
    assert plan.released_at_ms == START + 4_000
    assert [(one.street, one.at_ms - START) for one in plan.streets] == [
        (street, ms) for ms, street in streets
    ]
    kept = record.of(state)
    assert (kept.released_ms, kept.ended_ms) == (START + 4_000, START + 4_000)
    assert state.next_hand_ms == START + 4_000 + 500 + 2_000


def test_a_run_out_publishes_the_events_of_a_hand_without_pauses() -> None:
    quick, at_once = _all_in(2_000, 2_000, 500, timing=stages.TIMING)
    slow, in_time = _shown(*_all_in(2_000, 2_000, 500))
    assert quick.phase == "finished" and quick.released_ms == START
    told = [event for _, event in in_time if not isinstance(event, RunOutBegan)]
    assert told == [event for _, event in at_once]
    assert record.of(quick).digest() == record.of(slow).digest()
    assert record.of(quick).result == record.of(slow).result


def test_a_hand_that_is_folded_or_shown_down_as_usual_is_released_at_once() -> None:
    state = stages.dealt(stages.roster(2_000, 2_000), timing=PACE)
    folded, events = stages.at(state, START, stages.by_actor(state, stages.act(state, "fold")))
    assert folded.phase == "finished" and folded.released_ms == START
    while state.phase == "hand":
        kind = "check" if _option(state).check else "call"
        state, events = stages.at(state, START, stages.by_actor(state, stages.act(state, kind)))
    assert state.phase == "finished" and state.released_ms == START
    assert any(isinstance(event, CardsShown) for event in events)


def test_an_all_in_on_the_river_has_a_pause_before_its_result() -> None:
    state = stages.dealt(stages.roster(2_000, 2_000), timing=PACE)
    events: tuple[TableEvent, ...] = ()
    while state.phase == "hand":
        assert state.hand is not None
        option = _option(state)
        act = stages.act(state, "check" if option.check else "call")
        if state.hand.street == "river" and option.bet_max is not None:
            act = stages.act(state, "bet", option.bet_max)
        state, events = stages.at(state, START, stages.by_actor(state, act))
    assert isinstance(events[-1], RunOutBegan) and events[-1].streets == ()
    assert any(isinstance(event, HandsRevealed) for event in events)
    state, told = _shown(state, [])
    assert {ms - START for ms, _ in told} == {1_000}


def test_face_down_hands_are_turned_up_with_the_result_of_the_run_out() -> None:
    options = replace(stages.RULES.options, face_up=False)
    told = _shown(*_all_in(2_000, 2_000, rules=replace(stages.RULES, options=options)))[1]
    assert not any(isinstance(event, HandsRevealed) for _, event in told)
    assert [ms - START for ms, e in told if isinstance(e, StreetDealt)] == [1_000, 2_000, 3_000]
    assert {ms - START for ms, e in told if isinstance(e, CardsShown | PotAwarded)} == {4_000}


def test_stud_cards_of_a_run_out_come_with_their_street() -> None:
    stakes = replace(
        stages.STAKES, small_blind=0, big_blind=0, ante=10, ante_kind="per_seat", bring_in=20,
        small_bet=50,
    )  # fmt: skip
    rules = Rules("stud", "no_limit", stakes)
    told = _shown(*_all_in(300, 300, rules=rules))[1]
    beats: dict[int, list[str]] = {}
    for ms, event in told:
        if ms > START:
            beats.setdefault(ms - START, []).append(type(event).__name__)
    assert [names[0] for names in beats.values()] == ["StreetDealt"] * 4 + ["CardsShown"]
    assert all("HoleCardsDealt" in names for names in list(beats.values())[:4])


@pytest.mark.parametrize("user", [None, 201, 202, 203])
def test_a_snapshot_in_a_run_out_is_the_fold_of_published_events(user: int | None) -> None:
    state, _ = _all_in(2_000, 1_500, 500)
    seen = snapshot(state, user)
    assert seen.run_out is not None and seen.board == () and seen.turn is None
    assert {seat.chips for seat in seen.seats} == {0, 500}, (
        "no winner is known before the last step"
    )
    while state.phase == "run_out":
        state, events = stages.at(state, state.due_ms)
        for event in events:
            seen = fold(_as_seen(event, user), seen)
        fresh = snapshot(state, user)
        assert msgspec.to_builtins(seen) == msgspec.to_builtins(fresh)
        assert record.told(state)[-1] == events[-1]
    assert fresh.run_out is None and len(fresh.board) == 5


def test_state_and_snapshot_hold_no_winner_before_the_last_step() -> None:
    state, _ = _all_in(2_000, 1_500, 500)
    while state.phase == "run_out":
        assert [seat.chips for seat in state.seats] == [2_000, 1_500, 500]
        assert state.hand is not None and not state.hand.finished
        told = record.told(state)
        assert not any(isinstance(event, HandEnded | PotAwarded | CardsShown) for event in told)
        state, _ = stages.at(state, state.due_ms)
    assert state.hand is not None
    after = {stack.seat: stack.chips for stack in result(state.hand).stacks_after}
    assert {seat.seat: seat.chips for seat in state.seats} == after


def test_the_schedule_of_a_run_out_is_independent_of_the_winner() -> None:
    plans = set()
    for seed in range(20):
        state = stages.dealt(stages.roster(1_000, 1_000), timing=PACE, seed=seed)
        for kind, amount in (("raise", 1_000), ("call", None)):
            act = stages.act(state, kind, amount)
            state, events = stages.at(state, START, stages.by_actor(state, act))
        plan = events[-1]
        assert isinstance(plan, RunOutBegan)
        plans.add(replace(plan, hand=0))
    assert len(plans) == 1


def test_a_late_worker_publishes_exactly_the_due_steps() -> None:
    state, _ = _all_in(2_000, 2_000)
    state, events = stages.at(state, START + 2_500)
    assert [e.street for e in events if isinstance(e, StreetDealt)] == ["flop", "turn"]
    assert state.phase == "run_out" and state.due_ms == START + 3_000
    state, events = stages.at(state, START + 60_000)
    assert state.phase == "finished"
    assert (state.released_ms, state.ended_ms) == (START + 4_000, START + 60_000)


def test_random_hands_publish_every_event_once_and_in_order() -> None:
    run_outs = 0
    for seed in range(60):
        chance = random.Random(seed)
        chips = [chance.randrange(100, 1_500) for _ in range(chance.randint(2, 6))]
        state = stages.dealt(stages.roster(*chips), timing=PACE, seed=seed)
        told: list[HandEvent] = []
        while state.phase in ("hand", "run_out"):
            received = []
            if state.phase == "hand":
                act = playing.choose(state, chance, len(told))
                received = [stages.by_actor(state, act, state.due_ms)]
            now_ms = state.due_ms if state.phase == "run_out" else START
            state, events = stages.at(state, now_ms, *received)
            told += [event for event in events if isinstance(event, HandEvent)]
            run_outs += any(isinstance(event, RunOutBegan) for event in events)
        assert state.setup is not None
        course = record.replay(state.setup, state.actions)
        assert tuple(told) == course[len(course) - len(told) :]
    assert run_outs >= 10


def _option(state: TableState) -> Option:
    assert state.hand is not None and state.turn is not None
    return legal_actions(state.hand, state.turn.seat)


def _as_seen(event: TableEvent, user: int | None) -> TableEvent:
    if not isinstance(event, HandEvent):
        return event
    return view(event, None if user is None else user - 200)
