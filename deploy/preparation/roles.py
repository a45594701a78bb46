"""Two database roles: the owner migrates, the runtime role plays and may not rewrite history.

The runtime role reads and writes rows and nothing else: it owns no table, so it can neither
TRUNCATE nor disable a trigger, and it cannot change append-only rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import unquote, urlsplit

import structlog
from django.conf import settings
from django.db import connection
from psycopg import sql

from accounts.ledger import seals
from config import environment
from config.environment import split_url

log = structlog.get_logger(__name__)

READ_ONLY = ("django_migrations",)


class NoRuntimeRole(Exception):
    """Runtime role does not exist and the owner may not create it, or the owner is not named."""


@contextmanager
def as_owner(url: str) -> Iterator[None]:
    """Connect Django's connection of this thread as the owner inside the block; empty changes
    nothing. Its hosts are those of DATABASE_URL. Raises NoRuntimeRole for an address that cannot be
    read, or names another database.
    """
    if not url:
        yield
        return
    try:
        parts, before = split_url(url), dict(connection.settings_dict)
    except ValueError as wrong:
        raise NoRuntimeRole(f"DATABASE_OWNER_URL {wrong}.") from None
    own, played = unquote(parts.path.removeprefix("/")), str(before["NAME"])
    if own and (refused := refusal_of_names(own, played)):
        raise NoRuntimeRole(refused)
    connection.close()
    connection.settings_dict.update(
        USER=unquote(parts.username or ""), PASSWORD=unquote(parts.password or "")
    )
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(before)


def refusal_of_names(own: str, played: str) -> str:
    """Return why the owner's database and that of play cannot be two, or "" for one.

    A pooler may have a name of its own for the database.
    """
    if own == played or environment.flag("DATABASE_POOLED", False):
        return ""
    return (
        f"DATABASE_OWNER_URL names the database {own}, and DATABASE_URL {played}: the room plays on"
        f" {played}. Name one database in both."
    )


def grant_runtime() -> None:
    """Grant the runtime role of DATABASE_URL its rights and revoke all others; run as the owner.

    Does nothing when the runtime role is the owner itself: a room with one role. Raises
    NoRuntimeRole.
    """
    runtime = urlsplit(settings.DATABASE_URL)
    role, password = unquote(runtime.username or ""), unquote(runtime.password or "")
    if connection.settings_dict["USER"] == role:
        log.warning("one database role owns and plays", role=role, see="DATABASE_OWNER_URL")
        return
    _make(role, password)
    kept = sorted({one.table for one in seals.registered()} | {seals.TABLE})
    name = sql.Identifier(role)
    public = sql.SQL("SCHEMA public")
    run = [
        sql.SQL("GRANT USAGE ON {} TO {}").format(public, name),
        sql.SQL("REVOKE CREATE ON {} FROM {}").format(public, name),
        sql.SQL("REVOKE ALL ON ALL TABLES IN {} FROM {}").format(public, name),
        sql.SQL("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN {} TO {}").format(
            public, name
        ),
        sql.SQL("GRANT USAGE, SELECT ON ALL SEQUENCES IN {} TO {}").format(public, name),
        sql.SQL("REVOKE UPDATE, DELETE ON {} FROM {}").format(_tables(kept), name),
        sql.SQL("REVOKE INSERT, UPDATE, DELETE ON {} FROM {}").format(_tables(READ_ONLY), name),
    ]
    # A single transaction: a room in play never loses its rights in between.
    connection.ensure_connection()
    with connection.connection.transaction():
        for statement in run:
            connection.connection.execute(statement)


def _tables(names: list[str] | tuple[str, ...]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))


def _make(role: str, password: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
        if cursor.fetchone():
            return
        cursor.execute(
            "SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user"
        )
        may = bool(cursor.fetchone()[0])
    if not may:
        raise NoRuntimeRole(
            f"The database has no role {role}, and its owner may not make one. As a superuser: "
            f"CREATE ROLE {role} LOGIN PASSWORD '...'; then prepare again."
        )
    create = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}")
    connection.ensure_connection()
    connection.connection.execute(create.format(sql.Identifier(role), sql.Literal(password)))
