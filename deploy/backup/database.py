"""Database of a backup: dump and restore by PostgreSQL's programs, and what a database holds."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import IO, Any

import psycopg
from psycopg import pq
from psycopg.conninfo import make_conninfo

from config.postgres import databases
from deploy.backup.manifest import BackupRefused
from deploy.backup.parts import CHUNK_BYTES, PartFile, Progress, in_mb
from deploy.embedded import binaries

CONNECT_S = 10
ERROR_LINES_MAX = 6


def applied_migrations(url: str) -> tuple[str, ...]:
    """Return the migrations of a room's database, as APP.NAME; raise BackupRefused for none."""
    query = "SELECT app || '.' || name FROM django_migrations ORDER BY 1"
    try:
        with _connected(url) as connection:
            return tuple(name for (name,) in connection.execute(query))
    except psycopg.errors.UndefinedTable:
        raise BackupRefused("The database has no tables of a room.") from None


def name_in(url: str) -> str:
    """Return the name of the database in an address; raise BackupRefused for none to use."""
    return str(_options(url).get("dbname", ""))


def tables_of(url: str) -> list[str]:
    """Return the tables, views and sequences that a database has beside those of PostgreSQL."""
    query = """
        SELECT format('%I.%I', nspname, relname) FROM pg_class
        JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
          AND nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%' ORDER BY 1"""
    with _connected(url) as connection:
        return [name for (name,) in connection.execute(query)]


def dump_database(url: str, to: PartFile, progress: Progress) -> None:
    """Write a dump of the database; consistent also during play. Raises BackupRefused."""
    with tempfile.TemporaryFile() as errors:
        program = subprocess.Popen(
            [_program("pg_dump"), "--format=custom", "--no-owner", "--no-password"],
            env=libpq_environment(url),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
        with program:
            assert program.stdout is not None
            try:
                while chunk := program.stdout.read(CHUNK_BYTES):
                    to.write(chunk)
                    progress.tell(in_mb(to.size))
            except BaseException:
                program.kill()
                raise
        _verify_end("pg_dump", program.returncode, errors)


def verify_dump(path: Path) -> None:
    """Read the contents of a dump, changing nothing; raise BackupRefused."""
    with tempfile.TemporaryFile() as errors:
        done = subprocess.run(
            [_program("pg_restore"), "--list", str(path)],
            stdout=subprocess.DEVNULL,
            stderr=errors,
            check=False,
        )
        _verify_end("pg_restore", done.returncode, errors)


def restore_database(url: str, path: Path, progress: Progress) -> None:
    """Restore a dump into an empty database as its owner, all of it or nothing.

    Rights of the runtime role are not restored: `manage.py prepare --database` grants them. Raises
    BackupRefused.
    """
    options = libpq_environment(url)
    program = subprocess.Popen(
        [
            *(_program("pg_restore"), "--no-owner", "--no-privileges", "--no-password"),
            *("--single-transaction", "--exit-on-error", "--verbose"),
            *("--dbname", options.get("PGDATABASE", ""), str(path)),
        ],
        env=options,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    lines: list[str] = []
    tables = 0
    with program:
        assert program.stderr is not None
        for line in program.stderr:
            lines = [*lines[1 - ERROR_LINES_MAX :], line.strip()]
            if "processing data for table" in line:
                tables += 1
                progress.tell(f"{tables} tables")
    if program.returncode:
        raise BackupRefused("pg_restore failed, the database is as before:\n" + "\n".join(lines))


def libpq_environment(url: str) -> dict[str, str]:
    """Return the environment with an address of PostgreSQL for its programs.

    An address on the command line would show its password to every user of the machine.
    """
    given = {
        option.envvar.decode(): option.val.decode()
        for option in pq.Conninfo.parse(make_conninfo(**_options(url)).encode())
        if option.envvar and option.val is not None
    }
    others = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return {**others, **given, "LC_ALL": "C"}


def _options(url: str) -> dict[str, Any]:
    """Return an address as options of libpq, read as the processes of the room read it.

    Libpq itself ends a password at the first @ of an address and takes a line end for a part of a
    name: a room would play on a server that none of its backups reaches.
    """
    try:
        # "Pooled" has no limits of a session, which would end a long dump.
        found = databases.parse(url, name="backup", kept_s=0, pooled=True)
        options = {key: found[name] for key, name in _NAMED.items() if found[name]}
        options = {**found["OPTIONS"], **options, "connect_timeout": CONNECT_S}
        make_conninfo(**options)
    except (ValueError, psycopg.ProgrammingError) as wrong:
        raise BackupRefused(f"The address of the database cannot be used: {wrong}.") from None
    return options


_NAMED = {"dbname": "NAME"} | {name.lower(): name for name in ("HOST", "PORT", "USER", "PASSWORD")}
"""Settings of Django by libpq's names."""


def _connected(url: str) -> psycopg.Connection[tuple[str]]:
    try:
        return psycopg.connect(**_options(url), autocommit=True)
    except psycopg.OperationalError as error:
        raise BackupRefused(f"The database does not answer: {error}") from error


def _program(name: str) -> str:
    try:
        return str(binaries.postgres_client(name))
    except binaries.ServerMissing as missing:
        raise BackupRefused(str(missing)) from missing


def _verify_end(name: str, code: int, errors: IO[bytes]) -> None:
    if code:
        errors.seek(0)
        lines = errors.read().decode(errors="replace").strip().splitlines()
        raise BackupRefused(f"{name} failed:\n" + "\n".join(lines[-ERROR_LINES_MAX:]))
