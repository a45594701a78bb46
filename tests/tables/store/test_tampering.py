"""Arbitrary writes into the room's Redis: PostgreSQL accepts no chip of them."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from redis import Redis

from tables.dealer import record
from tables.dealer.state import TableState
from tables.models import Hand, Seat, Table
from tables.store import fenced, hidden_states, keys
from tables.workers import advance, recovery, settle
from tests.tables import playing

pytestmark = pytest.mark.django_db(transaction=True)

CHIPS = [1_000, 1_000, 1_000]


def _overwrite(room: Redis, state: TableState) -> None:
    room.hset(keys.state(keys.table(state.table), 1), "state", hidden_states.encode(state))


def _richer(state: TableState) -> TableState:
    first, *rest = state.seats
    return replace(state, seats=(replace(first, chips=first.chips + 50_000), *rest))


def _in_the_database() -> list[int]:
    return list(Seat.objects.order_by("seat").values_list("chips", flat=True))


def _until(room: Redis, table: int, phase: str, chance: random.Random) -> TableState:
    for number in range(2_000):
        state = fenced.peek(room, table)
        assert state is not None
        if state.phase == phase:
            return state
        if state.phase == "hand":
            playing.send(room, state, chance, number)
        (advance.advance if state.phase in ("hand", "granted") else settle.settle)(room, table)
    raise AssertionError(f"never {phase}")


def test_chips_added_between_hands_are_refused(room: Redis) -> None:
    table = playing.sit_down(CHIPS).pk
    recovery.open_tables(room, [table])
    state = fenced.peek(room, table)
    assert state is not None and state.phase == "boundary"
    before = _in_the_database()
    _overwrite(room, _richer(state))
    settle.settle(room, table)
    rebuilt = fenced.peek(room, table)
    assert rebuilt is not None
    assert [seat.chips for seat in rebuilt.seats] == before == _in_the_database()
    assert rebuilt.epoch > state.epoch, "the state in Redis is void"


@pytest.mark.parametrize(
    "forge",
    [
        _richer,
        lambda state: replace(state, seats=state.seats[1:]),
        lambda state: replace(
            state, seats=(replace(state.seats[0], entry=999_999), *state.seats[1:])
        ),
    ],
    ids=["chips from nowhere", "a seat less", "another entry"],
)
def test_a_forged_result_of_a_hand_is_refused(
    room: Redis, forge: Callable[[TableState], TableState]
) -> None:
    table = playing.sit_down(CHIPS).pk
    recovery.open_tables(room, [table])
    state = _until(room, table, "finished", random.Random(1))
    before = _in_the_database()
    _overwrite(room, forge(state))
    with pytest.raises(AssertionError):
        settle.settle(room, table)
    assert _in_the_database() == before
    assert Hand.objects.count() == 0
    assert Table.objects.get(pk=table).hand == 0


def test_a_forged_epoch_is_void(room: Redis) -> None:
    table = playing.sit_down(CHIPS).pk
    recovery.open_tables(room, [table])
    state = _until(room, table, "finished", random.Random(1))
    _overwrite(room, replace(state, epoch=state.epoch + 7))
    settle.settle(room, table)
    assert Hand.objects.count() == 0
    assert _in_the_database() == CHIPS


def test_another_result_of_a_settled_hand_is_superseded(room: Redis) -> None:
    table = playing.sit_down(CHIPS).pk
    recovery.open_tables(room, [table])
    finished = _until(room, table, "finished", random.Random(1))
    hand = record.of(finished)
    assert settle.settle_hand(hand)
    assert not settle.settle_hand(hand), "an equal result is a hand settled before"
    settled = _in_the_database()
    other = replace(hand, actions=hand.actions[:-1])
    assert other.digest() != hand.digest()
    with pytest.raises(settle.Superseded, match="ended otherwise"):
        settle.settle_hand(other)
    assert _in_the_database() == settled
