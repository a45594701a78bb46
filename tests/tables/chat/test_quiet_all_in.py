"""Chat is quiet during an all-in for the players who are still in the hand."""

from __future__ import annotations

from msgspec.structs import replace

from tables.chat.quiet import is_quiet
from tables.dealer.state import TableState
from tests.tables import stages


def _users(state: TableState) -> list[int]:
    return [seat.user for seat in state.seats]


def _quiet(state: TableState) -> set[int]:
    return {user for user in _users(state) if is_quiet(state, user)}


def _acted(state: TableState, kind: str, amount: int | None = None) -> TableState:
    command = stages.act(state, kind, amount)
    return stages.at(state, stages.START_MS, stages.by_actor(state, command))[0]


def test_nobody_is_quiet_while_all_have_chips() -> None:
    state = stages.dealt(stages.roster(2_000, 2_000, 2_000))
    assert _quiet(state) == set()


def test_players_in_the_hand_are_quiet_from_the_all_in_on() -> None:
    state = stages.dealt(stages.roster(2_000, 2_000, 2_000))
    assert state.turn is not None
    folded = state.at(state.turn.seat).user
    state = _acted(state, "fold")
    state = _acted(state, "raise", 2_000)
    assert _quiet(state) == set(_users(state)) - {folded}
    assert not is_quiet(state, 999), "no player of the table"


def test_the_silence_lasts_until_the_result_is_told() -> None:
    timing = replace(stages.TIMING, street_pause_ms=5_000)
    state = stages.dealt(stages.roster(2_000, 2_000), timing=timing)
    state = _acted(state, "raise", 2_000)
    state = _acted(state, "call")
    assert state.phase == "run_out"
    assert _quiet(state) == set(_users(state))
    assert state.run_out is not None
    told = state.run_out.told.released_at_ms
    state, _ = stages.at(state, told)
    while state.phase == "run_out":
        state, _ = stages.at(state, told)
    assert _quiet(state) == set()
