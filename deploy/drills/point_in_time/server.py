"""PostgreSQL of a drill: archived, copied during its work, damaged, and recovered to a second."""

from __future__ import annotations

import shutil
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import psycopg

from deploy.embedded import base_backup, ports, program
from deploy.embedded.postgres import KEEPER, ROOM, Postgres

WITHIN_S = 300.0
LOOK_EVERY_S = 0.05


class RecoveryFailed(Exception):
    """Server did not archive or recover in time; the message names its log."""


def make_archive(server: Postgres) -> Path:
    """Make the folder of a server's archived WAL, beside its data."""
    archive = server.place / "archive"
    shutil.rmtree(archive, ignore_errors=True)
    archive.mkdir()
    server.owner.own(archive)
    return archive


def take_base(server: Postgres) -> Postgres:
    """Copy a running server; return the copy, on a port of its own."""
    copy = replace(
        server,
        name="restored",
        port=ports.free(),
        log=server.log.with_name("restored.log"),
    )
    shutil.rmtree(copy.data, ignore_errors=True)
    base_backup.copy_server(server, copy)
    return copy


def end_archive(server: Postgres) -> None:
    """Wait until all WAL up to now is in the archive; raise RecoveryFailed."""
    with connected(server, KEEPER) as connection:
        row = connection.execute("SELECT pg_walfile_name(pg_switch_wal())").fetchone()
        assert row is not None
        give_up_s = time.monotonic() + WITHIN_S
        while time.monotonic() < give_up_s:
            query = "SELECT coalesce(last_archived_wal >= %s, false) FROM pg_stat_archiver"
            if connection.execute(query, row).fetchone() == (True,):
                return
            time.sleep(LOOK_EVERY_S)
    raise RecoveryFailed(f"the last WAL was not archived; see {server.log}")


def start_recovered(copy: Postgres, archive: Path, until: str) -> subprocess.Popen[bytes]:
    """Recover a copy to a time; return its process once it takes writes. Raises RecoveryFailed."""
    how = base_backup.prepare_recovery(copy, archive, until)
    child = program.start(how)
    give_up_s = time.monotonic() + WITHIN_S
    while time.monotonic() < give_up_s and child.poll() is None:
        if takes_writes(copy):
            return child
        time.sleep(LOOK_EVERY_S)
    program.kill(child)
    raise RecoveryFailed(f"the copy did not reach {until}; see {copy.log}")


def takes_writes(server: Postgres) -> bool:
    """Return whether a server has ended its recovery."""
    try:
        with connected(server, KEEPER) as connection:
            row = connection.execute("SELECT pg_is_in_recovery()").fetchone()
    except psycopg.OperationalError:
        return False
    return row == (False,)


def connected(server: Postgres, role: str = ROOM) -> psycopg.Connection:
    """Return a connection to a drill's server that commits each statement."""
    name = "postgres" if role == KEEPER else ROOM
    return psycopg.connect(server.url_of(role, name), autocommit=True, connect_timeout=10)


def size_of(folder: Path) -> int:
    """Return the size in bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
