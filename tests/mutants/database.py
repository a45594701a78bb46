"""PostgreSQL server with a database that is migrated once for all mutants of a copy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psycopg
from psycopg import sql

from config.environment import HOME
from deploy.embedded import ports, postgres, program, servers

READY_S = 120.0
STOP_S = 5.0
MIGRATED_S = 600
OF_TESTS = f"test_{postgres.ROOM}"
"""Name that Django gives the database of its tests."""


class Database:
    """Server of one copy; started and ended by the main thread, and killed with it."""

    def __init__(self, place: Path) -> None:
        place.mkdir(parents=True)
        place.chmod(0o711)  # the server runs as an unprivileged user
        port = ports.several(dict.fromkeys(("postgres", "room", "broker")))
        self._servers = servers.lay_out(place, place, durable=False, port=port)
        self._how = postgres.prepare(self._servers.postgres)
        self._child = program.start(self._how)
        program.wait_ready(self._how, self._child, READY_S)
        self._migrate()

    def environment(self) -> dict[str, str]:
        """Return the environment that leads the tests to this server."""
        server = self._servers.postgres
        return {"TEST_POSTGRES": f"{server.port} {server.secrets}"}

    def renew(self) -> None:
        """Replace the database of the tests by a copy of the migrated one."""
        name, template = sql.Identifier(OF_TESTS), sql.Identifier(postgres.ROOM)
        url = self._servers.postgres.url_of(postgres.KEEPER, "postgres")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
            create = sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {}")
            connection.execute(create.format(name, template, template))

    def end(self) -> None:
        """Stop the server; its files are removed with the folder of the run."""
        program.stop(self._how, self._child, STOP_S)

    def _migrate(self) -> None:
        environment = {
            "DATABASE_URL": self._servers.postgres.owner_url,
            "SECRET_KEY": "for tests only, guards nothing",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        subprocess.run(
            [sys.executable, "-m", "django", "migrate", "--no-input", "--verbosity=0"],
            cwd=HOME,
            env=os.environ | self._servers.addresses() | environment,
            check=True,
            timeout=MIGRATED_S,
        )
