"""Servers that a room can never play with: each ends the start with a clear line."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from redis import Redis

from config.process import server_checks, tls_faults
from config.process.server_checks import WrongServer
from deploy.embedded import ports, program, valkey
from deploy.embedded.valkey import Valkey
from tests.conftest import READY_S, world
from tests.tables.gateway.sockets import wait_for


@pytest.fixture
def lone(place: Path) -> Iterator[Valkey]:
    """A server of one test."""
    port = ports.several({"lone": None})["lone"]
    yield from _running(
        replace(world.servers.room, name="lone", place=place, secrets=place, port=port)
    )


@pytest.fixture
def server(place: Path) -> Iterator[Valkey]:
    """A node of a cluster that has no slots."""
    found = ports.several({"node": None, "bus": None})
    room = world.servers.room
    node = replace(room, name="lone", place=place, secrets=place, port=found["node"])
    yield from _running(replace(node, shares="lone", bus=found["bus"]))


def _running(server: Valkey) -> Iterator[Valkey]:
    how = valkey.prepare(server)
    child = program.start(how)
    program.wait_ready(how, child, READY_S)
    yield server
    program.kill(child)


def test_servers_of_these_tests_are_right(room: Redis, broker: Redis, db: None) -> None:
    server_checks.verify_servers()


def test_a_node_of_a_cluster_is_no_single_server(server: Valkey) -> None:
    with pytest.raises(WrongServer, match=r"ROOM_REDIS_URL names a node of a cluster"):
        server_checks.verify_redis("ROOM_REDIS_URL", server.url)


def test_a_cluster_with_missing_slots_is_refused(server: Valkey) -> None:
    url = server.url.replace("redis://", "redis+cluster://").removesuffix("/0")
    with pytest.raises(WrongServer, match="16384 of 16384 slots of the cluster have no owner"):
        server_checks.verify_redis("ROOM_REDIS_URL", url)


def test_a_single_server_is_no_cluster(room: Redis) -> None:
    url = settings.ROOM_REDIS_URL.replace("redis://", "redis+cluster://").removesuffix("/0")
    with pytest.raises(WrongServer, match="no node of a cluster"):
        server_checks.verify_redis("ROOM_REDIS_URL", url)


@pytest.mark.parametrize(
    ("policy", "words"),
    [("noeviction", r"memory of the server is full \(OOM\)"), ("allkeys-lru", "drops keys")],
)
def test_a_server_without_memory_is_refused(room: Redis, policy: str, words: str) -> None:
    room.config_set("maxmemory", 1)
    room.config_set("maxmemory-policy", policy)
    try:
        with pytest.raises(WrongServer, match=words):
            server_checks.verify_redis("ROOM_REDIS_URL", settings.ROOM_REDIS_URL)
    finally:
        room.config_set("maxmemory", 0)
        room.config_set("maxmemory-policy", "noeviction")
    server_checks.verify_redis("ROOM_REDIS_URL", settings.ROOM_REDIS_URL)


def test_a_server_that_cannot_save_is_refused(lone: Valkey) -> None:
    with Redis.from_url(lone.url) as client:
        client.config_set("save", "900 1")
        shutil.rmtree(str(client.config_get("dir")["dir"]))
        client.bgsave()
        wait_for(lambda: client.info("persistence")["rdb_last_bgsave_status"] == "err")
    with pytest.raises(WrongServer, match="BROKER_URL: the server refuses writes: MISCONF"):
        server_checks.verify_redis("BROKER_URL", lone.url)


@pytest.mark.parametrize(
    ("version", "is_right"), [("6.0.16", False), ("6.2.14", False), ("7.0.0", True), ("10.1", True)]
)
def test_a_server_without_the_commands_of_the_room_is_refused(
    room: Redis, version: str, is_right: bool
) -> None:
    own = dict(room.info("server"))
    server_checks.verify_version("ROOM_REDIS_URL", own)
    told = {**own, "redis_version": version}
    if is_right:
        server_checks.verify_version("ROOM_REDIS_URL", told)
    else:
        with pytest.raises(WrongServer, match=f"ROOM_REDIS_URL: the server is a Redis {version}"):
            server_checks.verify_version("ROOM_REDIS_URL", told)


def test_a_wrong_password_is_refused(room: Redis) -> None:
    host = settings.ROOM_REDIS_URL.rpartition("@")[2]
    with pytest.raises(WrongServer, match="BROKER_URL: the log-in is refused"):
        server_checks.verify_redis("BROKER_URL", f"redis://:wrong@{host}")


def test_a_replica_as_the_only_address_is_refused(room: Redis, broker: Redis) -> None:
    room.config_set("primaryauth", settings.BROKER_URL.partition("://:")[2].partition("@")[0])
    room.execute_command("REPLICAOF", "127.0.0.1", world.servers.broker.port)  # type: ignore[no-untyped-call]
    try:
        with pytest.raises(
            WrongServer, match=f"name its master 127.0.0.1:{world.servers.broker.port}"
        ):
            server_checks.verify_redis("ROOM_REDIS_URL", settings.ROOM_REDIS_URL)
    finally:
        room.execute_command("REPLICAOF", "NO", "ONE")  # type: ignore[no-untyped-call]


def test_a_server_that_does_not_answer_is_waited_for() -> None:
    server_checks.verify_redis("BROKER_URL", f"redis://127.0.0.1:{ports.free()}/0")


def test_a_database_that_only_reads_is_refused(db: None) -> None:
    before = dict(connection.settings_dict)
    name, user = connection.settings_dict["NAME"], connection.settings_dict["USER"]
    with psycopg.connect(
        world.servers.postgres.url_of("keeper", "postgres"), autocommit=True
    ) as keeper:
        # In this database alone: other processes of tests have databases of their own.
        role = f'ALTER ROLE "{user}" IN DATABASE "{name}"'
        keeper.execute(f"{role} SET default_transaction_read_only = on")
        try:
            with pytest.raises(WrongServer, match="DATABASE_URL: the server only reads"):
                server_checks.verify_database()
            with pytest.raises(psycopg.OperationalError, match="read-only"):
                psycopg.connect(
                    f"{world.servers.postgres.url_of(user, name)}?target_session_attrs=read-write"
                )
        finally:
            keeper.execute(f"{role} RESET default_transaction_read_only")
    assert connection.settings_dict == before


@pytest.mark.parametrize("version", [130_021, 159_999])
def test_a_database_of_an_old_version_is_refused(version: int) -> None:
    server_checks.verify_database_version(160_000)
    with pytest.raises(WrongServer, match=r"is a PostgreSQL 1[35], the room needs PostgreSQL 16"):
        server_checks.verify_database_version(version)


def test_processes_and_prepare_refuse_an_old_database(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    server_checks.verify_database()
    monkeypatch.setattr(server_checks, "DATABASE_VERSION_MIN", 99)
    monkeypatch.delenv("DATABASE_OWNER_URL", raising=False)
    refusal = r"^DATABASE_URL: the server is a PostgreSQL \d+, the room needs PostgreSQL 99"
    with pytest.raises(WrongServer, match=refusal):
        server_checks.verify_database()
    with pytest.raises(CommandError, match=refusal):
        call_command("prepare", "--database")


def test_an_sslmode_that_does_not_exist_is_refused(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {**connection.settings_dict["OPTIONS"], "sslmode": "verify_full"}
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", options)
    with pytest.raises(WrongServer, match=r"^DATABASE_URL: .* invalid sslmode value"):
        server_checks.verify_database()


def test_a_wrong_password_of_the_database_is_refused(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.settings_dict, "PASSWORD", "wrong")
    with pytest.raises(WrongServer, match="DATABASE_URL: the log-in is refused"):
        server_checks.verify_database()


@pytest.mark.parametrize(("setting", "what"), [("NAME", "database"), ("USER", "role")])
def test_a_name_that_postgresql_does_not_know_is_refused(
    db: None, monkeypatch: pytest.MonkeyPatch, setting: str, what: str
) -> None:
    role = "unknown_role_of_a_test"
    with psycopg.connect(
        world.servers.postgres.url_of("keeper", "postgres"), autocommit=True
    ) as keeper:
        assert not keeper.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone()
    monkeypatch.setitem(connection.settings_dict, setting, role)
    with pytest.raises(WrongServer, match=r"^DATABASE_URL: the log-in is refused: ") as refused:
        server_checks.verify_database()
    assert what == "role" or f'database "{role}" does not exist' in str(refused.value)


@pytest.mark.parametrize("kind", ["auditor", "deliveries", "cardsup"])
def test_a_process_beside_the_workers_ends_for_a_name_that_postgresql_does_not_know(
    db: None, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setitem(connection.settings_dict, "NAME", "unknown_database_of_a_test")
    with pytest.raises(SystemExit, match=r"^Error: DATABASE_URL: the log-in is refused: "):
        server_checks.verify_role_or_exit(kind)


def test_a_missing_file_of_an_authority_is_no_refused_log_in() -> None:
    """Libpq says of it, too, that it does not exist; a fault of TLS has a sentence of its own."""
    told = 'connection failed: root certificate file "/etc/room/ca.pem" does not exist\n'
    assert server_checks._LOG_IN_REFUSED.search(told) is None
    assert tls_faults.of_postgres(psycopg.OperationalError(told))
