"""A state in Redis that nobody can read: its table is rebuilt, its neighbours play on (Z-04)."""

from __future__ import annotations

import random

import pytest
from django.db.models import F
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as some
from msgspec.structs import replace
from prometheus_client import REGISTRY
from redis import Redis

from tables.dealer import state as states
from tables.dealer.state import TableState
from tables.models import Hand, Seat, Table
from tables.monitor import audit, condition, single_tables
from tables.store import fenced, keys, wakes
from tables.store.hidden_states import encode
from tables.workers import advance, recovery, settle
from tests.redis_answers import entries_of, events_of
from tests.tables import damage, playing
from tests.tables.called_hand import state_of

pytestmark = pytest.mark.django_db(transaction=True)

FAULT = ("room_faults_total", {"kind": "unreadable_state"})


def _playing(room: Redis, count: int) -> list[Table]:
    tables = [playing.sit_down([1_000, 1_000, 1_000]) for _ in range(count)]
    assert recovery.adopt(room, 0)
    for table in tables:
        playing.run(room, table.pk)
    return tables


@pytest.mark.rule("Z-04")
@pytest.mark.parametrize("harm", damage.ALL)
def test_a_damaged_table_is_rebuilt_while_its_neighbour_acts(
    room: Redis, harm: damage.Damage
) -> None:
    broken, sound = _playing(room, 2)
    before = state_of(room, broken), state_of(room, sound)
    harm(room, broken.pk)
    counted = REGISTRY.get_sample_value(*FAULT) or 0
    playing.send(room, before[1], random.Random(1), 1)
    kinds = advance.advance_all(room, [broken.pk, sound.pk])
    assert kinds == {broken.pk: "settle"}
    assert state_of(room, sound).turn != before[1].turn, "the neighbour's action took effect"
    assert (REGISTRY.get_sample_value(*FAULT) or 0) > counted
    settle.settle(room, broken.pk)
    rebuilt = state_of(room, broken)
    assert rebuilt.epoch == before[0].epoch + 1
    assert [seat.chips for seat in rebuilt.seats] == [1_000] * 3
    assert sum(Seat.objects.filter(table=broken).values_list("chips", flat=True)) == 3_000
    assert playing.run(room, broken.pk).phase == "hand"
    assert list(audit.chips(room, Table.objects.all())) == []
    assert not Hand.objects.filter(table=broken).exists()


@pytest.mark.parametrize("harm", damage.ALL)
def test_an_adoption_passes_damaged_tables_by(room: Redis, harm: damage.Damage) -> None:
    broken, closed, sound = _playing(room, 3)
    Table.objects.filter(pk=closed.pk).update(status=Table.Status.CLOSED, epoch=F("epoch") + 1)
    for table in (broken, closed):
        harm(room, table.pk)
    room.delete(keys.generation(0))
    assert recovery.adopt(room, 0)
    for table in (broken, sound):
        assert playing.run(room, table.pk).epoch > 1
    assert state_of(room, closed).phase == "closed"


@pytest.mark.parametrize("harm", damage.ALL)
def test_a_timer_leases_damaged_tables_and_all_others(room: Redis, harm: damage.Damage) -> None:
    tables = _playing(room, 3)
    harm(room, tables[1].pk)
    for table in tables:
        wakes.pull(room, keys.table(table.pk))
    due = {found.member for found in wakes.sweep(room, 0).due}
    assert due >= {keys.table(table.pk) for table in tables}


def test_a_damaged_queue_of_a_table_keeps_no_other_from_its_bell(room: Redis) -> None:
    broken, sound = _playing(room, 2)
    state = state_of(room, broken)
    assert state.turn is not None
    late = replace(state, turn=replace(state.turn, deadline_ms=1))
    room.hset(damage.key_of(broken.pk), mapping={"desk": b"\xff", "state": encode(late)})
    for table in (broken, sound):
        wakes.pull(room, keys.table(table.pk))
    due = {found.member: found.kind for found in wakes.sweep(room, 0).due}
    assert (due[keys.table(broken.pk)], due[keys.table(sound.pk)]) == ("settle", "play")
    # The settle queue passes it on, and the step of its deadline names its queue anew.
    assert settle.settle(room, broken.pk) == "play"
    advance.advance(room, broken.pk)
    assert room.hget(damage.key_of(broken.pk), "desk") == b"play"


