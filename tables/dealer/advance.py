"""Advance a table as far as it can go now: inbox, clock, deal; a pure function of its inputs."""

from __future__ import annotations

from collections.abc import Sequence

from tables.dealer.clock import shift, strike
from tables.dealer.commands import Received, obey
from tables.dealer.deal import Shuffle, deal
from tables.dealer.state import TableState
from tables.dealer.turns import show
from tables.wire.table_events import TableEvent

Progress = tuple[TableState, tuple[TableEvent, ...]]


def advance(
    state: TableState,
    received: Sequence[Received],
    *,
    now_ms: int,
    shift_ms: int,
    shuffle: Shuffle,
) -> Progress:
    """Obey commands in order of arrival, each before the deadlines it beat; then do what is due."""
    state, events = shift(state, shift_ms)
    for command in received:
        state, struck = _until(state, command.at_ms, now_ms, shuffle)
        state, obeyed = obey(state, command, now_ms=now_ms)
        events = (*events, *struck, *obeyed)
    state, struck = _until(state, now_ms + 1, now_ms, shuffle)
    return state, (*events, *struck)


def _until(state: TableState, before_ms: int, now_ms: int, shuffle: Shuffle) -> Progress:
    """Apply everything due before `before_ms`, in order.

    A seat that is asked next is asked at `now_ms`, however late this step runs: no player's clock
    starts before the question is published.
    """
    events: tuple[TableEvent, ...] = ()
    while True:
        if state.phase == "hand" and state.turn and state.turn.deadline_ms < before_ms:
            state, happened = strike(state, now_ms=now_ms)
        elif state.phase == "granted" and state.due_ms < before_ms:
            state, happened = deal(state, now_ms=now_ms, shuffle=shuffle)
        elif state.phase == "run_out" and state.due_ms < before_ms:
            state, happened = show(state, now_ms=now_ms)
        else:
            return state, events
        events = (*events, *happened)
