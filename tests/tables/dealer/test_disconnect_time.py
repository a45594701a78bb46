"""Disconnection time: a turn of a player without a connection is extended once (X-03)."""

from __future__ import annotations

import random

import msgspec
import pytest
from msgspec.structs import replace

from config.entropy import shuffled
from tables.dealer.advance import advance
from tables.dealer.state import TableState
from tables.dealer.state import decode as state_read
from tables.dealer.state import encode as state_written
from tables.wire.table_events import (
    DisconnectTimeStarted,
    SatOut,
    TimeBankCharged,
    TimeBankStarted,
    TimedOut,
    TurnBegan,
)
from tests.tables import stages
from tests.tables.client_side import fold, snapshot
from tests.tables.stages import START_MS, TIMING

EXTRA_MS = 25_000
DEADLINE_MS = START_MS + TIMING.action_ms
WAITS = replace(TIMING, disconnect_ms=EXTRA_MS)


def _dealt(*, bank_ms: int = 0) -> TableState:
    return stages.dealt(stages.roster(1_000, 1_000, 1_000, bank_ms=bank_ms), timing=WAITS)


def _actor(state: TableState) -> int:
    assert state.turn is not None
    return state.at(state.turn.seat).user


@pytest.mark.rule("X-03")
def test_a_turn_without_a_connection_is_extended_once() -> None:
    state = _dealt()
    user = _actor(state)
    waits, events = stages.at(state, DEADLINE_MS, gone=frozenset({user}))
    assert waits.turn is not None and state.turn is not None
    assert events == (
        DisconnectTimeStarted(state.turn.seat, state.turn.turn, DEADLINE_MS + EXTRA_MS),
    )
    assert waits.turn.disconnected and waits.turn.deadline_ms == DEADLINE_MS + EXTRA_MS
    assert not stages.seat_of(waits, user).absent
    same, events = stages.at(waits, DEADLINE_MS + EXTRA_MS - 1, gone=frozenset({user}))
    assert (same, events) == (waits, ())
    after, events = stages.at(waits, DEADLINE_MS + EXTRA_MS, gone=frozenset({user}))
    assert [type(event) for event in events][:2] == [TimedOut, SatOut]
    assert stages.seat_of(after, user).absent
    assert after.hand is not None and after.hand.seat(state.turn.seat).folded
    assert after.turn is not None and not after.turn.disconnected, "the next turn begins afresh"


@pytest.mark.rule("X-03")
def test_a_connected_player_gets_no_extra_time() -> None:
    state = _dealt()
    after, events = stages.at(state, DEADLINE_MS, gone=frozenset({1}))
    assert TimedOut in [type(event) for event in events]
    assert DisconnectTimeStarted not in [type(event) for event in events]
    assert stages.seat_of(after, _actor(state)).absent


@pytest.mark.rule("X-02", "X-03")
def test_the_time_bank_runs_first_and_is_used_up() -> None:
    state = _dealt(bank_ms=5_000)
    gone = frozenset({_actor(state)})
    state, events = stages.at(state, DEADLINE_MS, gone=gone)
    assert [type(event) for event in events] == [TimeBankStarted]
    state, events = stages.at(state, DEADLINE_MS + 5_000, gone=gone)
    assert state.turn is not None
    assert events == (
        TimeBankCharged(state.turn.seat, 0),
        DisconnectTimeStarted(state.turn.seat, state.turn.turn, DEADLINE_MS + 5_000 + EXTRA_MS),
    )
    assert not state.turn.on_bank and state.at(state.turn.seat).bank_ms == 0


@pytest.mark.rule("X-03")
def test_a_player_who_is_back_in_time_acts_in_the_same_turn() -> None:
    state = _dealt()
    user = _actor(state)
    waits, _ = stages.at(state, DEADLINE_MS, gone=frozenset({user}))
    back_ms = DEADLINE_MS + EXTRA_MS - 1
    command = stages.by_actor(waits, stages.act(waits, "call"), back_ms)
    after, events = stages.at(waits, back_ms, command)
    assert TimedOut not in [type(event) for event in events]
    assert not stages.seat_of(after, user).absent and _actor(after) != user


def test_a_late_worker_extends_and_then_times_out_in_one_step() -> None:
    state = _dealt()
    _, events = stages.at(state, DEADLINE_MS + EXTRA_MS + 5, gone=frozenset({_actor(state)}))
    kinds = [type(event) for event in events]
    assert kinds[:2] == [DisconnectTimeStarted, TimedOut] and kinds[-1] is TurnBegan


def test_connections_are_asked_for_only_at_a_passed_deadline() -> None:
    asked: list[int] = []

    def is_connected(user: int) -> bool:
        asked.append(user)
        return True

    for timing, now_ms, questions in (
        (WAITS, DEADLINE_MS - 1, 0),
        (WAITS, DEADLINE_MS, 1),
        (TIMING, DEADLINE_MS, 0),
    ):
        asked.clear()
        state = replace(_dealt(), timing=timing)
        advance(
            state,
            (),
            now_ms=now_ms,
            shift_ms=0,
            shuffle=lambda deck: shuffled(deck, random.Random(1)),
            is_connected=is_connected,
        )
        assert asked == [_actor(state)] * questions


def test_an_outage_moves_the_deadline_of_an_extended_turn() -> None:
    state = _dealt()
    gone = frozenset({_actor(state)})
    seen = snapshot(state, None)
    for now_ms, shift_ms in ((DEADLINE_MS, 0), (DEADLINE_MS + 10, 4_000)):
        state, events = stages.at(state, now_ms, shift_ms=shift_ms, gone=gone)
        for event in events:
            seen = fold(event, seen)
        assert seen.turn is not None and seen.turn.disconnected
        assert msgspec.to_builtins(seen) == msgspec.to_builtins(snapshot(state, None))
    assert seen.turn is not None and seen.turn.deadline_ms == DEADLINE_MS + EXTRA_MS + 4_000


def test_states_stored_without_the_fields_decode() -> None:
    state = replace(_dealt(), timing=TIMING)
    raw = msgspec.msgpack.decode(state_written(state)[1:])
    timing, turn = (
        next(place for place, field in enumerate(raw) if field == wanted)
        for wanted in (
            [*msgspec.to_builtins(TIMING)],
            msgspec.msgpack.decode(msgspec.msgpack.encode(state.turn)),
        )
    )
    assert raw[timing].pop() == 0 and raw[turn].pop() is False
    assert state_read(msgspec.msgpack.encode(raw)) == state