@pytest.mark.parametrize("harm", damage.ALL)
def test_the_monitor_shows_a_damaged_table_as_stuck_and_others_as_they_are(
    room: Redis, broker: Redis, harm: damage.Damage
) -> None:
    broken, sound = _playing(room, 2)
    harm(room, broken.pk)
    seen = single_tables.read_tables(room, [broken.pk, sound.pk], now_ms=0)
    assert [(table.phase, table.is_stuck) for table in seen] == [(None, True), ("hand", False)]
    assert condition.read_condition().tables == 2
    assert list(audit.chips(room, Table.objects.all())) == []


@pytest.mark.rule("Z-04")
@pytest.mark.parametrize("harm", [*damage.ALL, None])
def test_a_closed_table_ends_in_redis_whatever_was_left_of_it(
    room: Redis, harm: damage.Damage | None
) -> None:
    broken, sound = _playing(room, 2)
    Table.objects.filter(pk=broken.pk).update(status=Table.Status.CLOSED, epoch=F("epoch") + 1)
    if harm is None:
        room.delete(damage.key_of(broken.pk))
    else:
        harm(room, broken.pk)
    recovery.close_tables(room, [broken.pk, sound.pk])
    ended = state_of(room, broken)
    assert (ended.phase, ended.epoch, ended.seats) == ("closed", 3, ())
    told = events_of(room, keys.events(keys.table(broken.pk), 1))
    assert [b"hand_voided" in told[-2], b"table_closed" in told[-1]] == [True, True]
    assert audit.without_wake(room, map(keys.table, (broken.pk, sound.pk))) == [
        keys.table(broken.pk)
    ]
    assert state_of(room, sound).phase == "hand"


def test_damage_beside_the_state_costs_no_hand(room: Redis) -> None:
    broken, sound = _playing(room, 2)
    before = state_of(room, broken)
    damage.beside(room, broken.pk)
    assert advance.advance_all(room, [broken.pk, sound.pk]) == {}
    playing.send(room, before, random.Random(1), 1)
    assert advance.advance_all(room, [broken.pk, sound.pk]) == {}
    after = state_of(room, broken)
    assert (after.epoch, after.hand_number) == (before.epoch, before.hand_number)
    assert after.turn != before.turn
    told = entries_of(room, keys.events(keys.table(broken.pk), 1))
    assert told[-1][0] == b"%d-%d" % (after.epoch, after.seq)


def test_commands_that_nobody_can_read_are_dropped_and_the_others_obeyed(room: Redis) -> None:
    broken, sound = _playing(room, 2)
    before = state_of(room, broken), state_of(room, sound)
    damage.garbage_beside(room, broken.pk, before[0].seats[0].user)
    advance.advance_all(room, [broken.pk, sound.pk])
    assert not room.exists(keys.inbox(keys.table(broken.pk), 1))
    for number, state in enumerate(before):
        playing.send(room, state, random.Random(1), number)
    advance.advance_all(room, [broken.pk, sound.pk])
    for state in before:
        after = fenced.peek(room, state.table)
        assert after is not None and after.epoch == state.epoch and after.turn != state.turn


def test_commands_of_releases_before_versions_are_obeyed(room: Redis) -> None:
    [table] = _playing(room, 1)
    before = state_of(room, table)
    playing.send(room, before, random.Random(1), 1)
    inbox = keys.inbox(keys.table(table.pk), 1)
    [item] = room.lrange(inbox, 0, -1)
    assert isinstance(item, bytes)
    user, at_ms, version, command = item.split(b" ", 3)
    assert version == b"1"
    room.lset(inbox, 0, b" ".join((user, at_ms, command)).decode())
    advance.advance(room, table.pk)
    assert state_of(room, table).turn != before.turn


def test_any_damage_is_read_as_a_state_or_as_none(room: Redis) -> None:
    [table] = _playing(room, 1)
    whole = states.encode(state_of(room, table))

    @tries(max_examples=60, deadline=None, derandomize=True)
    @given(at=some.integers(0, len(whole) - 1), bits=some.integers(1, 255), cut=some.booleans())
    def damaged(at: int, bits: int, cut: bool) -> None:
        changed = whole[:at] + bytes([whole[at] ^ bits]) + whole[at + 1 :]
        room.hset(damage.key_of(table.pk), "state", whole[:at] if cut else changed)
        found = fenced.peek(room, table.pk)
        assert found is None or isinstance(found, TableState)
        assert (fenced.load(room, table.pk) is None) == (found is None)

    damaged()
