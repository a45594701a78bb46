"""Commands at a table: refused with a reason, or applied once."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tables.dealer import boundary
from tables.dealer.commands import Received
from tables.dealer.grants import Wait
from tables.dealer.state import TableState
from tables.wire.client_commands import ShowCards
from tests.tables import stages
from tests.tables.stages import START_MS
from tests.tables.whole_state import snapshot


@pytest.fixture
def state() -> TableState:
    """Three seats with 1,000 chips each, the first hand dealt."""
    return stages.dealt(stages.roster(1_000, 1_000, 1_000))


def _refused(before: TableState, received: Received) -> str | None:
    after, events = stages.at(before, START_MS, received)
    assert events == ()
    assert after.hand == before.hand
    assert after.turn == before.turn
    assert [seat.chips for seat in after.seats] == [seat.chips for seat in before.seats]
    seat = after.seat_of(received.user)
    return None if seat is None else seat.results[-1].code


@pytest.mark.parametrize(
    ("kind", "amount", "code"),
    [
        ("check", None, "cannot_check"),
        ("bet", 300, "cannot_bet"),
        ("raise", 150, "amount_too_small"),
        ("raise", 1_001, "amount_too_large"),
        ("raise", 0, "amount_too_small"),
        ("raise", 2**53 - 1, "amount_too_large"),
        ("raise", None, "amount_missing"),
        ("call", 100, "amount_missing"),
        ("fold", 1, "amount_missing"),
    ],
)
def test_an_illegal_action_changes_nothing(
    state: TableState, kind: str, amount: int | None, code: str
) -> None:
    assert _refused(state, stages.by_actor(state, stages.act(state, kind, amount))) == code


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"hand": 0}, "stale_command"),
        ({"hand": 2}, "stale_command"),
        ({"turn": 0}, "stale_command"),
        ({"turn": 99}, "stale_command"),
        ({"epoch": 0}, "stale_command"),
    ],
)
def test_a_command_of_another_turn_hand_or_epoch_is_stale(
    state: TableState, change: dict[str, int], code: str
) -> None:
    assert _refused(state, stages.by_actor(state, stages.act(state, "call", **change))) == code


def test_out_of_turn_is_refused(state: TableState) -> None:
    assert state.turn is not None
    other = next(seat for seat in state.seats if seat.seat != state.turn.seat)
    received = Received(other.user, START_MS, stages.act(state, "call"))
    assert _refused(state, received) == "not_your_turn"


def test_a_command_of_a_user_without_seat_is_ignored(state: TableState) -> None:
    assert _refused(state, Received(999, START_MS, stages.act(state, "call"))) is None


def test_a_refusal_names_the_legal_options(state: TableState) -> None:
    received = stages.by_actor(state, stages.act(state, "raise", 150))
    after, _ = stages.at(state, START_MS, received)
    seat = after.seat_of(received.user)
    assert seat is not None
    outcome = seat.results[-1]
    assert not outcome.ok
    assert outcome.message
    assert outcome.allowed
    assert 200 in outcome.allowed.values()


def test_the_same_command_twice_takes_effect_once(state: TableState) -> None:
    twice = stages.by_actor(state, stages.act(state, "call"))
    once, told = stages.at(state, START_MS, twice)
    both, events = stages.at(state, START_MS, twice, twice)
    assert both == once
    assert events == told
    later, nothing = stages.at(once, START_MS, twice)
    assert later == once
    assert nothing == ()


@pytest.mark.rule("S-02")
def test_a_winner_without_showdown_may_show_or_keep_the_cards(state: TableState) -> None:
    while state.phase == "hand":
        state, _ = stages.at(state, START_MS, stages.by_actor(state, stages.act(state, "fold")))
    assert state.hand is not None
    winner = next(seat for seat in state.hand.seats if not seat.folded)
    seat = state.at(winner.seat)
    unseen = snapshot(state, None).seats
    assert all(set(other.cards) <= {"??"} for other in unseen)
    show = ShowCards("s", 7, state.epoch, state.hand_number, "both")
    shown, events = stages.at(state, START_MS, Received(seat.user, START_MS, show))
    assert len(events) == 1
    seen = next(s for s in snapshot(shown, None).seats if s.seat == seat.seat)
    assert seen.cards == winner.cards


@pytest.mark.rule("S-02")
def test_a_newcomer_cannot_show_the_cards_of_the_player_before(state: TableState) -> None:
    """At a ring table the winner leaves, and another player takes the seat before the next hand."""
    while state.phase == "hand":
        state, _ = stages.at(state, START_MS, stages.by_actor(state, stages.act(state, "fold")))
    assert state.hand is not None
    [winner] = [seat.seat for seat in state.hand.seats if not seat.folded]
    rows = [row for row in stages.roster(1_000, 1_000, 1_000) if row.seat == winner]
    came = [replace(row, entry=900, user=901, name="Newcomer", newcomer=True) for row in rows]
    between, _ = boundary.answer(
        boundary.confirm(state), Wait(reason="players", roster=tuple(came)), now_ms=START_MS
    )
    assert [seat.user for seat in between.seats] == [901]
    show = ShowCards("s", 7, state.epoch, state.hand_number, "both")
    assert _refused(between, Received(901, START_MS, show)) == "not_in_hand"


def test_showing_during_the_hand_is_refused(state: TableState) -> None:
    show = ShowCards("s", 7, state.epoch, state.hand_number, "both")
    assert _refused(state, Received(state.seats[0].user, START_MS, show)) == "no_hand"
