"""Embedded PostgreSQL: passwords for all users (SCRAM), one database, one address."""

from __future__ import annotations

import os
import platform
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

import psycopg
from psycopg import sql

from config import environment
from deploy.embedded import binaries
from deploy.embedded.network import LOCAL
from deploy.embedded.owner import Owner, runnable
from deploy.embedded.program import Program

KEEPER = "keeper"
ROOM = "room"
RUNTIME = "room_runtime"
"""Roles: of the server, of the database and all in it, of the processes that play."""


@dataclass(frozen=True, slots=True)
class Postgres:
    """Server with its files and secrets, its owner and its port."""

    place: Path
    secrets: Path
    log: Path
    port: int
    owner: Owner
    durable: bool = True
    address: str = LOCAL
    name: str = "postgres"

    @property
    def data(self) -> Path:
        """Return the folder of the server's data."""
        return self.place / self.name

    @property
    def url(self) -> str:
        """Return the address of the room's database for the runtime role."""
        return self.url_of(RUNTIME, ROOM)

    def url_with(self, standby: Postgres | None) -> str:
        """Return the address of the room's database with that of a standby beside it."""
        if standby is None:
            return self.url
        here = f"@{self.address}:{self.port}/"
        return self.url.replace(here, f"{here[:-1]},{standby.address}:{standby.port}/")

    @property
    def owner_url(self) -> str:
        """Return the address of the room's database for its owner, who migrates, dumps and
        restores.
        """
        return self.url_of(ROOM, ROOM)

    def url_of(self, role: str, database: str) -> str:
        """Return the address of a database for one of the server's roles."""
        password = environment.kept_secret(self.secrets / f"postgres.{role}")
        return f"postgresql://{role}:{quote(password)}@{self.address}:{self.port}/{database}"


def prepare(server: Postgres, more: Mapping[str, str] = MappingProxyType({})) -> Program:
    """Create the server's files when there are none; return the program, with `more` settings."""
    home = runnable(binaries.postgres_directory(), server.owner, server.place)
    data = server.data
    if not (data / "PG_VERSION").is_file():
        _create(home, data, server)
    _pass_over_other_process(data)
    settings = {
        "listen_addresses": server.address,
        "hba_file": str(_admission(server)),
        "port": str(server.port),
        "unix_socket_directories": "",
        "max_connections": "120",
        "shared_buffers": "128MB",
        "log_destination": "stderr",
        "logging_collector": "off",
        **more,
    }
    if tells_disk_errors(sys.platform, platform.release()):
        # After a crash one call for the disk, not one for each of a thousand files.
        settings["recovery_init_sync_method"] = "syncfs"
    if not server.durable:
        settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
    arguments = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    return Program(
        name=server.name,
        argv=(str(home / "bin" / "postgres"), "-D", str(data), *arguments),
        directory=data,
        log=server.log,
        environment=ENGLISH,
        owner=server.owner,
        stop_signal=signal.SIGINT,  # "fast": clients are disconnected, no data is lost
        orphan_signal=signal.SIGINT,
        ready=lambda: _ready(server),
    )


def tells_disk_errors(system: str, release: str) -> bool:
    """Return whether syncing a whole disk tells what was not written: on Linux 5.8 or newer."""
    return system == "linux" and [int(part) for part in re.findall(r"\d+", release)[:2]] >= [5, 8]


def _admission(server: Postgres) -> Path:
    """Return pg_hba.conf: clients with a password from here, or from the server's network."""
    whence = [f"{LOCAL}/32", *(["samenet"] if server.address != LOCAL else [])]
    path = server.place / f"{server.name}.hba"
    lines = [f"host {kind} all {net} scram-sha-256\n" for net in whence for kind in _KINDS]
    path.write_text("".join(lines))
    server.owner.own(path)
    return path


def _create(home: Path, data: Path, server: Postgres) -> None:
    password = server.place / "postgres.password"
    password.touch(0o600)  # before it has the password: others may enter the folder
    server.owner.own(password)
    password.write_text(environment.kept_secret(server.secrets / "postgres.keeper"))
    unfinished = data.with_name(f"{server.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    server.owner.own(unfinished)
    try:
        done = subprocess.run(
            [
                str(home / "bin" / "initdb"),
                f"--pgdata={unfinished}",
                f"--username={KEEPER}",
                f"--pwfile={password}",
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--no-instructions",
                *([] if server.durable else ["--no-sync"]),
            ],
            check=False,
            capture_output=True,
            text=True,
            cwd=server.place,
            env={**os.environ, **ENGLISH},
            preexec_fn=server.owner.become,
        )
    finally:
        password.unlink()
    if done.returncode:
        raise RuntimeError(f"initdb failed:\n{done.stdout}\n{done.stderr}")
    unfinished.rename(data)


def _pass_over_other_process(data: Path) -> None:
    """Take the number of a process that is no server of this data out of its pid file (Linux).

    1. A killed server leaves its number. After a restart of the machine, or of a container, another
       process of this user may have it: PostgreSQL takes that one for the server and never starts.
    2. It passes over the number of its own parent, which is this process. The rest of the file
       stays: it leads to memory that a last process of the killed server may still use.
    """
    file = data / "postmaster.pid"
    try:
        number, *rest = file.read_text().splitlines(keepends=True)
        words = Path(f"/proc/{int(number)}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError):
        return
    if os.fsencode(data) not in words:
        file.write_text("".join([f"{os.getpid()}\n", *rest]))


def _ready(server: Postgres) -> bool:
    """Return whether the room's database answers; create it and its roles at the first start."""
    try:
        with psycopg.connect(
            server.url_of(KEEPER, "postgres"), autocommit=True, connect_timeout=2
        ) as connection:
            if _is_standby(connection):
                return True
            for role, may in ((ROOM, "CREATEDB"), (RUNTIME, "NOCREATEDB")):
                password = environment.kept_secret(server.secrets / f"postgres.{role}")
                _create_role(connection, role, may, password)
            _create_room(connection)
    except psycopg.OperationalError:
        return False
    return True


def _is_standby(connection: psycopg.Connection) -> bool:
    row = connection.execute("SELECT pg_is_in_recovery()").fetchone()
    return row is not None and bool(row[0])


def _create_role(connection: psycopg.Connection, name: str, may: str, password: str) -> None:
    if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone():
        create = sql.SQL("CREATE ROLE {} LOGIN {} PASSWORD {}")
        connection.execute(create.format(sql.Identifier(name), sql.SQL(may), sql.Literal(password)))


def _create_room(connection: psycopg.Connection) -> None:
    role = sql.Identifier(ROOM)
    if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [ROOM]).fetchone():
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(role, role))


_KINDS = ("all", "replication")
"""Kinds of connections in pg_hba.conf: `all` does not include those of standbys."""

ENGLISH = {"LC_ALL": "C", "LANG": "C", "TZ": "UTC"}
