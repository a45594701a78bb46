"""A frozen node of a cluster holds nobody up: it is asked once, then by one command at a time."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings
from redis.exceptions import RedisError

from config import limits
from config import redis as doors
from config.redis.scripts import ScriptCall, run, run_all, run_all_async
from config.redis.silence import NodeSilentError
from tables.store import keys
from tests.tables.gateway.sockets import wait_for
from tests.tables.store.clusters import SHARDS, Cluster

TABLES = 16
"""Tables of one bell, which are loaded in one trip."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Nodes that run for all tests of this module."""
    place = Path(tempfile.mkdtemp(prefix="room-cluster-", dir="/dev/shm"))
    place.chmod(0o711)
    made = Cluster(place)
    made.start()
    yield made
    made.stop()


@pytest.fixture
def room(cluster: Cluster, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Client of the cluster as the room's Redis of this process; a silent node has a long pause."""
    monkeypatch.setattr(limits, "NODE_SILENT_MS", 3_000)
    settings.ROOM_REDIS_URL = cluster.url
    settings.SHARDS = SHARDS
    doors.forget()
    yield doors.room()
    doors.forget()


def _trip(shard: int) -> list[ScriptCall]:
    """A script for each table of a bell."""
    return [ScriptCall("return 1", [keys.tag(shard) + f"x{n}"], []) for n in range(TABLES)]


def _asked(room: Any, shard: int) -> int:
    """Number of scripts and of questions for the slots that came to the node of a shard."""
    stats = room.info("commandstats", **doors.server_of(room, keys.tag(shard)))
    names = ("cmdstat_evalsha", "cmdstat_eval", "cmdstat_cluster|slots")
    return sum(int(stats[name]["calls"]) for name in names if name in stats)


def _answers(room: Any, shard: int) -> bool:
    try:
        return run_all(room, _trip(shard)) == [1] * TABLES
    except RedisError:
        return False


def test_a_frozen_node_is_asked_by_one_command_at_a_time(room: Any, cluster: Cluster) -> None:
    wait_for(lambda: _answers(room, 0))
    first = _trip(0)[0]
    with cluster.frozen(cluster.masters()[0]):
        with pytest.raises(RedisError):
            run(room, first)
        with pytest.raises(NodeSilentError):
            run(room, first)
    wait_for(lambda: _answers(room, 0))


def test_a_trip_to_a_frozen_node_asks_it_once(room: Any, cluster: Cluster) -> None:
    lost = cluster.masters()[0]
    other = next(shard for shard, name in cluster.masters().items() if name != lost)
    wait_for(lambda: _answers(room, 0))
    before = _asked(room, 0)
    with cluster.frozen(lost):
        with pytest.raises(RedisError):
            run_all(room, _trip(0))
        with pytest.raises(NodeSilentError):
            run_all(room, _trip(0))
        assert run_all(room, _trip(other)) == [1] * TABLES
    wait_for(lambda: _answers(room, 0))
    # The trip, the one that found the node again, and what asked it for slots.
    assert _asked(room, 0) - before <= 2 * TABLES + 6


def test_event_loops_ask_a_frozen_node_once(room: Any, cluster: Cluster) -> None:
    lost = cluster.masters()[0]
    other = next(shard for shard, name in cluster.masters().items() if name != lost)
    wait_for(lambda: _answers(room, 0))
    before = _asked(room, 0)

    async def ask(client: Any, shard: int) -> Any:
        try:
            return await run_all_async(client, _trip(shard))
        except RedisError as error:
            return error

    async def play() -> None:
        client = doors.room_async()
        assert await ask(client, 0) == await ask(client, other) == [1] * TABLES
        with cluster.frozen(lost):
            assert isinstance(await ask(client, 0), RedisError)
            for _ in range(20):
                silent, answered = await asyncio.gather(ask(client, 0), ask(client, other))
                assert isinstance(silent, NodeSilentError) and answered == [1] * TABLES
        await client.aclose()

    asyncio.run(play())
    wait_for(lambda: _answers(room, 0))
    assert _asked(room, 0) - before <= 3 * TABLES + 6
