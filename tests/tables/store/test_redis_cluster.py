"""Room on a real Redis Cluster: tables on every shard, a lost master, a moved shard, hints."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connections, transaction
from pytest_django.fixtures import Settings
from redis import Redis
from redis.exceptions import RedisError

from config import limits
from config import redis as doors
from tables.gateway.hub import Gateway
from tables.models import ShardGeneration, Table
from tables.monitor import audit, single_tables
from tables.store import connections as tabs
from tables.store import fenced, keys, streams, wakes
from tables.workers import advance, presence, recovery
from tables.workers.presence import Worker
from tables.workers.timers import Timer
from tests.tables import playing
from tests.tables.gateway.sockets import PATIENCE_S, wait_for
from tests.tables.store.clusters import SHARDS, Cluster, running
from tournaments.events import outbox

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Nodes that run for all tests of this module."""
    with running() as made:
        yield made


@pytest.fixture
def room(cluster: Cluster, settings: Settings, broker: Redis) -> Iterator[Any]:
    """Client of the cluster, emptied, as the room's Redis of this process."""
    settings.ROOM_REDIS_URL = cluster.url
    settings.ROOM_REDIS_DURABLE = "yes"  # the servers of tests keep no file
    settings.ROOM_REDIS_MODE = "cluster"
    settings.SHARDS = SHARDS
    doors.forget()
    client: Any = doors.room()
    for node in client.get_primaries():
        client.flushall(target_nodes=node)
    yield client
    doors.forget()


TableOfShard = tuple[int, int]
"""Shard and id of a table."""


def _timers(room: Any) -> Timer:
    """Timer that has adopted every shard."""
    timer = Timer(room, adopts=True)
    for shard in range(SHARDS):
        timer.sweep(shard)
    return timer


def _on_every_shard(room: Any) -> list[TableOfShard]:
    """Tables in play with a turn to act, at least one on each shard."""
    made: dict[int, int] = {}
    while len(made) < SHARDS:
        table = playing.sit_down([1_000, 1_000])
        shard = keys.shard(keys.table(table.pk), SHARDS)
        if shard not in made:
            made[shard] = table.pk
            recovery.open_tables(room, [table.pk])
            playing.run(room, table.pk)
    return sorted(made.items())


def _epochs() -> dict[int, int]:
    return dict(Table.objects.values_list("pk", "epoch"))


def test_tables_on_every_shard_play_and_are_watched(room: Any) -> None:
    timer = _timers(room)
    tables = _on_every_shard(room)
    for number, (_, table) in enumerate(tables):
        state = fenced.peek(room, table)
        assert state is not None and state.phase == "hand"
        playing.send(room, state, random.Random(number), number)
        advance.advance(room, table)
        after = fenced.peek(room, table)
        assert after is not None and after.seq > state.seq
    ids = [table for _, table in tables]
    names = [keys.table(table) for table in ids]
    assert audit.without_wake(room, names) == []
    assert list(audit.chips(room, Table.objects.filter(pk__in=ids))) == []
    looks = single_tables.read_tables(room, ids, wakes.now_ms(room, 0))
    assert [look.phase is not None for look in looks] == [True] * SHARDS
    assert len(set(_generations())) == SHARDS
    presence.note(room, Worker("play0", ("play.0",), wakes.now_ms(room, 3)), 3)
    assert [one.name for one in presence.workers(room, wakes.now_ms(room, 0))] == ["play0"]
    assert not tabs.is_connected(room, ids[0], 1, wakes.now_ms(room, 0))
    assert timer.sweep(0) > 0
    connections.close_all()


def _generations() -> list[str]:
    return list(ShardGeneration.objects.values_list("generation", flat=True))


def test_a_moved_shard_plays_on_in_its_epoch(room: Any, cluster: Cluster) -> None:
    timer = _timers(room)
    shard, table = _on_every_shard(room)[0]
    before, generations = _epochs(), _generations()
    owner = cluster.masters()[shard]
    target = next(name for name in cluster.masters().values() if name != owner)
    cluster.move(shard, target)
    for number in range(SHARDS):
        timer.sweep(number)
        timer.sweep(number)
    state = fenced.peek(room, table)
    assert state is not None
    playing.send(room, state, random.Random(1), 1)
    advance.advance(room, table)
    after = fenced.peek(room, table)
    assert after is not None and after.seq > state.seq
    assert (_epochs(), _generations()) == (before, generations)
    connections.close_all()


