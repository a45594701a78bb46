"""A frozen node of a cluster holds nobody up: it is asked once, then by one command at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import pytest
from pytest_django.fixtures import Settings
from redis.exceptions import RedisError
from structlog.testing import capture_logs

from config import limits
from config import redis as doors
from config.redis import silence
from config.redis.scripts import ScriptCall, run, run_all, run_all_async
from config.redis.silence import NodeSilentError
from deploy.faults import cluster_slots
from tables.gateway.hub import Gateway
from tables.store import keys
from tests.tables.gateway.sockets import PATIENCE_S, wait_for
from tests.tables.store.clusters import SHARDS, Cluster, running

TABLES = 16
"""Tables of one bell, which are loaded in one trip."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Nodes that run for all tests of this module."""
    with running() as made:
        yield made


@pytest.fixture
def room(cluster: Cluster, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Client of the cluster as the room's Redis of this process; a silent node has a long pause."""
    monkeypatch.setattr(limits, "NODE_SILENT_MS", 3_000)
    settings.ROOM_REDIS_URL = cluster.url
    settings.SHARDS = SHARDS
    doors.forget()
    yield doors.room()
    doors.forget()
    for node in cluster.nodes:
        silence.of_node("127.0.0.1", node.port).end()


def _trip(shard: int) -> list[ScriptCall]:
    """A script for each table of a bell."""
    return [ScriptCall("return 1", [keys.tag(shard) + f"x{n}"], []) for n in range(TABLES)]


def _asked(room: Any, shard: int) -> int:
    """Number of scripts and of questions for the slots that came to the node of a shard."""
    stats = room.info("commandstats", **doors.server_of(room, keys.tag(shard)))
    return sum(_of(stats, name) for name in ("evalsha", "eval", "cluster|slots"))


def _calls(room: Any, name: str) -> int:
    """Number of commands of a name that came to any master."""
    return sum(_of(stats, name) for stats in doors.infos(room, "commandstats"))


def _of(stats: dict[str, Any], name: str) -> int:
    found = stats.get(f"cmdstat_{name}")
    return int(found["calls"]) if found else 0


def _first_owner(cluster: Cluster) -> tuple[str, int, int]:
    """The master of the first slots, one of its shards, and one of another master.

    It is the node that redis-py asks where it does not matter which.
    """
    name = cluster_slots.owners_of(cluster.nodes)[0][2]
    masters = cluster.masters()
    lost = next(shard for shard, owner in masters.items() if owner == name)
    return name, lost, next(shard for shard, owner in masters.items() if owner != name)


def _answers(room: Any, shard: int) -> bool:
    try:
        return run_all(room, _trip(shard)) == [1] * TABLES
    except RedisError:
        return False


def test_a_frozen_node_is_asked_by_one_command_at_a_time(room: Any, cluster: Cluster) -> None:
    name, lost, _ = _first_owner(cluster)
    wait_for(lambda: _answers(room, lost))
    first = _trip(lost)[0]
    with cluster.frozen(name):
        with pytest.raises(NodeSilentError, match="Timeout"):
            run(room, first)
        with pytest.raises(NodeSilentError, match="a moment ago"):
            run(room, first)
    wait_for(lambda: _answers(room, lost))


def test_a_trip_to_a_frozen_node_asks_it_once(room: Any, cluster: Cluster) -> None:
    name, lost, other = _first_owner(cluster)
    wait_for(lambda: _answers(room, lost))
    before = _asked(room, lost)
    with cluster.frozen(name):
        with pytest.raises(RedisError):
            run_all(room, _trip(lost))
        with pytest.raises(NodeSilentError, match="a moment ago"):
            run_all(room, _trip(lost))
        assert run_all(room, _trip(other)) == [1] * TABLES
    wait_for(lambda: _answers(room, lost))
    # The trip, the one that found the node again, and what asked it for slots.
    assert _asked(room, lost) - before <= 2 * TABLES + 2


def test_clients_that_start_while_a_node_is_silent_reach_the_others(
    room: Any, cluster: Cluster
) -> None:
    name, _, other = _first_owner(cluster)

    async def ask() -> Any:
        client = doors.room_async()
        try:
            return await run_all_async(client, _trip(other))
        finally:
            await client.aclose()

    with cluster.frozen(name):
        doors.forget()
        assert run_all(doors.room(), _trip(other)) == asyncio.run(ask()) == [1] * TABLES


def test_the_scripts_of_a_trip_ask_nobody_for_their_keys(room: Any, cluster: Cluster) -> None:
    wait_for(lambda: _answers(room, 0))
    before = _calls(room, "command|getkeys")
    assert run_all(room, _trip(0)) == [1] * TABLES
    assert _calls(room, "command|getkeys") == before


def test_event_loops_ask_a_frozen_node_once(room: Any, cluster: Cluster) -> None:
    name, lost, other = _first_owner(cluster)
    wait_for(lambda: _answers(room, lost))
    before = _asked(room, lost)

    async def ask(client: Any, shard: int) -> Any:
        try:
            return await run_all_async(client, _trip(shard))
        except RedisError as error:
            return error

    async def play() -> None:
        client = doors.room_async()
        assert await ask(client, lost) == await ask(client, other) == [1] * TABLES
        with cluster.frozen(name):
            assert isinstance(await ask(client, lost), RedisError)
            for _ in range(20):
                silent, answered = await asyncio.gather(ask(client, lost), ask(client, other))
                assert isinstance(silent, NodeSilentError) and answered == [1] * TABLES
        await client.aclose()

    asyncio.run(play())
    wait_for(lambda: _answers(room, lost))
    assert _asked(room, lost) - before <= 3 * TABLES + 4


def test_a_frozen_master_that_was_replaced_is_not_listened_to(
    room: Any, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing else ends the connection to the frozen master, which never says that it lost a shard:
    # every second look for a hint would wait there.
    monkeypatch.setattr(limits, "REDIS_HEALTH_S", 3_600)
    monkeypatch.setattr(limits, "NODE_SILENT_MS", 500)
    name, lost, _ = _first_owner(cluster)
    heard = asyncio.Event()

    class Listening(Gateway):
        def hear(self, hint: str) -> None:
            heard.set()

    async def hear() -> None:
        heard.clear()
        while not heard.is_set():
            with suppress(RedisError):
                await asyncio.to_thread(room.spublish, keys.tag(lost) + keys.HINTS, "never:1")
            await asyncio.sleep(0.1)

    async def listen() -> None:
        gateway = Listening()
        gateway.start()
        await hear()
        with cluster.frozen(name, alone=True), capture_logs() as logs:
            gateway._streams[lost].compare_soon()  # as where somebody follows a table
            async with asyncio.timeout(PATIENCE_S):
                while not any(_is_new_server(line) for line in logs):
                    await asyncio.sleep(0.1)
                await hear()
        await gateway.stop()

    asyncio.run(listen())


def _is_new_server(line: Mapping[str, Any]) -> bool:
    return line.get("work") == "listen" and "another server has the shard" in line["error"]
