"""A decided hand stays decided, whatever a Redis that was set back plays in its place."""

from __future__ import annotations

import random

import msgspec
import pytest
from msgspec.structs import replace
from redis import Redis

from tables.dealer.grants import Timing
from tables.dealer.state import TableState
from tables.models import DecidedHand, Hand
from tables.store import fenced, inbox
from tables.workers import advance, decided, recovery, settle
from tests.redis_answers import keys_of
from tests.tables import playing, stages

pytestmark = pytest.mark.django_db(transaction=True)

PACE = Timing(action_ms=60_000, hand_pause_ms=0, showdown_pause_ms=0, street_pause_ms=60_000)


@pytest.fixture
def asked(room: Redis, monkeypatch: pytest.MonkeyPatch) -> TableState:
    """A table whose second player is asked to call all-in."""
    monkeypatch.setattr(playing, "TIMING", PACE)
    table = playing.sit_down([1_000, 1_000])
    assert recovery.adopt(room, 0)
    return _act(room, playing.run(room, table.pk), "raise", 1_000)


def _act(room: Redis, state: TableState, kind: str, amount: int | None = None) -> TableState:
    """The table after the seat to act did this."""
    assert state.turn is not None
    raw = msgspec.json.encode(stages.act(state, kind, amount, id=f"{kind}-{state.epoch}"))
    user = state.at(state.turn.seat).user
    assert inbox.append(room, state.table, user, raw).status == "accepted"
    advance.advance(room, state.table, random.Random(3))
    return _state(room, state.table)


def _state(room: Redis, table: int) -> TableState:
    state = fenced.peek(room, table)
    assert state is not None
    return state


def _set_back(room: Redis, copy: dict[bytes, bytes]) -> None:
    """Let Redis have what it had when it was copied."""
    room.flushall()
    for name, value in copy.items():
        room.restore(name, 0, value)


def _copy(room: Redis) -> dict[bytes, bytes]:
    dumps = {name: room.dump(name) for name in keys_of(room)}
    return {name: dump for name, dump in dumps.items() if dump is not None}


def test_players_who_saw_the_hands_cannot_fold_after_redis_is_set_back(
    room: Redis, asked: TableState
) -> None:
    table, copy = asked.table, _copy(room)
    called = _act(room, asked, "call")
    assert called.phase == "run_out"
    settle.settle(room, table)
    _set_back(room, copy)
    folded = _act(room, asked, "fold")
    assert (folded.phase, folded.epoch) == ("finished", called.epoch)
    settle.settle(room, table)
    assert not Hand.objects.exists()
    again = _state(room, table)
    assert (again.phase, again.epoch) == ("run_out", called.epoch + 1)
    assert (again.setup, again.actions) == (called.setup, called.actions)


def test_a_decided_hand_is_not_replaced_by_one_of_a_fresh_deck(
    room: Redis, asked: TableState
) -> None:
    called = _act(room, asked, "call")
    assert decided.keep(called)
    assert called.setup is not None
    deck = called.setup.deck
    other = replace(called, setup=replace(called.setup, deck=(*deck[1:], deck[0])))
    assert not decided.keep(other)
    before = DecidedHand.objects.get()
    assert decided.of([before.table])[called.table] == replace(called, seq=0)


def test_a_decided_hand_is_kept_again_with_what_was_told_since(
    room: Redis, asked: TableState
) -> None:
    called = _act(room, asked, "call")
    assert decided.keep(called)
    assert called.run_out is not None
    later = replace(called, run_out=replace(called.run_out, coming=called.run_out.coming[1:]))
    assert decided.keep(later)
    kept = DecidedHand.objects.get()
    assert decided.of([kept.table])[called.table] == replace(later, seq=0)