def test_hints_of_every_shard_reach_a_gateway_also_once_it_moved(
    room: Any, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No periodic comparison, which would find what a lost hint told.
    monkeypatch.setattr(limits, "HEADS_EVERY_MS", 3_600_000)
    heard: set[str] = set()
    compared: list[int] = []
    wanted = {f"never:{number}" for number in range(40)}

    class Listening(Gateway):
        def hear(self, hint: str) -> None:
            heard.add(hint)

    async def all_are_heard() -> None:
        heard.clear()
        give_up_s = asyncio.get_running_loop().time() + PATIENCE_S
        while heard != wanted:
            assert asyncio.get_running_loop().time() < give_up_s, wanted - heard
            for name in wanted:
                room.spublish(keys.hints(name, SHARDS), name)
            await asyncio.sleep(0.1)

    async def listen() -> None:
        gateway = Listening()
        gateway.start()
        await all_are_heard()
        owners = cluster.masters()
        target = next(name for name in owners.values() if name != owners[0])
        moved = gateway._streams[0]
        compare_soon = moved.compare_soon

        def noted() -> None:
            compared.append(0)
            compare_soon()

        monkeypatch.setattr(moved, "compare_soon", noted)
        await asyncio.to_thread(cluster.move, 0, target)
        await all_are_heard()
        await gateway.stop()

    asyncio.run(listen())
    assert compared, "a hint that was told while the shard moved is lost"
    assert {keys.shard(name, SHARDS) for name in heard} == set(range(SHARDS))


def test_a_promoted_replica_voids_the_hands_of_its_own_shards(room: Any, cluster: Cluster) -> None:
    timer = _timers(room)
    tables = dict(_on_every_shard(room))
    before = _epochs()
    masters = cluster.masters()
    lost = masters[0]
    shards = {shard for shard, name in masters.items() if name == lost}
    hit = {table for table in before if keys.shard(keys.table(table), SHARDS) in shards}
    assert hit and hit != set(before)
    cluster.lose(lost)
    # 1. A promoted replica shows no table before its shards are adopted.
    wait_for(lambda: _answers(room, tables[0]))
    with pytest.raises(fenced.NotAdopted):
        fenced.load(room, tables[0])
    # 2. Its shards are adopted anew; those of the other masters are not.
    for shard in range(SHARDS):
        for _ in range(3):
            timer.sweep(shard)
    raised = {table for table, epoch in _epochs().items() if epoch > before[table]}
    assert raised == hit
    assert fenced.load(room, tables[0]) is not None
    streams.publish(room, "lobby", 1, b'{"type":"x"}')
    connections.close_all()


def test_events_reach_the_streams_of_every_shard(room: Any) -> None:
    told = {outbox.user(number): [b'{"type":"x"}', b'{"type":"y"}'] for number in range(1, 151)}
    assert {keys.shard(name, SHARDS) for name in told} == set(range(SHARDS))
    with transaction.atomic():
        outbox.write(told)
    assert {room.xlen(keys.events(name, SHARDS)) for name in told} == {2}
    assert outbox.publish(told) == 0
    connections.close_all()


def test_a_shard_without_servers_is_adopted_where_its_slots_go(room: Any, cluster: Cluster) -> None:
    timer = _timers(room)
    tables = dict(_on_every_shard(room))
    before, masters = _epochs(), cluster.masters()
    lost = masters[0]
    shards = {shard for shard, name in masters.items() if name == lost}
    hit = {table for table in before if keys.shard(keys.table(table), SHARDS) in shards}
    gateway, head = doors.room_async(), keys.events(keys.table(tables[0]), SHARDS)
    with asyncio.Runner() as runner:
        runner.run(_until_answered(gateway, head))
        # 1. Clients of threads and of loops learn that nobody has the slots.
        slots = cluster.lose_group(lost)
        _lacks_owner(lambda: fenced.peek(room, tables[0]))
        _lacks_owner(lambda: runner.run(_length(gateway, head)))
        # 2. The tables of other shards play on, and their timers sweep.
        other = next(shard for shard in tables if shard not in shards)
        assert timer.sweep(other) > 0 and fenced.load(room, tables[other]) is not None
        # 3. The clients find the new owner, and the shards are adopted there; no other one is.
        cluster.claim(slots, masters[other])
        wait_for(lambda: _swept(timer, shards))
        runner.run(_until_answered(gateway, head))
        runner.run(gateway.aclose())
    raised = {table for table, epoch in _epochs().items() if epoch > before[table]}
    assert raised == hit
    assert fenced.load(room, tables[0]) is not None
    connections.close_all()


def _lacks_owner(ask: Callable[[], Any]) -> None:
    """Ask until a client says that a slot has no owner."""

    def lacks() -> bool:
        try:
            ask()
        except RedisError as error:
            return "not covered" in str(error)
        return False

    wait_for(lacks)


def _swept(timer: Timer, shards: set[int]) -> bool:
    """Return whether each of some shards can be swept twice, as after its adoption."""
    try:
        for shard in [*shards, *shards]:
            timer.sweep(shard)
    except RedisError:
        return False
    return True


async def _length(client: Any, stream: str) -> int:
    return int(await client.xlen(stream))


async def _until_answered(client: Any, stream: str) -> None:
    give_up_s = asyncio.get_running_loop().time() + PATIENCE_S
    while True:
        try:
            await client.xlen(stream)
        except RedisError:
            assert asyncio.get_running_loop().time() < give_up_s, "the client asks nobody"
            await asyncio.sleep(0.1)
        else:
            return


def _answers(room: Any, table: int) -> bool:
    try:
        return fenced.peek(room, table) is not None
    except RedisError:
        return False
