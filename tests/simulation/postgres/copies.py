"""Copies of all rows and sequences of the world's PostgreSQL, and their return."""

from __future__ import annotations

from typing import Any, NamedTuple

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg import sql

from deploy.embedded.postgres import KEEPER
from tests import conftest

ENDS_WITHIN_MS = 5_000

_SEQUENCES = """
SELECT format('%I.%I', schemaname, sequencename), coalesce(last_value, start_value),
       last_value IS NOT NULL
  FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1
"""
_CUT_OFF = """
SELECT count(pg_terminate_backend(pid, %s)) FROM pg_stat_activity
 WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


class DatabaseCopy(NamedTuple):
    """Copy of PostgreSQL at one moment: the rows of each table that had any, and sequences."""

    rows: dict[str, bytes]
    sequences: tuple[tuple[str, int, bool], ...]


class DatabaseKeeper:
    """Connection of the server's superuser: it copies and replaces rows, whatever triggers say."""

    def __init__(self, tables: list[str]) -> None:
        name = connections[DEFAULT_DB_ALIAS].settings_dict["NAME"]
        url = conftest.world.servers.postgres.url_of(KEEPER, name)
        self._connection = psycopg.connect(url, autocommit=True)
        self._tables = tables

    def close(self) -> None:
        """Close the connection, so that the database may be dropped."""
        self._connection.close()

    def copy(self) -> DatabaseCopy:
        """Return all that is committed, as of one moment."""
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            rows = {name: _rows(cursor, name) for name in self._filled(cursor)}
            found = cursor.execute(_SEQUENCES).fetchall()
        return DatabaseCopy(rows, tuple(found))

    def put_back(self, copy: DatabaseCopy) -> None:
        """Let PostgreSQL hold a copy and nothing else."""
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            filled = self._filled(cursor)
            if filled:
                names = sql.SQL(", ").join(map(sql.Identifier, filled))
                cursor.execute(sql.SQL("TRUNCATE {} CASCADE").format(names))
            for name, rows in copy.rows.items():
                into = sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(name))
                with cursor.copy(into) as stream:
                    stream.write(rows)
            for sequence in copy.sequences:
                cursor.execute("SELECT setval(%s, %s, %s)", sequence)

    def cut_off(self) -> None:
        """End all other connections to the server, as its death does."""
        self._connection.execute(_CUT_OFF, [ENDS_WITHIN_MS])

    def _filled(self, cursor: Any) -> list[str]:
        """Return the tables that have rows."""
        asked = sql.SQL(", ").join(
            sql.SQL("EXISTS (SELECT FROM {})").format(sql.Identifier(name)) for name in self._tables
        )
        answers = cursor.execute(sql.SQL("SELECT {}").format(asked)).fetchone()
        return [name for name, filled in zip(self._tables, answers, strict=True) if filled]


def _rows(cursor: Any, table: str) -> bytes:
    asked = sql.SQL("COPY (SELECT * FROM {}) TO STDOUT").format(sql.Identifier(table))
    with cursor.copy(asked) as stream:
        return b"".join(bytes(block) for block in stream)
