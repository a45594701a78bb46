"""Checks of the servers' addresses before a process starts: a wrong one ends it with a clear line.

A server that does not answer is no mistake: processes wait for it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from redis import Redis
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError, ResponseError

from config import limits
from config.process import role_checks, tls_faults
from config.redis import addresses
from config.redis.addresses import RedisAddress

REDIS_VERSION_MIN = 7
"""First version that publishes to the channels of a shard (SPUBLISH), which every commit does."""

DATABASE_VERSION_MIN = 16
"""First version of PostgreSQL with which the room is tested.

One before 15 would leave out constraints in which empty values are equal, without a word.
"""

SLOTS = 16_384
"""Slots of a Redis Cluster; the keys of an unassigned one have no place."""

_LOG_IN_REFUSED = re.compile(
    "authentication failed|no password supplied|no pg_hba.conf entry|no such database"
    '|FATAL: +(database|role) ".*" does not exist'
)
"""Words of PostgreSQL, or of a pooler before it, for a password, a host, a role or a name of a
database that it will not take, however long a process waits.
"""

_others: list[Callable[[], str]] = []
_gates: list[Callable[[str], None]] = []


class WrongServer(Exception):
    """Address of a server with which the room can never play; the message is for the operator."""


def verify_or_exit(kind: str) -> None:
    """End this process of a kind with one line when an address, or its database role, is wrong."""
    try:
        verify_servers()
        verify_role(kind)
    except WrongServer as problem:
        sys.exit(f"Error: {problem}")
    _close_gates(kind)


def on_verified(close: Callable[[str], None]) -> None:
    """Register a gate of an app: it is closed for a kind of process whose servers are right."""
    _gates.append(close)


def on_start(check: Callable[[], str]) -> None:
    """Register a check of an app: it returns why the servers are wrong, or ""."""
    _others.append(check)


def verify_servers() -> None:
    """Raise WrongServer for an address of a server with which the room can never play."""
    verify_redis("ROOM_REDIS_URL", settings.ROOM_REDIS_URL)
    verify_redis("BROKER_URL", settings.BROKER_URL)
    verify_database()
    for check in _others:
        if problem := check():
            raise WrongServer(problem)


def verify_role_or_exit(kind: str) -> None:
    """End this process of a kind with one line when its database, or its role there, is wrong."""
    try:
        verify_database()
        verify_role(kind)
    except WrongServer as problem:
        sys.exit(f"Error: {problem}")
    _close_gates(kind)


def _close_gates(kind: str) -> None:
    for close in _gates:
        close(kind)


def verify_role(kind: str) -> None:
    """Raise WrongServer when the role of DATABASE_URL is too little for a kind of process."""
    if fault := role_checks.fault_of(kind):
        raise WrongServer(fault)


def verify_redis(name: str, url: str) -> None:
    """Raise WrongServer when what answers at the address `name` is not what its URL says."""
    address = addresses.parse(url)
    hosts = address.hosts if address.kind == "cluster" else ((),)
    for host in hosts:
        try:
            client = _client(address, host)
            if client is None:
                continue
            with client:
                _verify(name, address, client)
        except (AuthenticationError, NoPermissionError) as refused:
            raise WrongServer(f"{name}: the log-in is refused: {refused}") from refused
        except (RedisError, OSError) as failed:
            if fault := tls_faults.of_redis(failed):
                raise WrongServer(f"{name}: {fault}") from failed
            continue  # it does not answer yet
        return


def verify_database() -> None:
    """Raise WrongServer when no server of DATABASE_URL accepts writes, or one is of no use.

    It refuses the log-in, or is too old.
    """
    options = {**connection.get_connection_params(), "target_session_attrs": "any"}
    known = ("host", "port", "user", "password", "dbname", "connect_timeout")
    given = {
        key: options[key]
        for key in options
        if options[key] and (key in known or key.startswith("ssl"))
    }
    try:
        if _reads_only(given):
            raise WrongServer(
                "DATABASE_URL: the server only reads, it is a standby or set so; name its primary,"
                " or both: postgresql://...@HOST:PORT,HOST:PORT/NAME"
            )
    except psycopg.OperationalError as failed:
        if _LOG_IN_REFUSED.search(str(failed)):
            raise WrongServer(f"DATABASE_URL: the log-in is refused: {failed}") from failed
        if fault := tls_faults.of_postgres(failed):
            raise WrongServer(f"DATABASE_URL: {fault}") from failed
        # Any other failure: it does not answer yet.


def _reads_only(given: dict[str, Any]) -> bool:
    """Return whether every server that answers only reads."""
    hosts, ports = given.pop("host", "").split(","), str(given.pop("port", "")).split(",")
    found, failure = [], None
    for host, port in zip(hosts, ports, strict=True):
        try:
            with psycopg.connect(host=host, port=port, **given) as asked:
                verify_database_version(asked.info.server_version)
                row = asked.execute("SHOW transaction_read_only").fetchone()
                found.append(row == ("on",))
        except psycopg.OperationalError as problem:
            failure = problem
    if failure is not None and not found:
        raise failure
    return all(found)


def _client(address: RedisAddress, host: Any) -> Redis | None:
    """Return a client of one server; None when the Sentinels know no master yet."""
    patience: dict[str, Any] = {
        "socket_timeout": limits.READY_ANSWER_S,
        "socket_connect_timeout": limits.READY_ANSWER_S,
        "retry": None,
    }
    if address.kind == "single":
        return Redis.from_url(address.url, **patience)
    login: dict[str, Any] = {"username": address.username, "password": address.password}
    login["ssl"] = address.tls
    if address.kind == "sentinel":
        found = _master(address, patience)
        return None if found is None else Redis(found[0], found[1], **login, **patience)
    return Redis(host[0], host[1], **login, **patience)


def _master(address: RedisAddress, patience: dict[str, Any]) -> tuple[str, int] | None:
    """Return host and port of the master; raises WrongServer for an unknown service."""
    for host, port in address.hosts:
        try:
            own: dict[str, Any] = {"password": address.sentinel_password, "ssl": address.tls}
            with Redis(host, port, decode_responses=True, **own, **patience) as sentinel:
                found: Any = sentinel.sentinel_get_master_addr_by_name(address.service)
        except (AuthenticationError, NoPermissionError):
            raise
        except (RedisError, OSError):
            continue
        if found is None:
            raise WrongServer(f"the Sentinel at {host}:{port} knows no service {address.service}")
        return str(found[0]), int(found[1])
    return None


def verify_version(name: str, info: dict[str, Any]) -> None:
    """Raise WrongServer for a server that is too old for the room, by what it tells of itself.

    A Valkey tells the version of Redis whose commands it has.
    """
    version = str(info.get("redis_version", ""))
    major = version.partition(".")[0]
    if major.isdecimal() and int(major) < REDIS_VERSION_MIN:
        raise WrongServer(
            f"{name}: the server is a Redis {version}, the room needs Valkey, or Redis"
            f" {REDIS_VERSION_MIN} or newer"
        )


def verify_database_version(version: int) -> None:
    """Raise WrongServer for a PostgreSQL that is too old, by its version as in 160004."""
    major = version // 10_000
    if major < DATABASE_VERSION_MIN:
        raise WrongServer(
            f"DATABASE_URL: the server is a PostgreSQL {major}, the room needs PostgreSQL"
            f" {DATABASE_VERSION_MIN} or newer"
        )


def _verify(name: str, address: RedisAddress, client: Any) -> None:
    info = client.info()
    verify_version(name, info)
    in_cluster = bool(int(info.get("cluster_enabled", 0)))
    if in_cluster and address.kind != "cluster":
        raise WrongServer(f"{name} names a node of a cluster: write redis+cluster://HOST:PORT,...")
    if address.kind != "cluster" and info["role"] != "master":
        master = f"{info.get('master_host')}:{info.get('master_port')}"
        raise WrongServer(
            f"{name} names a replica, which cannot be written: name its master {master}, or"
            " redis+sentinel:// with the Sentinels that watch it"
        )
    if address.kind == "cluster":
        if not in_cluster:
            raise WrongServer(f"{name} names a server that is no node of a cluster")
        assigned = int(client.cluster("info")["cluster_slots_assigned"])
        if assigned < SLOTS:
            raise WrongServer(
                f"{name}: {SLOTS - assigned} of {SLOTS} slots of the cluster have no owner"
            )
    else:  # in a cluster a server that refuses writes stops its own shards only
        _verify_writes(name, info, client)


def _verify_writes(name: str, info: dict[str, Any], client: Any) -> None:
    """Raise WrongServer for a server that refuses writes, or that may drop keys of the room."""
    policy, most = str(info.get("maxmemory_policy", "")), int(info.get("maxmemory", 0))
    if most and policy.startswith("allkeys"):
        raise WrongServer(
            f"{name}: the server drops keys when its memory is full (maxmemory-policy {policy}):"
            " set noeviction"
        )
    if most and int(info["used_memory"]) >= most:
        raise WrongServer(
            f"{name}: the memory of the server is full (OOM): it uses {info['used_memory']} of"
            f" {most} bytes (maxmemory), and refuses writes"
        )
    try:
        client.ping()  # refused like a write
    except ResponseError as refused:
        if "MISCONF" in str(refused):
            raise WrongServer(f"{name}: the server refuses writes: {refused}") from refused
        raise
