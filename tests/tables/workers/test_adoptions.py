"""Trust in a run of Redis: fenced before its adoption, believed or not by who outlived it."""

from __future__ import annotations

import pytest
from django.db import connections as database
from django.db.models import F
from pytest_django.fixtures import Settings
from redis import Redis

from config import clock, limits
from config.process import durable as guarantees
from config.redis import run_id
from tables.models import ShardGeneration, Table
from tables.store import fenced, keys, wakes
from tables.workers import recovery, tasks
from tables.workers.timers import Timer
from tests.conftest import world
from tests.tables import playing
from tests.tables.gateway.sockets import wait_for
from tests.tables.gateway.streams.power import DurableRedis, durable

__all__ = ["durable"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(room: Redis, durable: DurableRedis) -> Table:
    """A table in its first hand, in a room whose Redis keeps what it answers."""
    made = playing.sit_down([1_000] * 3)
    assert recovery.adopt(room, 0)
    playing.run(room, made.pk)
    return made


def _restart(room: Redis) -> str:
    """Let the room see another run of Redis, with the same data; return the generation."""
    room.set(keys.run(0), "the run before")
    return ShardGeneration.objects.get(shard=0).generation


def _epoch(table: Table) -> int:
    return Table.objects.get(pk=table.pk).epoch


def test_nothing_is_leased_or_loaded_before_a_run_is_adopted(room: Redis, table: Table) -> None:
    _restart(room)
    before = fenced.peek(room, table.pk)
    wakes.pull(room, keys.table(table.pk))
    swept = wakes.sweep(room, 0)
    assert (swept.generation, swept.due) == (None, ())
    with pytest.raises(fenced.NotAdopted):
        fenced.load(room, table.pk)
    tasks.advance(keys.table(table.pk))
    tasks.settle_table(keys.table(table.pk))
    assert fenced.peek(room, table.pk) == before
    assert wakes.due(room, keys.table(table.pk)) == 0


def test_hands_go_on_in_a_new_run_with_the_guarantee(room: Redis, table: Table) -> None:
    generation, before = _restart(room), fenced.peek(room, table.pk)
    assert not recovery.adopt(room, 0)
    assert ShardGeneration.objects.get(shard=0).generation == generation
    assert room.get(keys.run(0)) == run_id(room).encode()
    assert fenced.peek(room, table.pk) == before
    assert fenced.load(room, table.pk) is not None


@pytest.mark.parametrize(
    ("name", "value"),
    [("appendfsync", "everysec"), ("appendfsync", "no"), ("no-appendfsync-on-rewrite", "yes")],
)
def test_hands_are_void_in_a_new_run_of_a_server_that_may_forget(
    room: Redis, table: Table, name: str, value: str
) -> None:
    generation, epoch = _restart(room), _epoch(table)
    room.config_set(name, value)
    assert f"{name} is {value}" in guarantees.advice_on_redis(room)
    assert recovery.adopt(room, 0)
    assert _epoch(table) == epoch + 1
    assert ShardGeneration.objects.get(shard=0).generation != generation


def test_the_operator_answers_for_a_server_that_may_not_be_asked(
    room: Redis, table: Table, settings: Settings
) -> None:
    room.config_set("appendfsync", "everysec")
    settings.ROOM_REDIS_DURABLE = "yes"
    assert guarantees.advice_on_redis(room) == ""
    settings.ROOM_REDIS_DURABLE = "no"
    room.config_set("appendfsync", "always")
    assert "ROOM_REDIS_DURABLE is no" in guarantees.advice_on_redis(room)


def test_a_promoted_replica_is_not_believed(room: Redis, broker: Redis, table: Table) -> None:
    assert guarantees.lacking_in_redis(room) == ""
    master = broker.connection_pool.connection_kwargs
    room.config_set("masterauth", master["password"])
    room.replicaof(master["host"], master["port"])
    wait_for(lambda: room.info("replication")["master_link_status"] == "up", 30.0)
    room.replicaof("NO", "ONE")
    assert guarantees.lacking_in_redis(room) == "it was promoted from a replica"


def test_postgresql_knows_hands_that_redis_forgot(room: Redis, table: Table) -> None:
    _restart(room)
    Table.objects.filter(pk=table.pk).update(hand=F("hand") + 5, granted_hand=F("hand") + 5)
    epoch = _epoch(table)
    assert recovery.adopt(room, 0)
    assert _epoch(table) == epoch + 1


def test_a_loss_that_was_found_voids_the_hands_after_another_restart(
    room: Redis, table: Table
) -> None:
    _restart(room)
    room.set(keys.run(0), "none")
    room.hset(keys.witnesses(0), mapping={"gone": "earlier lost", "here": f"{run_id(room)} whole"})
    epoch = _epoch(table)
    assert recovery.adopt(room, 0)
    assert _epoch(table) == epoch + 1


def test_a_second_end_of_a_table_has_an_epoch_of_its_own(room: Redis, table: Table) -> None:
    member = keys.table(table.pk)
    old = {key: room.dump(key) for key in (keys.state(member, 1), keys.wakes(0))}
    Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSED, epoch=F("epoch") + 1)
    recovery.close_tables(room, [table.pk])
    first = fenced.peek_best_all(room, [table.pk])[0]
    assert first is not None and first.state.phase == "closed"
    # Redis comes back as it was before the table closed, and is not believed.
    for key, data in old.items():
        room.restore(key, 0, data or b"", replace=True)
    room.delete(keys.generation(0))
    assert recovery.adopt(room, 0)
    second = fenced.peek_best_all(room, [table.pk])[0]
    assert second is not None and second.state.phase == "closed"
    assert second.state.epoch == _epoch(table) == first.state.epoch + 1
    # A table that is known to have ended ends no second time.
    room.delete(keys.generation(0))
    assert recovery.adopt(room, 0)
    assert _epoch(table) == second.state.epoch


