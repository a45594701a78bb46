"""Commands of seated players: effect on the table, or refusal."""

from __future__ import annotations

from functools import singledispatch

import msgspec
from msgspec.structs import replace

from config import limits
from tables.dealer import refusals
from tables.dealer.clock import put, start_bank, stop_bank
from tables.dealer.state import Outcome, TableSeat, TableState
from tables.dealer.turns import go_on, play, played_on
from tables.engine import actions
from tables.engine.betting import absent_action
from tables.engine.refusals import ActionRefusal, NotInHand
from tables.wire.client_commands import (
    Act,
    AnsweredCommand,
    ChooseShowdown,
    ComeBack,
    CutDeck,
    ShowCards,
    SitOut,
    TableCommand,
    TimeBank,
)
from tables.wire.table_events import CameBack, SatOut, TableEvent

Progress = tuple[TableState, tuple[TableEvent, ...]]


class Received(msgspec.Struct, frozen=True):
    """A command from the inbox with its sender and its arrival, in ms on the room's clock."""

    user: int
    at_ms: int
    command: TableCommand


class When(msgspec.Struct, frozen=True):
    """Arrival and execution of a command, in ms on the room's clock."""

    arrived_ms: int
    now_ms: int


def obey(state: TableState, received: Received, *, now_ms: int) -> Progress:
    """Carry out a command or note its refusal; a repeated command id has no second effect.

    Cuts, which have no answer, are none of these commands (`cuts.take_cuts`).

    The arrival decides which deadlines the command beat; what follows from it starts at `now_ms`.
    """
    command = received.command
    assert not isinstance(command, CutDeck), "a cut among commands that are answered"
    seat = state.seat_of(received.user)
    if seat is None or any(kept.id == command.id for kept in seat.results):
        return state, ()
    try:
        when = When(arrived_ms=received.at_ms, now_ms=now_ms)
        state, events = _carry_out(command, state, seat, when)
    except ActionRefusal as refusal:
        outcome = Outcome(
            id=command.id,
            code=refusal.code,
            message=refusal.sentence,
            allowed=dict(refusal.allowed) or None,
        )
        events = ()
    else:
        outcome = Outcome(id=command.id, ok=True)
    return _note(state, received.user, outcome), events


@singledispatch
def _carry_out(
    command: AnsweredCommand, state: TableState, seat: TableSeat, when: When
) -> Progress:
    raise AssertionError(command)


@_carry_out.register
def _act(command: Act, state: TableState, seat: TableSeat, when: When) -> Progress:
    _require_hand(state, command.epoch, command.hand)
    assert state.turn is not None
    action = _action(command)
    if command.turn != state.turn.turn:
        raise refusals.StaleCommand()
    played, happened = play(state, seat.seat, action, at_ms=when.arrived_ms)
    state, charged = stop_bank(played, at_ms=when.arrived_ms)
    state, returned = _come_back(state, seat.seat)
    state, told = go_on(state, happened, now_ms=when.now_ms)
    return state, (*charged, *returned, *told)


@_carry_out.register
def _sit_out(command: SitOut, state: TableState, seat: TableSeat, when: When) -> Progress:
    if seat.absent:
        return state, ()
    if state.phase == "hand" and state.turn is not None and state.turn.seat == seat.seat:
        return _leave_turn(state, seat, when)
    return put(state, replace(seat, absent=True)), (SatOut(seat.seat),)


def _leave_turn(state: TableState, seat: TableSeat, when: When) -> Progress:
    """Sit out during the own turn: the seat is folded at once (X-01)."""
    assert state.hand is not None
    forced = absent_action(state.hand)
    played, happened = play(state, seat.seat, forced, at_ms=when.arrived_ms, made_by="absent")
    state, charged = stop_bank(played, at_ms=when.arrived_ms)
    state = put(state, replace(state.at(seat.seat), absent=True))
    state, told = go_on(state, happened, now_ms=when.now_ms)
    return state, (SatOut(seat.seat), *charged, *told)


@_carry_out.register
def _return(command: ComeBack, state: TableState, seat: TableSeat, when: When) -> Progress:
    return _come_back(state, seat.seat)


@_carry_out.register
def _time_bank(command: TimeBank, state: TableState, seat: TableSeat, when: When) -> Progress:
    _require_hand(state, command.epoch, command.hand)
    assert state.turn is not None
    if command.turn != state.turn.turn or state.turn.seat != seat.seat:
        raise refusals.StaleCommand()
    if state.turn.on_bank or seat.bank_ms == 0:
        raise refusals.NoTimeBank()
    return start_bank(state)


@_carry_out.register
def _show(command: ShowCards, state: TableState, seat: TableSeat, when: When) -> Progress:
    if state.hand is None or state.phase not in ("finished", "boundary"):
        raise refusals.NoHand()
    if (command.epoch, command.hand) != (state.epoch, state.hand_number):
        raise refusals.StaleCommand()
    # Who sat down since then has the seat of another player, not that player's cards.
    if state.phase == "boundary" and seat.newcomer:
        raise NotInHand()
    hand, happened = played_on(state.hand, seat.seat, actions.Show(command.cards))
    return replace(state, hand=hand), happened


@_carry_out.register
def _choose_showdown(
    command: ChooseShowdown, state: TableState, seat: TableSeat, when: When
) -> Progress:
    """Keep the choice for coming hands; the hand in play keeps the choice of its deal (S-01)."""
    return put(state, replace(seat, showdown=command.choice)), ()


def _require_hand(state: TableState, epoch: int, hand: int) -> None:
    if state.phase != "hand":
        raise refusals.NoHand()
    if (epoch, hand) != (state.epoch, state.hand_number):
        raise refusals.StaleCommand()


def _action(command: Act) -> actions.Action:
    if (command.amount is None) == (command.action in ("bet", "raise")):
        raise refusals.AmountMissing()
    match command.action:
        case "fold":
            return actions.Fold()
        case "check":
            return actions.Check()
        case "call":
            return actions.Call()
        case "bet":
            return actions.Bet(command.amount or 0)
        case "raise":
            return actions.Raise(command.amount or 0)


def _come_back(state: TableState, number: int) -> Progress:
    seat = state.at(number)
    if not seat.absent:
        return state, ()
    return put(state, replace(seat, absent=False)), (CameBack(number),)


def _note(state: TableState, user: int, outcome: Outcome) -> TableState:
    seat = state.seat_of(user)
    assert seat is not None
    kept = (*seat.results, outcome)[-limits.RESULTS_PER_SEAT_MAX :]
    return put(state, replace(seat, results=kept))
