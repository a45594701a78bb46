"""Finished hands for tests, played through the pure steps of a table at a known pace."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from tables.dealer import record
from tables.dealer.record import HandRecord
from tables.engine.events import Stakes
from tables.engine.state import Rules
from tests.tables import playing, stages

PACE_MS = 1_500


def hand(seed: int, chips: tuple[int, ...], *, variant: str = "holdem", **pace: Any) -> HandRecord:
    """A hand of these stacks with random actions, one each PACE_MS, and its run-out."""
    rules = Rules(variant=variant, limit="pot_limit", stakes=stages.STAKES)
    if variant.startswith("stud"):
        rules = Rules(variant, "fixed_limit", Stakes(0, 0, 10, "per_seat", 20, 50))
    timing = replace(stages.TIMING, **pace)
    state = stages.dealt(stages.roster(*chips), seed=seed, rules=rules, timing=timing)
    chance, now_ms = random.Random(seed), stages.START_MS
    for number in range(1_000):
        if state.phase == "finished":
            return record.of(state)
        if state.phase == "run_out":
            now_ms = state.due_ms
            state, _ = stages.at(state, now_ms)
            continue
        now_ms += PACE_MS
        act = playing.choose(state, chance, number)
        state, _ = stages.at(state, now_ms, stages.by_actor(state, act, now_ms))
    raise AssertionError("the hand does not end")
