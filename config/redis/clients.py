"""Clients of one server, of a cluster, and of a master that Sentinel names."""

from __future__ import annotations

from typing import Any, cast

from redis import Redis, Sentinel
from redis import asyncio as redis_asyncio
from redis.asyncio import BlockingConnectionPool
from redis.asyncio import sentinel as async_sentinel
from redis.asyncio.cluster import ClusterNode as AsyncNode
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.cluster import ClusterNode
from redis.exceptions import ConnectionError, TimeoutError
from redis.retry import Retry

from config import limits
from config.redis.addresses import RedisAddress
from config.redis.cluster import AsyncClusterClient, ClusterClient
from config.redis.lean import LeanClient, LeanPool
from config.redis.lean_async import LeanAsyncPool


def client_at(address: RedisAddress) -> Redis:
    """Return a client that retries; threads may share it."""
    return _client(address, Retry(_backoff(), limits.REDIS_RETRIES_MAX), _options(address))


def hasty_client_at(address: RedisAddress, within_s: float = limits.READY_ANSWER_S) -> Redis:
    """Return a client for calls that may fail: a short timeout, no retries."""
    options = {"socket_timeout": within_s, "socket_connect_timeout": within_s}
    return _client(address, Retry(NoBackoff(), 0), options)


def async_client_at(address: RedisAddress) -> redis_asyncio.Redis:
    """Return an asyncio client for one event loop.

    A command waits for a free connection when all are busy: a hundred sockets that close at once
    must not make a player's command fail.
    """
    retry = AsyncRetry(_backoff(), limits.REDIS_RETRIES_MAX)
    options = {"retry": retry, **_options(address)}
    bounds = {
        "max_connections": limits.REDIS_CONNECTIONS_PER_LOOP_MAX,
        "timeout": limits.REDIS_TIMEOUT_S,
    }
    if address.kind == "cluster":
        options.pop("retry_on_error")
        cluster = AsyncClusterClient(
            startup_nodes=[AsyncNode(host, port) for host, port in address.hosts],
            # A node has no queue for its connections: it opens one more.
            max_connections=limits.REDIS_CONNECTIONS_PER_NODE_MAX,
            tls=address.tls,
            **options,
            **_account(address),
        )
        return cast(redis_asyncio.Redis, cluster)
    if address.kind == "sentinel":
        return redis_asyncio.Redis.from_pool(_sentinel_pool(address, {**bounds, **options}))
    return redis_asyncio.Redis.from_pool(LeanAsyncPool.from_url(address.url, **bounds, **options))


def _sentinel_pool(address: RedisAddress, options: dict[str, Any]) -> Any:
    # Neither class has types.
    sentinel: Any = async_sentinel.Sentinel
    pool: Any = _WaitingSentinelPool
    known = sentinel(list(address.hosts), sentinel_kwargs=_sentinel_login(address))
    return pool(address.service, known, db=address.database, **options, **_login(address))


class _WaitingSentinelPool(async_sentinel.SentinelConnectionPool, BlockingConnectionPool):
    """Pool of connections to a master, whose users wait when all are busy."""


def _client(address: RedisAddress, retry: Retry, options: dict[str, Any]) -> Redis:
    if address.kind == "cluster":
        options.pop("retry_on_error", None)
        node: Any = ClusterNode  # a class without types
        cluster = ClusterClient(
            startup_nodes=[node(host, port) for host, port in address.hosts],
            retry=retry,
            tls=address.tls,
            **options,
            **_account(address),
        )
        # Every call of this project is one that clients of clusters have as well.
        return cast(Redis, cluster)
    if address.kind == "sentinel":
        sentinel: Any = Sentinel  # a class without types
        known = sentinel(list(address.hosts), sentinel_kwargs=_sentinel_login(address))
        login = {"db": address.database, **_login(address)}
        return cast(Redis, known.master_for(address.service, retry=retry, **options, **login))
    return LeanClient.from_pool(LeanPool.from_url(address.url, retry=retry, **options))


def _login(address: RedisAddress) -> dict[str, Any]:
    account = _account(address)
    return {**account, "ssl": True} if address.tls else account


def _account(address: RedisAddress) -> dict[str, Any]:
    return {"username": address.username, "password": address.password}


def _sentinel_login(address: RedisAddress) -> dict[str, Any]:
    return {
        "password": address.sentinel_password,
        "socket_timeout": limits.READY_ANSWER_S,
        "socket_connect_timeout": limits.READY_ANSWER_S,
        **({"ssl": True} if address.tls else {}),
    }


def _backoff() -> ExponentialWithJitterBackoff:
    return ExponentialWithJitterBackoff(
        cap=limits.REDIS_RETRY_CAP_S, base=limits.REDIS_RETRY_BASE_S
    )


def _options(address: RedisAddress) -> dict[str, Any]:
    # A retried script may run twice: every script of this project compares before it sets.
    alone = address.kind == "single"
    return {
        "decode_responses": False,
        "protocol": 3,
        # Where a standby takes over, waiting for the dead one only delays the way to it.
        "socket_timeout": limits.REDIS_TIMEOUT_S if alone else limits.REDIS_STANDBY_TIMEOUT_S,
        "socket_connect_timeout": limits.REDIS_CONNECT_TIMEOUT_S
        if alone
        else limits.READY_ANSWER_S,
        "socket_keepalive": True,
        "health_check_interval": limits.REDIS_HEALTH_S,
        "retry_on_error": [ConnectionError, TimeoutError],
    }
