"""A state in Redis that nobody can read: its table is rebuilt, its neighbours play on (Z-04)."""

from __future__ import annotations

import random

import msgspec
import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as some
from prometheus_client import REGISTRY
from redis import Redis

from tables.dealer import state as states
from tables.dealer.state import TableState
from tables.models import Hand, Seat, Table
from tables.monitor import audit
from tables.store import fenced, keys
from tables.workers import advance, recovery, settle
from tests.tables import playing

pytestmark = pytest.mark.django_db(transaction=True)

DAMAGED = (b"", b"\xc1", b"\x93\x01\x02", msgspec.msgpack.encode({"table": 1}), b"not a state")
FAULT = ("room_faults_total", {"kind": "unreadable_state"})


def _write(room: Redis, table: Table, raw: bytes) -> None:
    room.hset(keys.state(keys.table(table.pk), settings.SHARDS), "state", raw)


def _playing(room: Redis, count: int) -> list[Table]:
    tables = [playing.sit_down([1_000, 1_000, 1_000]) for _ in range(count)]
    assert recovery.adopt(room, 0)
    for table in tables:
        playing.run(room, table.pk)
    return tables


def _state(room: Redis, table: Table) -> TableState:
    state = fenced.peek(room, table.pk)
    assert state is not None
    return state


@pytest.mark.rule("Z-04")
@pytest.mark.parametrize("raw", [*DAMAGED, None], ids=str)
def test_a_damaged_table_is_rebuilt_while_its_neighbour_acts(
    room: Redis, raw: bytes | None
) -> None:
    broken, sound = _playing(room, 2)
    before = _state(room, broken), _state(room, sound)
    _write(room, broken, states.encode(before[0])[:-40] if raw is None else raw)
    counted = REGISTRY.get_sample_value(*FAULT) or 0
    playing.send(room, before[1], random.Random(1), 1)
    desks = advance.advance_all(room, [broken.pk, sound.pk])
    assert desks == {broken.pk: "settle"}
    assert _state(room, sound).turn != before[1].turn, "the neighbour's action took effect"
    assert (REGISTRY.get_sample_value(*FAULT) or 0) > counted
    settle.settle(room, broken.pk)
    rebuilt = _state(room, broken)
    assert rebuilt.epoch == before[0].epoch + 1
    assert [seat.chips for seat in rebuilt.seats] == [1_000] * 3
    assert sum(Seat.objects.filter(table=broken).values_list("chips", flat=True)) == 3_000
    assert playing.run(room, broken.pk).phase == "hand"
    assert list(audit.chips(room, Table.objects.all())) == []
    assert not Hand.objects.filter(table=broken).exists()


def test_an_adoption_passes_damaged_tables_by(room: Redis) -> None:
    broken, closed, sound = _playing(room, 3)
    Table.objects.filter(pk=closed.pk).update(status=Table.Status.CLOSED)
    for table in (broken, closed):
        _write(room, table, b"\xc1")
    room.delete(keys.generation(0))
    assert recovery.adopt(room, 0)
    for table in (broken, sound):
        assert playing.run(room, table.pk).epoch > 1


def test_any_damage_is_read_as_a_state_or_as_none(room: Redis) -> None:
    [table] = _playing(room, 1)
    whole = states.encode(_state(room, table))

    @tries(max_examples=60, deadline=None, derandomize=True)
    @given(at=some.integers(0, len(whole) - 1), bits=some.integers(1, 255), cut=some.booleans())
    def damaged(at: int, bits: int, cut: bool) -> None:
        changed = whole[:at] + bytes([whole[at] ^ bits]) + whole[at + 1 :]
        _write(room, table, whole[:at] if cut else changed)
        found = fenced.peek(room, table.pk)
        assert found is None or isinstance(found, TableState)
        assert (fenced.load(room, table.pk) is None) == (found is None)

    damaged()
