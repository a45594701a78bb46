"""Clients of the two Redis servers: the room's state and Celery's broker."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

from django.conf import settings
from redis import Redis
from redis import asyncio as redis_asyncio
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.exceptions import ConnectionError, TimeoutError
from redis.retry import Retry

from config import limits


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
    return Redis.from_url(
        settings.ROOM_REDIS_URL,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=limits.READY_ANSWER_S,
        socket_connect_timeout=limits.READY_ANSWER_S,
    )


def room_async() -> redis_asyncio.Redis:
    """Return a new asyncio client of the room's state for one event loop; its owner closes it."""
    return async_at(settings.ROOM_REDIS_URL)


def room_at(url: str) -> Redis:
    """Return a client of the Redis server at `url`; threads may share it."""
    retry = Retry(_backoff(), limits.REDIS_RETRIES_MAX)
    return Redis.from_url(url, retry=retry, **_options())


def async_at(url: str) -> redis_asyncio.Redis:
    """Return an asyncio client of the Redis server at `url`, for one event loop.

    A command waits for a free connection when all are busy: a hundred sockets that close at once
    must not make a player's command fail.
    """
    retry = AsyncRetry(_backoff(), limits.REDIS_RETRIES_MAX)
    pool = redis_asyncio.BlockingConnectionPool.from_url(
        url,
        retry=retry,
        max_connections=limits.REDIS_CONNECTIONS_PER_LOOP_MAX,
        timeout=limits.REDIS_TIMEOUT_S,
        **_options(),
    )
    return redis_asyncio.Redis.from_pool(pool)


def ping(url: str) -> None:
    """Ping the Redis server at `url`; raise RedisError soon when it does not answer."""
    client = Redis.from_url(
        url,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=limits.READY_ANSWER_S,
        socket_connect_timeout=limits.READY_ANSWER_S,
    )
    try:
        client.ping()
    finally:
        client.close()


def run_id(client: Redis) -> str:
    """Return the run of the Redis server that answers; each start of a server has another one."""
    return str(client.info("server").get("run_id", ""))


def as_text(value: bytes | str) -> str:
    """Return an answer of Redis as text; its client is typed to return bytes or text."""
    return value.decode() if isinstance(value, bytes) else value


def forget() -> None:
    """Close this process' clients, for tests that change the address."""
    for client in (room, broker, room_at_once):
        if client.cache_info().currsize:
            client().close()
        client.cache_clear()


def told_to_end() -> bool:
    """Return whether the current task was cancelled, even if a call to Redis swallowed it."""
    # Before Python 3.12 asyncio.wait_for, used by the Redis client, loses a cancellation that
    # arrives together with its result or error (bpo-42130), so loops ask the task itself.
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _backoff() -> ExponentialWithJitterBackoff:
    return ExponentialWithJitterBackoff(
        cap=limits.REDIS_RETRY_CAP_S, base=limits.REDIS_RETRY_BASE_S
    )


def _options() -> dict[str, Any]:
    # A retried script may run twice: every script of this project compares before it sets.
    return {
        "decode_responses": False,
        "protocol": 3,
        "socket_timeout": limits.REDIS_TIMEOUT_S,
        "socket_connect_timeout": limits.REDIS_CONNECT_TIMEOUT_S,
        "socket_keepalive": True,
        "health_check_interval": limits.REDIS_HEALTH_S,
        "retry_on_error": [ConnectionError, TimeoutError],
    }
