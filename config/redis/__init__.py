"""Clients of the two Redis servers: the room's state and Celery's broker."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

from django.conf import settings
from redis import Redis
from redis import asyncio as redis_asyncio

from config.redis import addresses, clients, cluster


@cache
def room() -> Redis:
    """Return this process' client of the room's state; values are bytes."""
    return room_at(settings.ROOM_REDIS_URL)


@cache
def broker() -> Redis:
    """Return this process' client of Celery's broker; values are bytes."""
    return room_at(settings.BROKER_URL)


@cache
def room_at_once() -> Redis:
    """Return a client of the room's state for calls that may fail: 1 s timeout, no retries."""
    return clients.hasty_client_at(addresses.parse(settings.ROOM_REDIS_URL))


@cache
def broker_at_once() -> Redis:
    """Return a client of Celery's broker for calls that may fail: 1 s timeout, no retries."""
    return clients.hasty_client_at(addresses.parse(settings.BROKER_URL))


def room_async() -> redis_asyncio.Redis:
    """Return a new asyncio client of the room's state for one event loop; its owner closes it."""
    return async_at(settings.ROOM_REDIS_URL)


def room_at(url: str) -> Redis:
    """Return a client of the Redis at `url`; threads may share it."""
    return clients.client_at(addresses.parse(url))


def async_at(url: str) -> redis_asyncio.Redis:
    """Return an asyncio client of the Redis at `url`, for one event loop."""
    return clients.async_client_at(addresses.parse(url))


def ping(url: str) -> None:
    """Ping the Redis at `url`, of a cluster any node; raise RedisError soon without an answer."""
    client = clients.hasty_client_at(addresses.parse(url))
    try:
        client.ping()
    finally:
        client.close()


async def node_of(client: Any, key: str) -> dict[str, Any]:
    """Return the option that sends a command without keys to the server of `key`, for a cluster."""
    if not isinstance(client, cluster.AsyncClusterClient):
        return {}
    await client.initialize()
    return {"target_nodes": client.get_node_from_key(key)}


def server_of(client: Any, key: str) -> dict[str, Any]:
    """Return the option that sends a command without keys to the server of `key`, for a cluster."""
    if not isinstance(client, cluster.ClusterClient):
        return {}
    return {"target_nodes": client.get_node_from_key(key)}


def run_id(client: Any, key: str = "") -> str:
    """Return the run of the server that answers for a key; each start of a server has another."""
    return str(client.info("server", **server_of(client, key)).get("run_id", ""))


def infos(client: Any, section: str) -> list[dict[str, Any]]:
    """Return a section of INFO of every master behind a client."""
    if not isinstance(client, cluster.ClusterClient):
        return [client.info(section)]
    nodes: Any = client.get_primaries()  # type: ignore[no-untyped-call]
    return [client.info(section, target_nodes=node) for node in nodes]


def as_text(value: bytes | str) -> str:
    """Return an answer of Redis as text; its client is typed to return bytes or text."""
    return value.decode() if isinstance(value, bytes) else value


def forget() -> None:
    """Close this process' clients, for tests that change the address."""
    for client in (room, broker, room_at_once, broker_at_once):
        if client.cache_info().currsize:
            client().close()
        client.cache_clear()


def told_to_end() -> bool:
    """Return whether the current task was cancelled, even if a call to Redis swallowed it."""
    # Before Python 3.12 asyncio.wait_for, used by the Redis client, loses a cancellation that
    # arrives together with its result or error (bpo-42130), so loops ask the task itself.
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
