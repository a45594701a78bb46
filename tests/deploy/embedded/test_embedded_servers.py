"""Embedded servers are real, need a password, and survive kills."""

from __future__ import annotations

import hashlib
import shutil
import stat
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import psycopg
import pytest
from redis import Redis
from redis.exceptions import AuthenticationError

from config import clock
from deploy.embedded import ports, postgres, program, servers, valkey
from deploy.embedded.owner import Owner, ground, reachable, runnable, server_owner

READY_S = 180.0


def free_ports() -> dict[str, int]:
    return ports.several(dict.fromkeys(("postgres", "room", "broker")))


def test_database_is_postgresql_with_its_clock(db: None) -> None:
    before_ms, there_ms, after_ms = clock.now_ms(), clock.database_now_ms(), clock.now_ms()
    assert before_ms - 1_000 < there_ms < after_ms + 1_000


def test_room_redis_has_a_clock_and_scripts(room: Redis) -> None:
    before_ms, there_ms, after_ms = clock.now_ms(), clock.redis_now_ms(room), clock.now_ms()
    assert before_ms - 1_000 < there_ms < after_ms + 1_000
    assert room.eval("return redis.call('SET', KEYS[1], ARGV[1])", 1, "a", "b") == b"OK"


def test_strangers_are_refused(place: Path) -> None:
    layout = servers.lay_out(place / "data", place / "log", durable=True, port=free_ports())
    for how in (postgres.prepare(layout.postgres), valkey.prepare(layout.room)):
        child = program.start(how)
        try:
            program.wait_ready(how, child, READY_S)
            if how.name == "postgres":
                address = layout.postgres.url.split("@")[1]
                for stranger in ("room", "room:wrong", "keeper", "keeper:"):
                    with pytest.raises(psycopg.OperationalError):
                        psycopg.connect(f"postgresql://{stranger}@{address}", connect_timeout=60)
            else:
                stranger_client = Redis(port=layout.room.port)
                with pytest.raises(AuthenticationError):
                    stranger_client.get("anything")
        finally:
            program.stop(how, child, 10)
        assert child.returncode is not None


def test_killed_servers_keep_what_they_confirmed(place: Path) -> None:
    layout = servers.lay_out(place / "data", place / "log", durable=True, port=free_ports())
    how = postgres.prepare(layout.postgres)
    child = program.start(how)
    program.wait_ready(how, child, READY_S)
    with psycopg.connect(layout.postgres.owner_url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    program.kill(child)
    child = program.start(postgres.prepare(layout.postgres))
    try:
        program.wait_ready(how, child, READY_S)
        with psycopg.connect(layout.postgres.owner_url) as connection:
            assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)
    finally:
        program.stop(how, child, 10)


def test_secrets_are_readable_by_their_owner_only(place: Path) -> None:
    layout = servers.lay_out(place / "data", place / "log", durable=True, port=free_ports())
    assert layout.postgres.url and layout.room.url
    files = list((place / "data" / "secrets").iterdir())
    assert len(files) >= 2
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


class WatchingOwner(Owner):
    """Owner that notes how a file was before it was closed to others: its name and its size."""

    seen: ClassVar[list[tuple[str, int]]] = []

    def own(self, path: Path) -> None:
        self.seen.append((path.name, path.stat().st_size))
        Owner.own(self, path)


def test_no_file_has_the_password_of_the_server_before_it_is_closed(place: Path) -> None:
    layout = servers.lay_out(place / "data", place / "log", durable=False, port=free_ports())
    own = layout.postgres.owner
    server = replace(layout.postgres, owner=WatchingOwner(own.uid, own.gid, own.drop))
    postgres.prepare(server)
    assert ("postgres.password", 0) in WatchingOwner.seen
    assert not (server.place / "postgres.password").exists(), "initdb has read it"


def test_a_closed_checkout_moves_the_data_of_an_unprivileged_server(place: Path) -> None:
    me = server_owner()
    stranger = Owner(me.uid, me.gid, drop=True) if me.drop else Owner(65534, 65534, drop=True)
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    assert not reachable(closed, stranger)
    moved = ground(closed / "data", stranger)
    assert moved.parent == Path("/var/tmp")
    assert reachable(moved, stranger)
    assert ground(closed / "data", stranger) == moved, "the next start finds the folder"
    tool = closed / "tool"
    tool.write_text("#!/bin/sh\n")
    copy = runnable(tool, stranger, moved)
    assert copy != tool
    assert copy.read_text() == tool.read_text()
    shutil.rmtree(moved)


def test_a_checkout_that_is_deleted_and_made_again_begins_with_nothing(place: Path) -> None:
    me = server_owner()
    stranger = Owner(me.uid, me.gid, drop=True) if me.drop else Owner(65534, 65534, drop=True)
    closed, found = place / "closed", []
    for _ in range(2):
        closed.mkdir(mode=0o700)
        found.append(ground(closed / "data", stranger))
        shutil.rmtree(closed)
    assert found[0] != found[1], "a later password does not open the first database"
    for moved in found:
        shutil.rmtree(moved)


def test_a_room_from_before_finds_its_files(place: Path) -> None:
    me = server_owner()
    stranger = Owner(me.uid, me.gid, drop=True) if me.drop else Owner(65534, 65534, drop=True)
    wanted = place / "closed" / "data"
    wanted.mkdir(parents=True)
    (place / "closed").chmod(0o700)
    name = hashlib.sha256(str(wanted.resolve()).encode()).hexdigest()[:16]
    moved = ground(wanted, stranger)
    assert moved == Path("/var/tmp") / f"tournament-room-{name}"
    shutil.rmtree(moved)