@pytest.mark.parametrize("adopts", [True, False])
def test_epochs_are_not_used_again_when_postgresql_came_back_older(
    room: Redis, table: Table, adopts: bool
) -> None:
    epoch = _epoch(table)
    for seen in (epoch, epoch + 1):
        assert recovery.rebuild(room, table.pk, seen_epoch=seen)
    playing.run(room, table.pk)
    Table.objects.filter(pk=table.pk).update(epoch=epoch, granted_hand=0, grant=None)
    if adopts:
        room.delete(keys.generation(0))
        assert recovery.adopt(room, 0)
    else:
        assert recovery.rebuild(room, table.pk, seen_epoch=epoch)
    rebuilt = fenced.peek(room, table.pk)
    assert rebuilt is not None
    assert (rebuilt.epoch, rebuilt.voided, rebuilt.phase) == (epoch + 3, 1, "boundary")
    assert playing.run(room, table.pk).phase == "hand"


@pytest.mark.parametrize(("back_ms", "voids"), [(3_600_000, True), (5_000, False)])
def test_a_clock_set_back_freezes_no_table(
    room: Redis, table: Table, back_ms: int, voids: bool
) -> None:
    timer, epoch, member = Timer(room, adopts=True), _epoch(table), keys.table(table.pk)
    timer.sweep(0)
    # What the room holds is of a clock that was ahead.
    room.hincrby(keys.beat(0), "last", back_ms)
    room.zincrby(keys.wakes(0), back_ms, member)
    for _ in range(3):
        timer.sweep(0)
    assert _epoch(table) == epoch + voids
    state = fenced.peek(room, table.pk)
    assert state is not None and state.voided == (1 if voids else None)
    due_ms = wakes.due(room, member)
    assert due_ms is not None
    assert due_ms < clock.redis_now_ms(room) + 60_000 + back_ms * (not voids)
    assert playing.run(room, table.pk).phase == "hand"
    database.close_all()


def test_a_silent_web_process_is_awaited_for_a_while(
    room: Redis, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    _restart(room)
    room.hset(keys.gateways(0), mapping={"silent": 1_000_000, "dead": 1_000})
    assert not recovery.adopt(room, 0)
    assert room.get(keys.run(0)) == b"the run before", "the process may know more"
    room.hset(keys.witnesses(0), "silent", f"{run_id(room)} whole")
    assert not recovery.adopt(room, 0)
    assert room.get(keys.run(0)) == run_id(room).encode()
    _restart(room)
    room.hdel(keys.witnesses(0), "silent")
    monkeypatch.setattr(limits, "WITNESSES_WAIT_MS", 0)
    assert not recovery.adopt(room, 0)
    assert room.get(keys.run(0)) == run_id(room).encode(), "a process may never come back"


def test_a_timer_adopts_a_restarted_redis_and_leases_again(
    room: Redis, durable: DurableRedis, table: Table
) -> None:
    timer = Timer(room, adopts=True)
    timer.sweep(0)
    epoch = _epoch(table)
    durable.come_back()
    for _ in range(3):
        timer.sweep(0)
    assert wakes.sweep(room, 0).generation is not None
    assert _epoch(table) == epoch
    database.close_all()


def test_the_operator_is_told_of_a_postgresql_that_may_lose_rows(
    room: Redis, durable: DurableRedis
) -> None:
    with database["default"].cursor() as cursor:
        cursor.execute("SET synchronous_commit = off")
        advice = guarantees.advice_on_database()
        cursor.execute("RESET synchronous_commit")
    assert advice.startswith("PostgreSQL: ") and "synchronous_commit is off" in advice


def test_embedded_servers_of_a_room_give_the_guarantee(room: Redis, durable: DurableRedis) -> None:
    assert guarantees.advice_on_redis(room) == ""
    assert world.servers.room.keeps is False, "the tests' own server has no file"
