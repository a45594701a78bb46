"""Turns of a hand: ask the next seat, fold absent seats, end the hand."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from config import limits
from tables.dealer.record import refold
from tables.dealer.run_out import schedule
from tables.dealer.state import DecisionNote, MadeBy, Played, TableState, Turn
from tables.engine.actions import Action
from tables.engine.betting import absent_action, legal_actions
from tables.engine.decide import decide
from tables.engine.events import CardsShown, HandEvent, HandsRevealed
from tables.engine.evolve import evolve_all
from tables.engine.result import result
from tables.engine.state import HandState
from tables.engine.visibility import view
from tables.wire.table_events import TableEvent, TurnBegan

DESERTED_PAUSE_MS = 1_000
"""Pause between hands in ms when every player who is dealt in is absent."""

Progress = tuple[TableState, tuple[TableEvent, ...]]


def play(
    state: TableState, seat: int, action: Action, *, at_ms: int, made_by: MadeBy = "player"
) -> tuple[TableState, tuple[HandEvent, ...]]:
    """Apply an action of a seat to the hand and keep it; raises the engine's Refusal before."""
    assert state.hand is not None
    hand, events = played_on(state.hand, seat, action)
    actions = (*state.actions, Played(seat, action))
    notes = state.notes
    # A hand that was in play when notes came keeps none: they would belong to other actions.
    if len(notes) == len(state.actions):
        notes = (*notes, DecisionNote(max(0, at_ms - state.began_ms), made_by))
    return replace(state, hand=hand, actions=actions, notes=notes), events


def played_on(
    hand: HandState, seat: int, action: Action
) -> tuple[HandState, tuple[HandEvent, ...]]:
    """Return a hand after an action of a seat, with its events; raises the engine's Refusal."""
    events = decide(hand, seat, action)
    return evolve_all(hand, events), events


def go_on(state: TableState, happened: tuple[HandEvent, ...], *, now_ms: int) -> Progress:
    """Ask the seat to act next after the events `happened`; returns all events, those included.

    Absent seats fold at once, or bring in where they must (X-01, D-02). A hand that is over is
    shown to its end, then it waits to be settled.
    """
    events: list[TableEvent] = list(happened)
    while True:
        assert state.hand is not None
        if state.hand.finished:
            return _end(state, tuple(events), len(happened), now_ms)
        actor = state.hand.actor
        assert actor is not None
        if not state.at(actor).absent:
            break
        forced = absent_action(state.hand)
        state, happened = play(state, actor, forced, at_ms=now_ms, made_by="absent")
        events.extend(happened)
    state = ask(state, now_ms=now_ms)
    return state, (*events, turn_event(state))


def ask(state: TableState, *, now_ms: int) -> TableState:
    """Start the action clock of the seat to act: its own, else that of the table (X-02)."""
    assert state.hand is not None and state.hand.actor is not None and state.timing is not None
    action_ms = state.at(state.hand.actor).action_ms or state.timing.action_ms
    turn = Turn(
        seat=state.hand.actor,
        turn=state.hand.turn,
        asked_ms=now_ms,
        deadline_ms=now_ms + action_ms,
    )
    return replace(state, turn=turn)


def turn_event(state: TableState) -> TurnBegan:
    """Return the event that announces the turn being asked."""
    assert state.turn is not None and state.hand is not None
    return TurnBegan(
        hand=state.hand_number,
        seat=state.turn.seat,
        turn=state.turn.turn,
        deadline_ms=state.turn.deadline_ms,
        bank_ms=state.at(state.turn.seat).bank_ms,
        option=legal_actions(state.hand, state.turn.seat),
    )


def show(state: TableState, *, now_ms: int) -> Progress:
    """Publish the next beat of a run-out; after the last one the hand waits to be settled."""
    assert state.phase == "run_out" and state.run_out is not None and state.hand is not None
    run_out, hand = state.run_out, state.hand
    beat, *coming = run_out.coming
    hand = evolve_all(hand, beat.events)
    state = replace(state, hand=hand, ending=(*state.ending, *_as_seen(beat.events)))
    if coming:
        left = replace(run_out, coming=tuple(coming))
        return replace(state, run_out=left, due_ms=coming[0].at_ms), beat.events
    finished = _finish(state, beat.events, now_ms)
    # Spectators receive events a little later than players, so consequences wait for them too.
    return replace(finished, due_ms=now_ms + limits.SPECTATOR_FRAME_MS), beat.events


def _end(state: TableState, events: tuple[TableEvent, ...], last: int, now_ms: int) -> Progress:
    """Finish the hand, or begin its run-out; `last` of the events followed the last action."""
    assert state.timing is not None
    before, after = events[: len(events) - last], events[len(events) - last :]
    now, run_out = schedule(
        state.hand_number,
        after,  # type: ignore[arg-type]  # what the hand engine made
        now_ms=now_ms,
        breath_ms=state.timing.street_pause_ms,
    )
    if run_out is None:
        seen = _as_seen(after)  # type: ignore[arg-type]
        finished = replace(state, released_ms=now_ms, ending=seen)
        # The events of the hand engine are events of the table, too.
        return _finish(finished, after, now_ms), events  # type: ignore[arg-type]
    hidden = last - now
    assert state.setup is not None
    state = replace(
        state,
        phase="run_out",
        hand=refold(state.setup, state.actions, hidden),
        turn=None,
        due_ms=run_out.coming[0].at_ms,
        released_ms=run_out.told.released_at_ms,
        run_out=run_out,
        ending=_as_seen(after[:now]),  # type: ignore[arg-type]
    )
    return state, (*before, *after[:now], run_out.told)


def _as_seen(events: Sequence[HandEvent]) -> tuple[HandEvent, ...]:
    return tuple([view(event, None) for event in events])


def _finish(state: TableState, last: tuple[HandEvent, ...], now_ms: int) -> TableState:
    assert state.hand is not None
    outcome = result(state.hand)
    after = {stack.seat: stack.chips for stack in outcome.stacks_after}
    seats = tuple(replace(seat, chips=after.get(seat.seat, seat.chips)) for seat in state.seats)
    before = sum(seat.chips for seat in state.seats)
    kept = sum(seat.chips for seat in seats) + outcome.rake
    assert kept == before, "chips were made or lost in a hand"
    return replace(
        state,
        phase="finished",
        seats=seats,
        turn=None,
        run_out=None,
        # A clock that was set back in the hand must not turn its proof red (V06).
        ended_ms=max(now_ms, state.began_ms),
        due_ms=now_ms,
        next_hand_ms=now_ms + _pause_ms(state, last),
    )


def _pause_ms(state: TableState, last: tuple[HandEvent, ...]) -> int:
    """Time to read the result once it is published, in ms."""
    assert state.timing is not None
    timing = state.timing
    pause = timing.hand_pause_ms
    if any(isinstance(event, CardsShown | HandsRevealed) for event in last):
        pause += timing.showdown_pause_ms
    if all(seat.absent for seat in state.seats if seat.dealt):
        pause = max(pause, DESERTED_PAUSE_MS)
    return pause
