"""A void hand is told, although the process that made it void died before it told."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db.models import F
from redis import Redis

from tables.dealer.state import TableState
from tables.fairness.leaves import Fate
from tables.models import SealedDeck, Table
from tables.store import epochs, fenced, keys
from tables.workers import recovery, settle, void_hands
from tests.redis_answers import events_of
from tests.tables import damage, playing

pytestmark = pytest.mark.django_db(transaction=True)


class _Died(BaseException):
    """The process was killed."""


@pytest.fixture
def table(room: Redis) -> Table:
    """A table in its first hand."""
    made = playing.sit_down([1_000] * 3)
    assert recovery.adopt(room, 0)
    assert playing.run(room, made.pk).phase == "hand"
    return made


def _wipe(room: Redis, _: int) -> None:
    room.flushall()


def _state(room: Redis, table: Table) -> TableState:
    state = fenced.peek(room, table.pk)
    assert state is not None
    return state


def _voided(room: Redis, table: Table) -> list[bytes]:
    told = events_of(room, keys.events(keys.table(table.pk), 1))
    return [event for event in told if b"hand_voided" in event]


def _die_before_redis(act: Callable[[], object]) -> None:
    """Let a process die after it raised an epoch in PostgreSQL, and before it told Redis."""

    def dies(*_: object) -> None:
        raise _Died

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(epochs, "open_at", dies)
        with pytest.raises(_Died):
            act()


@pytest.mark.parametrize("harm", [_wipe, damage.truncated])
@pytest.mark.parametrize("adopts", [True, False])
def test_the_next_process_tells_a_void_hand(
    room: Redis, table: Table, harm: damage.Damage, adopts: bool
) -> None:
    epoch = _state(room, table).epoch
    harm(room, table.pk)
    _die_before_redis(lambda: recovery.restore(room, table.pk))
    row = Table.objects.get(pk=table.pk)
    assert (row.epoch, row.granted_hand) == (epoch + 1, 0), "the row forgets the hand in play"
    if adopts:
        room.delete(keys.generation(0))
        assert recovery.adopt(room, 0)
    else:
        assert recovery.restore(room, table.pk)
    assert (_state(room, table).epoch, _state(room, table).voided) == (epoch + 2, 1)
    assert len(_voided(room, table)) == 1
    assert playing.run(room, table.pk).phase == "hand"


@pytest.mark.parametrize("harm", [_wipe, damage.truncated])
def test_a_table_that_is_opened_again_tells_its_void_first_hand(
    room: Redis, table: Table, harm: damage.Damage
) -> None:
    harm(room, table.pk)
    _die_before_redis(lambda: recovery.restore(room, table.pk))
    recovery.open_tables(room, [table.pk])
    assert _state(room, table).voided == 1
    assert len(_voided(room, table)) == 1
    recovery.open_tables(room, [table.pk])
    assert len(_voided(room, table)) == 1, "a table that is there stays"


def test_a_hand_that_was_over_and_not_settled_is_told_void(room: Redis, table: Table) -> None:
    while (state := playing.step_on(room, table.pk)).phase != "finished":
        pass
    _die_before_redis(lambda: recovery.rebuild(room, table.pk, seen_epoch=state.epoch))
    settle.settle(room, table.pk)
    assert (_state(room, table).epoch, _state(room, table).voided) == (state.epoch + 2, 1)
    assert [deck.fate for deck in SealedDeck.objects.filter(hand=1)] == [Fate.VOID_IN_PLAY]


def test_a_closed_table_tells_its_void_hand(room: Redis, table: Table) -> None:
    _wipe(room, table.pk)
    _die_before_redis(lambda: recovery.restore(room, table.pk))
    Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSED, epoch=F("epoch") + 1)
    recovery.close_tables(room, [table.pk])
    assert (_state(room, table).phase, _state(room, table).voided) == ("closed", 1)
    assert len(_voided(room, table)) == 1


def test_a_void_hand_is_told_once(room: Redis, table: Table) -> None:
    epoch = _state(room, table).epoch
    for seen in (epoch, epoch + 1):
        assert recovery.rebuild(room, table.pk, seen_epoch=seen)
    assert len(_voided(room, table)) == 1


def test_a_void_hand_is_named_to_those_who_were_away_in_its_epoch(
    room: Redis, table: Table
) -> None:
    epoch = _state(room, table).epoch
    for seen in range(epoch, epoch + 3):
        assert recovery.rebuild(room, table.pk, seen_epoch=seen)
    assert (_state(room, table).epoch, _state(room, table).voided) == (epoch + 3, 1)
    room.delete(keys.generation(0))
    assert recovery.adopt(room, 0)
    assert (_state(room, table).epoch, _state(room, table).voided) == (epoch + 4, 1)
    assert len(_voided(room, table)) == 1
    row = Table.objects.get(pk=table.pk)
    assert void_hands.of(row, _state(room, table)).last == 1
    row.hand = row.granted_hand = 1  # the hand that was dealt in its place is settled
    assert void_hands.of(row, _state(room, table)).last is None


def test_a_settled_hand_is_never_told_void(room: Redis, table: Table) -> None:
    assert recovery.rebuild(room, table.pk, seen_epoch=_state(room, table).epoch)
    playing.run(room, table.pk)
    while playing.step_on(room, table.pk).phase != "finished":
        pass
    settle.settle(room, table.pk)
    assert Table.objects.get(pk=table.pk).hand == 1
    told = len(_voided(room, table))
    row = Table.objects.get(pk=table.pk)
    Table.objects.filter(pk=table.pk).update(granted_hand=1)
    damage.truncated(room, table.pk)
    assert recovery.rebuild(room, table.pk, seen_epoch=row.epoch)
    assert (_state(room, table).voided, len(_voided(room, table))) == (None, told)
