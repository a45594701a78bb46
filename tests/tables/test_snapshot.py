"""A fresh snapshot equals an old one folded with the events since, for every viewer."""

from __future__ import annotations

import random

import msgspec
import pytest

from tables.engine.visibility import view
from tables.play import boundary
from tables.play.events import HandEvent, TableEvent
from tables.play.snapshot import snapshot
from tables.play.state import TableState
from tables.swarm.view import fold
from tests.tables import playing, stages

VIEWERS = (None, 201, 202, 203, 204)


def _as_seen(event: TableEvent, state: TableState, user: int | None) -> TableEvent:
    seat = None if user is None else state.seat_of(user)
    if not isinstance(event, HandEvent):
        return event
    return view(event, None if seat is None else seat.seat)


@pytest.mark.parametrize("seed", range(12))
def test_snapshot_is_the_fold_of_events(seed: int) -> None:
    chance = random.Random(seed)
    state = stages.empty(6)
    seats = stages.roster(*(chance.randrange(300, 2_000) for _ in range(5)), bank_ms=4_000)
    seen = {user: snapshot(state, user) for user in VIEWERS}
    now_ms = stages.START_MS
    for number in range(120):
        state, events = _step(state, seats, chance, now_ms, number)
        now_ms = max(now_ms, state.due_ms)
        for user in VIEWERS:
            for event in events:
                seen[user] = fold(_as_seen(event, state, user), seen[user])
            assert msgspec.to_builtins(seen[user]) == msgspec.to_builtins(snapshot(state, user))
        if state.phase == "closed":
            return


def _step(
    state: TableState, seats: list, chance: random.Random, now_ms: int, number: int
) -> tuple[TableState, tuple[TableEvent, ...]]:
    if state.phase == "finished":
        return boundary.confirm(state), ()
    if state.phase == "boundary":
        chips = {seat.entry: seat.chips for seat in state.seats}
        left = [
            msgspec.structs.replace(seat, chips=chips.get(seat.entry, seat.chips))
            for seat in seats
            if chips.get(seat.entry, 1)
        ]
        seats[:] = left
        if len(left) < 2:
            return boundary.answer(state, boundary.Close(), now_ms=now_ms)
        return boundary.answer(state, stages.grant(state, left), now_ms=now_ms)
    if state.phase == "granted":
        return stages.at(state, now_ms, seed=number)
    assert state.turn is not None
    if chance.random() < 0.1:
        return stages.at(state, state.turn.deadline_ms, seed=number)
    command = playing.choose(state, chance, number)
    return stages.at(state, now_ms, stages.by_actor(state, command, now_ms), seed=number)
