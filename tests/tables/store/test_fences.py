"""Late and repeated writers of a table are refused in every phase and queue."""

from __future__ import annotations

import random

import pytest
from redis import Redis

from tables.dealer import boundary
from tables.dealer.state import TableState
from tables.models import Table
from tables.store import fenced, keys
from tables.workers import advance, recovery, settle
from tests.tables import playing

pytestmark = pytest.mark.django_db(transaction=True)


def _in_play(room: Redis) -> Table:
    table = playing.sit_down([1_000] * 3)
    assert recovery.adopt(room, 0)
    assert playing.run(room, table.pk).phase == "hand"
    return table


def _to_the_end_of_the_hand(room: Redis, table: int) -> tuple[fenced.Loaded, TableState]:
    """Play a hand out; return the table as read before its last action and after it."""
    chance = random.Random(5)
    for number in range(200):
        state = fenced.peek(room, table)
        assert state is not None
        playing.send(room, state, chance, number)
        loaded = fenced.load(room, table)
        assert loaded is not None
        advance.advance(room, table, chance)
        after = fenced.peek(room, table)
        assert after is not None
        if after.phase == "finished":
            return loaded, after
    raise AssertionError("the hand does not end")


def _dump(room: Redis) -> dict[bytes, bytes | None]:
    return {key: room.dump(key) for key in room.scan_iter()}


def test_a_late_opening_leaves_a_table_in_play_alone(room: Redis) -> None:
    table = _in_play(room)
    chance = random.Random(2)
    state = fenced.peek(room, table.pk)
    assert state is not None
    playing.send(room, state, chance, 1)
    advance.advance(room, table.pk, chance)
    before = _dump(room)
    recovery.open_tables(room, [table.pk])
    assert _dump(room) == before, "state, inbox, wake and stream are as they were"


def test_a_late_closing_of_an_older_epoch_leaves_the_table_alone(room: Redis) -> None:
    table = _in_play(room)
    Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSED)
    before = _dump(room)
    recovery.close_tables(room, [table.pk])
    assert _dump(room) == before, "closing a table raises its epoch first"


def test_a_later_step_that_ends_a_hand_is_refused(room: Redis) -> None:
    table = _in_play(room)
    loaded, finished = _to_the_end_of_the_hand(room, table.pk)
    before = _dump(room)
    assert fenced.commit(room, loaded, finished, (), drained=loaded.drained) is None
    assert _dump(room) == before


def test_a_later_settlement_step_is_refused(room: Redis) -> None:
    table = _in_play(room)
    _to_the_end_of_the_hand(room, table.pk)
    late = fenced.load(room, table.pk)
    assert late is not None and late.state.phase == "finished"
    settle.settle(room, table.pk)
    confirmed = boundary.confirm(late.state)
    before = _dump(room)
    assert fenced.commit(room, late, confirmed, (), drained=0) is None
    assert _dump(room) == before


def test_a_step_of_an_old_epoch_is_refused_even_at_an_equal_version(room: Redis) -> None:
    table = playing.sit_down([1_000] * 3)
    assert recovery.adopt(room, 0)
    late = fenced.load(room, table.pk)
    assert late is not None
    assert recovery.rebuild(room, table.pk, seen_epoch=late.state.epoch)
    rebuilt = fenced.load(room, table.pk)
    assert rebuilt is not None and rebuilt.version == late.version, "only the epoch differs"
    before = _dump(room)
    assert fenced.commit(room, late, late.state, (), drained=0) is None
    assert not fenced.rest(room, late)
    assert _dump(room) == before


def test_a_late_idle_worker_moves_no_wake(room: Redis) -> None:
    table = _in_play(room)
    late = fenced.load(room, table.pk)
    assert late is not None
    state = fenced.peek(room, table.pk)
    assert state is not None
    playing.send(room, state, random.Random(2), 1)
    advance.advance(room, table.pk, random.Random(2))
    before = _dump(room)
    assert not fenced.rest(room, late)
    assert _dump(room) == before


def test_a_rebuilt_table_forgets_the_commands_of_its_old_epoch(room: Redis) -> None:
    table = _in_play(room)
    state = fenced.peek(room, table.pk)
    assert state is not None
    playing.send(room, state, random.Random(2), 1)
    inbox = keys.inbox(keys.table(table.pk), 1)
    assert room.llen(inbox) == 1
    assert recovery.rebuild(room, table.pk, seen_epoch=state.epoch)
    assert room.llen(inbox) == 0


def test_an_applied_command_leaves_the_inbox_and_a_newer_one_wakes_the_table(room: Redis) -> None:
    table = _in_play(room)
    state = fenced.peek(room, table.pk)
    assert state is not None
    playing.send(room, state, random.Random(2), 1)
    loaded = fenced.load(room, table.pk)
    assert loaded is not None and loaded.drained == 1
    playing.send(room, state, random.Random(3), 2)
    assert fenced.commit(room, loaded, loaded.state, (), drained=1) is not None
    member = keys.table(table.pk)
    assert room.llen(keys.inbox(member, 1)) == 1, "the newer command stays"
    due = room.zscore(keys.wakes(0), member)
    assert due is not None
    assert due < loaded.now_ms + playing.TIMING.action_ms / 2, "the wake is before the deadline"


def test_rest_wakes_a_table_soon_when_a_command_waits(room: Redis) -> None:
    table = _in_play(room)
    loaded = fenced.load(room, table.pk)
    assert loaded is not None
    playing.send(room, loaded.state, random.Random(2), 1)
    assert fenced.rest(room, loaded)
    due = room.zscore(keys.wakes(0), keys.table(table.pk))
    assert due is not None
    assert due < loaded.now_ms + playing.TIMING.action_ms / 2, "the wake is before the deadline"
