"""Table states for tests of the pure steps: seats and a dealt hand, without servers."""

from __future__ import annotations

import random

from msgspec.structs import replace

from config.entropy import shuffled
from tables.dealer import boundary
from tables.dealer.advance import advance
from tables.dealer.commands import Received
from tables.dealer.grants import Grant, RosterSeat, Timing
from tables.dealer.sealed import SealedHand, seal_hand
from tables.dealer.state import TableSeat, TableState
from tables.engine.events import Stakes
from tables.engine.state import Rules
from tables.engine.variants import VARIANTS
from tables.wire.client_commands import Act
from tables.wire.table_events import TableEvent

START_MS = 1_000_000
TIMING = Timing(action_ms=10_000, hand_pause_ms=0, showdown_pause_ms=0, street_pause_ms=0)
STAKES = Stakes(small_blind=50, big_blind=100)
RULES = Rules(variant="holdem", limit="no_limit", stakes=STAKES)
GAMES = {
    name: Rules(name, "fixed_limit", Stakes(0, 0, 10, "per_seat", 20, 50, 100))
    if game.brings_in
    else Rules(name, "pot_limit", Stakes(50, 100, 15, "per_seat"))
    for name, game in VARIANTS.items()
} | {"holdem": RULES}
"""Rules of each game: those without blinds have a bring-in and a fixed limit."""


def empty(seats_max: int = 9) -> TableState:
    """A table before its first hand."""
    return TableState(
        table=7,
        game=3,
        number=1,
        seats_max=seats_max,
        epoch=1,
        seq=0,
        phase="boundary",
        due_ms=START_MS,
        hand_number=0,
        seats=(),
        level=0,
        round=0,
        stakes=Stakes(small_blind=0, big_blind=0),
    )


def roster(*chips: int, bank_ms: int = 0, absent: frozenset[int] = frozenset()) -> list[RosterSeat]:
    """Seats 1, 2, ... with these chips; entry 100 + seat, user 200 + seat."""
    return [
        RosterSeat(
            seat=seat,
            entry=100 + seat,
            user=200 + seat,
            name=f"Seat {seat}",
            chips=amount,
            bank_ms=bank_ms,
            absent=seat in absent,
            newcomer=True,
        )
        for seat, amount in enumerate(chips, start=1)
    ]


def grant(
    state: TableState, seats: list[RosterSeat], timing: Timing = TIMING, rules: Rules = RULES
) -> Grant:
    """Permission for the next hand to these seats."""
    return Grant(
        hand=state.hand_number + 1,
        rules=rules,
        level=1,
        round=0,
        timing=timing,
        roster=tuple(seats),
        draw_button=state.hand_number == 0,
    )


def dealt(
    seats: list[RosterSeat], *, seed: int = 1, timing: Timing = TIMING, rules: Rules = RULES
) -> TableState:
    """A table whose first hand was just dealt at START_MS."""
    state, _ = boundary.answer(empty(), grant(empty(), seats, timing, rules), now_ms=START_MS)
    return at(state, START_MS, seed=seed)[0]


def seat_of(state: TableState, user: int) -> TableSeat:
    """The seat of a user who has one."""
    seat = state.seat_of(user)
    assert seat is not None
    return seat


def at(
    state: TableState,
    now_ms: int,
    *received: Received,
    shift_ms: int = 0,
    seed: int = 1,
    gone: frozenset[int] = frozenset(),
) -> tuple[TableState, tuple[TableEvent, ...]]:
    """One step of the table at `now_ms`; the users `gone` have no connection."""
    chance = random.Random(seed)
    return advance(
        state,
        received,
        now_ms=now_ms,
        shift_ms=shift_ms,
        shuffle=lambda deck: shuffled(deck, chance),
        is_connected=lambda user: user not in gone,
    )


def act(state: TableState, kind: str, amount: int | None = None, **change: object) -> Act:
    """Command of the seat to act."""
    assert state.turn is not None
    command = Act(
        id=f"act-{state.hand_number}-{state.turn.turn}",
        table=state.table,
        epoch=state.epoch,
        hand=state.hand_number,
        turn=state.turn.turn,
        action=kind,  # type: ignore[arg-type]
        amount=amount,
    )
    return replace(command, **change)


def by_actor(state: TableState, command: Act, at_ms: int = START_MS) -> Received:
    """Command of the seat to act, as it arrives in the inbox."""
    assert state.turn is not None
    return Received(user=state.at(state.turn.seat).user, at_ms=at_ms, command=command)


def sealed_hand(state: TableState) -> SealedHand:
    """A sealed deck for the next hand of a table."""
    return seal_hand(
        bytes(16),
        bytes(range(32)),
        table=state.table,
        epoch=state.epoch,
        hand=state.hand_number + 1,
        now_ms=START_MS,
    )
