"""Tables after an accepted loss of PostgreSQL: no epoch comes again, and what is lost is void."""

from __future__ import annotations

import random

import msgspec
import pytest
from django.db import connection
from msgspec.structs import replace
from redis import Redis

from tables.dealer.grants import Timing
from tables.dealer.state import TableState
from tables.models import DecidedHand, SealedDeck, Seat, Table
from tables.store import fenced, inbox, keys
from tables.workers import advance, database_losses, recovery, settle, tasks
from tests.redis_answers import events_of
from tests.tables import playing, stages

pytestmark = pytest.mark.django_db(transaction=True)

PACE = Timing(action_ms=60_000, hand_pause_ms=0, showdown_pause_ms=0, street_pause_ms=60_000)


@pytest.fixture
def table(room: Redis, monkeypatch: pytest.MonkeyPatch) -> int:
    """A table of two in its first hand."""
    monkeypatch.setattr(playing, "TIMING", PACE)
    made = playing.sit_down([1_000, 1_000])
    assert recovery.adopt(room, 0)
    playing.run(room, made.pk)
    return made.pk


def _accept(room: Redis) -> None:
    with connection.cursor() as cursor:
        database_losses.go_on_above(cursor, room)


def _state(room: Redis, table: int) -> TableState:
    state = fenced.peek(room, table)
    assert state is not None
    return state


def _decide(room: Redis, table: int) -> TableState:
    """Let both players go all-in, and keep the hand that this decides."""
    for kind, amount in (("raise", 1_000), ("call", None)):
        state = _state(room, table)
        assert state.turn is not None
        raw = msgspec.json.encode(stages.act(state, kind, amount))
        user = state.at(state.turn.seat).user
        assert inbox.append(room, table, user, raw).status == "accepted"
        advance.advance(room, table, random.Random(3))
    settle.settle(room, table)
    assert DecidedHand.objects.filter(table=table).exists()
    return _state(room, table)


def _lose_rebuilding(room: Redis, table: int) -> int:
    """Rebuild a table, and let PostgreSQL lose that; return the epoch that it has again."""
    row = Table.objects.filter(pk=table)
    [before] = row.values("epoch", "granted_hand", "grant")
    kept = DecidedHand.objects.filter(table=table)
    epochs = dict(kept.values_list("pk", "epoch"))
    assert recovery.rebuild(room, table, seen_epoch=before["epoch"])
    row.update(**before)
    for pk, epoch in epochs.items():
        kept.filter(pk=pk).update(epoch=epoch)
    return int(before["epoch"])


def test_an_epoch_that_both_servers_lost_comes_no_second_time(room: Redis, table: int) -> None:
    """PostgreSQL lost it, and Redis was emptied between the acceptance and the rebuilding."""
    lost = 1 + _lose_rebuilding(room, table)
    _accept(room)
    room.flushall()
    assert recovery.adopt(room, 0)
    assert _state(room, table).epoch > lost


def test_an_epoch_that_is_not_lost_stays_until_the_adoption(room: Redis, table: int) -> None:
    before = Table.objects.get(pk=table).epoch
    _accept(room)
    assert Table.objects.get(pk=table).epoch == before


def test_a_decided_hand_goes_on_above_an_epoch_that_is_lost(room: Redis, table: int) -> None:
    """PostgreSQL had it under another epoch than its table: it was neither void nor played on."""
    decided = _decide(room, table)
    lost = 1 + _lose_rebuilding(room, table)
    _accept(room)
    assert recovery.adopt(room, 0)
    after = _state(room, table)
    assert after.epoch > lost
    assert (after.phase, after.setup, after.actions) == ("run_out", decided.setup, decided.actions)


def test_a_hand_after_a_decided_one_that_goes_on_is_told_void(room: Redis, table: int) -> None:
    """PostgreSQL lost the end of the first hand and all of the second one (seed 40284)."""
    decided = _decide(room, table)
    loaded = fenced.load(room, table)
    assert loaded is not None
    second = replace(loaded.state, hand_number=2)
    assert fenced.commit(room, loaded, second, (), drained=0) is not None
    _accept(room)
    assert recovery.adopt(room, 0)
    after = _state(room, table)
    assert (after.phase, after.hand_number, after.voided) == ("run_out", 1, 2)
    assert (after.setup, after.actions) == (decided.setup, decided.actions)
    lines = events_of(room, keys.events(keys.table(table), 1))
    assert [msgspec.json.decode(line)["hand"] for line in lines if b"hand_voided" in line] == [2]


def test_a_decided_hand_that_goes_on_has_no_pledge(room: Redis, table: int) -> None:
    """PostgreSQL lost its end, after the next hand had been called with them (seed 377)."""
    loaded = fenced.load(room, table)
    assert loaded is not None
    seats = tuple(replace(seat, pledge=b"p" * 32) for seat in loaded.state.seats)
    assert fenced.commit(room, loaded, replace(loaded.state, seats=seats), (), drained=0)
    assert {seat.pledge for seat in _decide(room, table).seats} == {b"p" * 32}
    _accept(room)
    assert recovery.adopt(room, 0)
    after = _state(room, table)
    assert after.phase == "run_out"
    assert {seat.pledge for seat in after.seats} == {b""}


@pytest.fixture
def waiting(room: Redis) -> int:
    """A table that is about to ask for its first hand."""
    made = playing.sit_down([1_000, 1_000])
    assert recovery.adopt(room, 0)
    return made.pk


def _lose(table: int) -> None:
    SealedDeck.objects.filter(table=table).delete()
    Seat.objects.filter(table=table).delete()
    Table.objects.filter(pk=table).delete()


@pytest.mark.parametrize("is_adopted", [False, True])
def test_a_settler_that_stood_still_leaves_a_lost_table_to_the_adoption(
    room: Redis, waiting: int, monkeypatch: pytest.MonkeyPatch, is_adopted: bool
) -> None:
    """The settler loaded the table before the loss and found no row after it (seed 40092)."""
    real = settle._next_step

    def late(loaded: fenced.Loaded) -> object:
        monkeypatch.setattr(settle, "_next_step", real)
        _lose(waiting)
        _accept(room)
        if is_adopted:
            assert recovery.adopt(room, 0)
        return real(loaded)

    monkeypatch.setattr(settle, "_next_step", late)
    tasks.settle_table(keys.table(waiting))
    assert (_state(room, waiting).phase == "closed") == is_adopted
    assert is_adopted or recovery.adopt(room, 0)
    assert _state(room, waiting).phase == "closed"


def test_a_table_that_lost_its_row_alone_is_reported(room: Redis, waiting: int) -> None:
    _lose(waiting)
    with pytest.raises(Table.DoesNotExist):
        settle.settle(room, waiting)
