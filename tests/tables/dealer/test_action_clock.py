"""Action clock, time bank and absence, step by step."""

from __future__ import annotations

import pytest

from tables.dealer.commands import Received
from tables.dealer.state import TableState
from tables.engine.events import Checked, Folded
from tables.wire.client_commands import ComeBack, SitOut, TimeBank
from tables.wire.table_events import CameBack, SatOut, TimeBankCharged, TimeBankStarted, TimedOut
from tests.tables import stages
from tests.tables.stages import START_MS, TIMING

DEADLINE_MS = START_MS + TIMING.action_ms


def _actor(state: TableState) -> int:
    assert state.turn is not None
    return state.turn.seat


def _kinds(events: tuple[object, ...]) -> list[type]:
    return [type(event) for event in events]


@pytest.mark.rule("X-02")
def test_before_the_deadline_the_state_stays() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000, 1_000))
    after, events = stages.at(state, DEADLINE_MS - 1)
    assert after == state
    assert events == ()


@pytest.mark.rule("X-02")
def test_without_time_bank_the_deadline_folds_a_seat_that_owes_chips() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000, 1_000))
    seat = _actor(state)
    after, events = stages.at(state, DEADLINE_MS)
    assert after.hand is not None
    assert after.hand.seat(seat).folded
    assert after.at(seat).absent
    assert _kinds(events)[:2] == [TimedOut, SatOut]


@pytest.mark.rule("X-02")
def test_the_deadline_checks_when_a_check_is_free() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000))
    state, _ = stages.at(state, START_MS, stages.by_actor(state, stages.act(state, "call")))
    big_blind = _actor(state)
    after, events = stages.at(state, DEADLINE_MS)
    assert Checked(big_blind) in events
    assert after.hand is not None
    assert after.hand.street == "flop"


@pytest.mark.rule("X-02")
def test_the_time_bank_runs_after_the_clock_and_is_charged_for_the_used_time() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000, 1_000, bank_ms=30_000))
    seat = _actor(state)
    state, events = stages.at(state, DEADLINE_MS)
    assert _kinds(events) == [TimeBankStarted]
    assert state.turn is not None
    assert state.turn.deadline_ms == DEADLINE_MS + 30_000
    used = stages.by_actor(state, stages.act(state, "fold"), DEADLINE_MS + 12_000)
    state, events = stages.at(state, DEADLINE_MS + 12_000, used)
    assert state.at(seat).bank_ms == 18_000
    assert TimeBankCharged(seat, 18_000) in events
    assert not state.at(seat).absent


@pytest.mark.rule("X-02")
def test_an_empty_time_bank_ends_like_the_clock() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000, 1_000, bank_ms=5_000))
    seat = _actor(state)
    state, events = stages.at(state, DEADLINE_MS + 5_000)
    assert state.at(seat).bank_ms == 0
    assert state.at(seat).absent
    assert TimedOut in _kinds(events)


@pytest.mark.rule("X-02")
def test_the_time_bank_can_be_used_early_and_only_once_a_turn() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000, 1_000, bank_ms=5_000))
    seat = state.at(_actor(state))
    assert state.turn is not None
    ask = TimeBank(id="b1", table=7, epoch=1, hand=state.hand_number, turn=state.turn.turn)
    state, events = stages.at(state, START_MS, Received(seat.user, START_MS, ask))
    assert _kinds(events) == [TimeBankStarted]
    again = Received(seat.user, START_MS, TimeBank("b2", 7, 1, ask.hand, ask.turn))
    refused, events = stages.at(state, START_MS, again)
    assert events == ()
    assert refused.at(seat.seat).results[-1].code == "no_time_bank"
    assert refused.turn == state.turn


@pytest.mark.rule("X-04")
def test_a_command_received_before_the_deadline_counts_even_when_read_late() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000, 1_000))
    seat = _actor(state)
    in_time = stages.by_actor(state, stages.act(state, "call"), DEADLINE_MS - 1)
    after, _ = stages.at(state, DEADLINE_MS + 5_000, in_time)
    assert after.hand is not None
    assert not after.hand.seat(seat).folded
    assert not after.at(seat).absent


@pytest.mark.rule("X-04")
def test_a_command_received_after_the_deadline_is_stale() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000, 1_000))
    seat = _actor(state)
    late = stages.by_actor(state, stages.act(state, "call"), DEADLINE_MS + 1)
    after, _ = stages.at(state, DEADLINE_MS + 2, late)
    assert after.hand is not None
    assert after.hand.seat(seat).folded
    assert after.at(seat).results[-1].code == "stale_command"


def test_an_outage_moves_the_deadline_by_its_length() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000, 1_000))
    after, events = stages.at(state, DEADLINE_MS + 500, shift_ms=8_000)
    assert after.turn is not None
    assert after.turn.deadline_ms == DEADLINE_MS + 8_000
    assert len(events) == 1
    again, events = stages.at(after, DEADLINE_MS + 600, shift_ms=8_000)
    assert again == after
    assert events == ()


@pytest.mark.rule("X-01")
def test_an_absent_seat_is_dealt_in_and_folded_at_its_turn() -> None:
    everybody = frozenset({1, 2, 3})
    state = stages.dealt(stages.roster(1_000, 1_000, 1_000, 1_000, absent=everybody - {4}))
    assert state.hand is not None
    assert {seat.seat for seat in state.hand.seats} == {1, 2, 3, 4}
    if state.phase == "hand":
        assert _actor(state) == 4


@pytest.mark.rule("X-01")
def test_the_big_blind_wins_a_hand_of_absent_seats_at_once() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000, 1_000, absent=frozenset({1, 2, 3})))
    assert state.phase == "finished"
    assert sum(seat.chips for seat in state.seats) == 3_000
    assert state.next_hand_ms >= START_MS + 1_000, "an empty table does not spin"


@pytest.mark.rule("X-01")
def test_sitting_out_and_coming_back() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000, 1_000))
    other = next(seat for seat in state.seats if seat.seat != _actor(state))
    out = Received(other.user, START_MS, SitOut("o", 7))
    state, events = stages.at(state, START_MS, out)
    assert _kinds(events) == [SatOut]
    assert state.at(other.seat).absent
    back = Received(other.user, START_MS, ComeBack("k", 7))
    state, events = stages.at(state, START_MS, back)
    assert _kinds(events) == [CameBack]
    assert not state.at(other.seat).absent


@pytest.mark.rule("X-04")
def test_a_late_worker_never_times_out_a_seat_without_a_turn() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000, 1_000, 1_000, 1_000))
    first = _actor(state)
    late_ms = DEADLINE_MS + 60_000
    after, _ = stages.at(state, late_ms)
    assert after.hand is not None
    assert [seat.seat for seat in after.hand.seats if seat.folded] == [first]
    assert after.turn is not None
    assert after.turn.deadline_ms == late_ms + TIMING.action_ms
    in_time = stages.by_actor(state, stages.act(state, "call"), START_MS + 1)
    after, _ = stages.at(state, late_ms, in_time)
    assert after.hand is not None
    assert not any(seat.folded for seat in after.hand.seats)
    assert after.turn is not None
    assert after.turn.deadline_ms == late_ms + TIMING.action_ms


@pytest.mark.rule("X-01")
def test_sitting_out_during_the_own_turn_folds_at_once() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000, 1_000, bank_ms=60_000))
    seat = state.at(_actor(state))
    out = Received(seat.user, START_MS, SitOut("o", 7))
    after, events = stages.at(state, START_MS, out)
    assert _kinds(events)[:2] == [SatOut, Folded]
    assert after.hand is not None
    assert after.hand.seat(seat.seat).folded
