"""Advance a table as far as it can go now: inbox, clock, deal; a pure function of its inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tables.dealer import courses
from tables.dealer.clock import IsConnected, shift, strike
from tables.dealer.commands import Received, obey
from tables.dealer.cuts import take_cuts
from tables.dealer.deal import Shuffle, deal
from tables.dealer.state import TableState
from tables.dealer.turns import show
from tables.wire.client_commands import CutDeck
from tables.wire.table_events import TableEvent

Progress = tuple[TableState, tuple[TableEvent, ...]]


class Outside(NamedTuple):
    """Inputs of a step from outside of the table: the time in ms, decks, and connections."""

    now_ms: int
    shuffle: Shuffle
    is_connected: IsConnected


def advance(
    state: TableState,
    received: Sequence[Received],
    *,
    now_ms: int,
    shift_ms: int,
    shuffle: Shuffle,
    is_connected: IsConnected,
) -> Progress:
    """Obey commands in order of arrival, each before the deadlines it beat; then do what is due.

    Cuts come first: while no card is dealt, a seed is in time, however late this step runs.

    `is_connected` is called only for a passed deadline at a table with disconnection time (X-03).
    """
    outside, before = Outside(now_ms, shuffle, is_connected), state
    state, events = shift(state, shift_ms)
    cuts = [(one.user, one.command) for one in received if isinstance(one.command, CutDeck)]
    if cuts:
        state = take_cuts(state, cuts)
    for command in received:
        if isinstance(command.command, CutDeck):
            continue
        state, struck = _until(state, command.at_ms, outside)
        state, obeyed = obey(state, command, now_ms=now_ms)
        events = (*events, *struck, *obeyed)
    state, struck = _until(state, now_ms + 1, outside)
    events = (*events, *struck)
    return courses.followed(before, state, events), events


def _until(state: TableState, before_ms: int, outside: Outside) -> Progress:
    """Apply everything due before `before_ms`, in order.

    A seat that is asked next is asked at `now_ms`, however late this step runs: no player's clock
    starts before the question is published.
    """
    now_ms, shuffle, is_connected = outside
    events: tuple[TableEvent, ...] = ()
    while True:
        if state.phase == "hand" and state.turn and state.turn.deadline_ms < before_ms:
            state, happened = strike(state, now_ms=now_ms, is_connected=is_connected)
        elif state.phase == "granted" and state.due_ms < before_ms:
            state, happened = deal(state, now_ms=now_ms, shuffle=shuffle)
        elif state.phase == "run_out" and state.due_ms < before_ms:
            state, happened = show(state, now_ms=now_ms)
        else:
            return state, events
        events = (*events, *happened)
