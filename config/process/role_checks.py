"""Check of the role in DATABASE_URL before a process starts: its rights, and its connections."""

from __future__ import annotations

import time
from collections.abc import Iterable

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import OperationalError, connection

from config.postgres.engine.base import ASKS_EVERY_S, is_full
from config.postgres.process_rights import EVERY, PRIVILEGES, ProcessRights, TableRight

NAMED_AT_MOST = 3
"""Missing rights that the sentence for the operator names."""


def fault_of(kind: str) -> str:
    """Return why the role of DATABASE_URL is too little for a kind of process, or "".

    Waits for a connection while the role has none left. A database that does not answer is no
    fault.
    """
    rights = EVERY[kind]
    try:
        _wait_for_connection()
        role, most = _role()
        missing = _missing(rights)
    except (DatabaseError, OSError):
        return ""
    if missing:
        named = ", ".join(missing[:NAMED_AT_MOST])
        more = f" and {len(missing) - NAMED_AT_MOST} more" if missing[NAMED_AT_MOST:] else ""
        return (
            f"DATABASE_URL: the role {role} of this {kind} process lacks {named}{more}: run"
            " manage.py prepare as the owner of the database, or manage.py database_roles --execute"
        )
    needed = rights.connections_of(settings)
    if 0 <= most < needed:
        return (
            f"DATABASE_URL: the role {role} may hold {most} connections, one {kind} process needs"
            f" up to {needed}: raise the limit with manage.py database_roles --execute"
        )
    return ""


def stored_tables() -> list[str]:
    """Return the tables of the room in its database, by name, without their partitions.

    A process reads and writes a partition by its rights on the whole.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            " AND relkind IN ('r', 'p') AND NOT relispartition"
        )
        return sorted(name for (name,) in cursor.fetchall())


def _wait_for_connection() -> None:
    while True:
        try:
            connection.ensure_connection()
        except OperationalError as failed:
            if not is_full(failed):
                raise
            time.sleep(ASKS_EVERY_S)  # the backend waited, and told it
        else:
            return


def _role() -> tuple[str, int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolname, rolconnlimit FROM pg_roles WHERE rolname = current_user")
        name, most = cursor.fetchone()
    return str(name), int(most)


def _missing(rights: ProcessRights) -> list[str]:
    """Return the rights that are missing, as "SELECT on TABLE"; tables to come are passed over."""
    wanted = [*rights.named(), *_of_others(rights)]
    with connection.cursor() as cursor:
        cursor.execute(_LACKING, _columns(wanted))
        return [f"{privilege} on {table}" for table, privilege in cursor.fetchall()]


def _of_others(rights: ProcessRights) -> Iterable[TableRight]:
    tables = [name for name in stored_tables() if name not in rights.known()]
    # Some are append-only: nobody may update or delete their rows.
    letters = [letter for letter in rights.others if letter in "ra"]
    return [TableRight(table, (), PRIVILEGES[letter]) for table in tables for letter in letters]


def _columns(wanted: list[TableRight]) -> list[list[str]]:
    rows = [(one.table, column, one.privilege) for one in wanted for column in one.columns or ("",)]
    return [list(column) for column in zip(*rows, strict=True)] or [[], [], []]


_LACKING = """
SELECT DISTINCT name, privilege
  FROM unnest(%s::text[], %s::text[], %s::text[]) AS wanted (name, col, privilege)
 WHERE to_regclass(quote_ident(name)) IS NOT NULL
   AND NOT CASE WHEN col = '' THEN has_table_privilege(to_regclass(quote_ident(name)), privilege)
                ELSE has_column_privilege(to_regclass(quote_ident(name)), col, privilege) END
 ORDER BY 1, 2
"""
