"""Embedded PostgreSQL after a crash: its standby is back soon, its files are synced at once."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from config.environment import HOME
from deploy.embedded import ports, postgres, program, standbys
from deploy.embedded.owner import Owner, ground, server_owner
from deploy.embedded.postgres import KEEPER, Postgres
from deploy.processes.supervisor import Supervisor

READY_S = 60.0
KERNELS = [
    ("linux", "6.18.44-cloud", True),
    ("linux", "5.15.90.1-microsoft-standard-WSL2", True),
    ("linux", "5.8.0", True),
    ("linux", "5.4.0-42-generic", False),
    ("darwin", "23.1.0", False),
]


@pytest.fixture
def servers() -> Iterator[tuple[Postgres, Postgres]]:
    """Primary and standby, in a folder that the user of the servers can reach."""
    home = Path(tempfile.mkdtemp(prefix="room-standby-"))
    home.chmod(0o711)
    (home / "secrets").mkdir(mode=0o700)
    owner = server_owner()
    place = ground(home / "servers", owner)
    yield _server(home, place, owner, "postgres"), _server(home, place, owner, "postgres1")
    shutil.rmtree(home, ignore_errors=True)


def test_a_restarted_primary_answers_commits_with_its_standby(
    servers: tuple[Postgres, Postgres],
) -> None:
    primary, standby = servers
    first = postgres.prepare(primary)
    running = program.start(first)
    program.wait_ready(first, running, READY_S)
    second = standbys.prepare_postgres(standby, primary)
    following = program.start(second)
    try:
        program.wait_ready(second, following, READY_S)
        standbys.wait_for_copies(primary)
        program.kill(running)
        running = program.start(first)
        program.wait_ready(first, running, READY_S)
        with _connected(primary) as connection:
            connection.execute("CREATE TABLE told (number int)")
            connection.commit()
            states = connection.execute("SELECT sync_state FROM pg_stat_replication").fetchall()
        with _connected(standby) as connection:
            (method,) = connection.execute("SHOW recovery_init_sync_method").fetchone() or ("",)
            (pause,) = connection.execute("SHOW wal_retrieve_retry_interval").fetchone() or ("",)
    finally:
        program.stop(second, following, READY_S)
        program.stop(first, running, READY_S)
    assert states == [("sync",)], "the commit waited for the standby"
    whole = postgres.tells_disk_errors(sys.platform, platform.release())
    assert method == ("syncfs" if whole else "fsync")
    assert pause == standbys.STANDBY_ASKS_AGAIN
    told = f"wal_retrieve_retry_interval = {pause}"
    assert told in (HOME / "docs" / "standbys.md").read_text()


def test_a_killed_server_starts_though_another_process_has_its_number(
    servers: tuple[Postgres, Postgres],
) -> None:
    server, _ = servers
    first = postgres.prepare(server)
    running = program.start(first)
    program.wait_ready(first, running, READY_S)
    program.kill(running)
    other = subprocess.Popen(["sleep", "600"], preexec_fn=server.owner.become)
    file = server.data / "postmaster.pid"
    number, *rest = file.read_text().splitlines(keepends=True)
    file.write_text("".join([f"{other.pid}\n", *rest]))
    supervisor = Supervisor(print)
    try:
        assert int(number) == running.pid
        supervisor.start([postgres.prepare(server)], READY_S)
        assert supervisor.serves("postgres")
        before = file.read_text()
        postgres.prepare(server)
        assert file.read_text() == before, "the number of a running server stays"
    finally:
        supervisor.stop()
        other.kill()
        other.wait()


@pytest.mark.parametrize(("system", "release", "tells"), KERNELS)
def test_disks_are_synced_as_a_whole_where_the_kernel_tells_errors(
    system: str, release: str, tells: bool
) -> None:
    assert postgres.tells_disk_errors(system, release) == tells


def _server(home: Path, place: Path, owner: Owner, name: str) -> Postgres:
    log = home / f"{name}.log"
    return Postgres(place, home / "secrets", log, ports.free(), owner, name=name)


def _connected(server: Postgres) -> psycopg.Connection:
    return psycopg.connect(server.url_of(KEEPER, "postgres"), connect_timeout=30)
