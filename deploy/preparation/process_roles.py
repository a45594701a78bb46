"""A role of the database for each kind of process, from `config/postgres/process_rights.py`.

The statements repeat without harm: what a role no longer needs is revoked in the transaction that
grants the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.conf import settings
from django.db import connection
from psycopg.sql import SQL, Composed, Identifier, Literal

from accounts.ledger import seals
from config.postgres.databases import SESSION
from config.postgres.process_rights import EVERY, PRIVILEGES, ProcessRights, mark_of, split
from config.process.role_checks import stored_tables
from deploy.preparation.roles import NoRuntimeRole
from deploy.processes import roster

SPARE = 1
"""Processes of a kind beyond those that run: the next one starts before the last one has ended."""

MANY = {role.kind: role.many for role in roster.ROLES}


class WrongLimit(Exception):
    """Limit of connections below what the processes of a kind need."""


@dataclass(frozen=True, slots=True)
class ProcessRole:
    """Role of a kind of process; `limit` is the number of its connections, None leaves it."""

    rights: ProcessRights
    name: str
    limit: int | None

    @property
    def kind(self) -> str:
        """Return the kind of process."""
        return self.rights.kind


def plan(prefix: str, processes: Mapping[str, int], limits: Mapping[str, int]) -> list[ProcessRole]:
    """Return the role of every kind, with its limit for so many processes, or the given one.

    Raises WrongLimit, also for a kind that does not exist.
    """
    for kind in (*processes, *limits):
        if kind not in EVERY:
            raise WrongLimit(f"There is no kind of process {kind}: {', '.join(EVERY)}.")
    found = []
    for kind, rights in EVERY.items():
        many, each = processes.get(kind, MANY[kind]), rights.connections_of(settings)
        if many < 1:
            raise WrongLimit(f"{kind}: {many} processes are none; 1 or more.")
        limit = limits.get(kind, each * (many + SPARE))
        if limit < each * many:
            raise WrongLimit(
                f"{kind}: {many} processes need up to {each * many} connections ({each} each),"
                f" more than the limit of {limit}."
            )
        found.append(ProcessRole(rights, prefix + kind, limit))
    return found


def statements(role: ProcessRole, tables: Iterable[str], database: str) -> Iterator[Composed]:
    """Yield the statements that give a role its rights on the tables of a database, and no more."""
    name = Identifier(role.name)
    yield SQL("GRANT CONNECT ON DATABASE {} TO {}").format(Identifier(database), name)
    yield SQL("GRANT USAGE ON SCHEMA public TO {}").format(name)
    yield SQL("REVOKE CREATE ON SCHEMA public FROM {}").format(name)
    yield SQL("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {}").format(name)
    yield SQL("REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {}").format(name)
    written = False
    for privileges, together in _grouped(role.rights, sorted(tables)).items():
        columns, names = privileges[1], SQL(", ").join(map(Identifier, together))
        written = written or PRIVILEGES["a"] in privileges[0]
        what: Composed | SQL = SQL(", ").join(map(SQL, privileges[0]))
        if columns:
            listed = SQL(", ").join(map(Identifier, columns))
            what = SQL(", ").join(SQL("{} ({})").format(SQL(p), listed) for p in privileges[0])
        yield SQL("GRANT {} ON {} TO {}").format(what, names, name)
    if written:
        yield SQL("GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {}").format(name)


def attributes(
    role: ProcessRole, database: str, *, known: bool, verifier: str = ""
) -> Iterator[Composed]:
    """Yield the statements that make or change a role itself; an owner may lack the right to."""
    name = Identifier(role.name)
    if not known:
        yield SQL("CREATE ROLE {} LOGIN").format(name)
    yield SQL("COMMENT ON ROLE {} IS {}").format(name, Literal(mark_of(role.kind, database)))
    if verifier:
        yield SQL("ALTER ROLE {} PASSWORD {}").format(name, Literal(verifier))
    if role.limit is not None:
        yield SQL("ALTER ROLE {} CONNECTION LIMIT {}").format(name, Literal(role.limit))
        for key, value in SESSION.items():  # behind a pooler nothing is set in the session
            yield SQL("ALTER ROLE {} SET {} = {}").format(name, SQL(key), Literal(value))


def execute(roles: Iterable[ProcessRole], passwords: Mapping[str, str]) -> list[str]:
    """Make the roles and grant their rights, in one transaction; return what was done.

    Passwords by kind reach the server as SCRAM verifiers; a new role needs one. Run as the owner of
    the tables. Raises NoRuntimeRole where the owner may not make or change roles.
    """
    tables, told = stored_tables(), []
    database = str(connection.settings_dict["NAME"])
    connection.ensure_connection()
    raw = connection.connection
    with raw.transaction():
        for role in roles:
            limit, mark = _limit_and_mark_of(role.name)
            password = passwords.get(role.kind, "")
            # A role of a former database is not renewed in this one until it is marked for it.
            is_foreign = mark != mark_of(role.kind, database)
            if limit is None or password or is_foreign or role.limit not in (None, limit):
                _require_may_make(role, database, known=limit is not None, password=password)
                verifier = _verifier(role.name, password) if password else ""
                for statement in attributes(
                    role, database, known=limit is not None, verifier=verifier
                ):
                    raw.execute(statement)
                told.append(f"{role.name}: {role.limit} connections")
            for statement in statements(role, tables, database):
                raw.execute(statement)
            told.append(f"{role.name}: rights granted")
    return told


def renew() -> None:
    """Grant the rights anew to the roles that were made for this database, after a migration."""
    database = str(connection.settings_dict["NAME"])
    marks = {mark_of(kind, database): rights for kind, rights in EVERY.items()}
    with connection.cursor() as cursor:
        cursor.execute(_MARKED, [list(marks)])
        found = cursor.fetchall()
    execute([ProcessRole(marks[mark], name, None) for name, mark in found], {})


def printed(role: ProcessRole, tables: Iterable[str], database: str) -> Iterator[str]:
    """Yield the statements of a role for psql, without a password."""
    for statement in attributes(role, database, known=False):
        yield f"{statement.as_string(None)};"
    yield f"\\password {role.name}"
    for statement in statements(role, tables, database):
        yield f"{statement.as_string(None)};"


def is_known(name: str) -> bool:
    """Return whether the server has a role."""
    return _limit_and_mark_of(name)[0] is not None


def _grouped(
    rights: ProcessRights, tables: list[str]
) -> dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]]:
    """Return the tables by their privileges and the columns these are for."""
    appended = {one.table for one in seals.registered()} | {seals.TABLE}
    named: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for name, letters in rights.tables.items():
        table, columns = split(name)
        named.setdefault(table, []).append((letters, columns))
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for table in tables:
        for letters, columns in named.get(table, [(rights.others, ())]):
            kept = [one for one in letters if one in "ra" or table not in appended]
            if kept:
                privileges = tuple(PRIVILEGES[one] for one in kept)
                found.setdefault((privileges, columns), []).append(table)
    return found


def _limit_and_mark_of(name: str) -> tuple[int | None, str]:
    """Return the limit of connections of a role, None without the role, and the comment on it."""
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN, [name])
        found = cursor.fetchone()
    return (None, "") if found is None else (int(found[0]), found[1] or "")


def _require_may_make(role: ProcessRole, database: str, *, known: bool, password: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user"
        )
        if cursor.fetchone()[0]:
            return
    lines = [f"{one.as_string(None)};" for one in attributes(role, database, known=known)]
    more = f" \\password {role.name}" if password or not known else ""
    raise NoRuntimeRole(
        f"The owner of the database may not make or change the role {role.name}. As a superuser:"
        f" {' '.join(lines)}{more} -- then run this again."
    )


def _verifier(role: str, password: str) -> str:
    """Return the SCRAM verifier of a password, so that no log of the server shows it."""
    encrypted = connection.connection.pgconn.encrypt_password(
        password.encode(), role.encode(), b"scram-sha-256"
    )
    return str(encrypted.decode())


_KNOWN = """
SELECT rolconnlimit, shobj_description(oid, 'pg_authid') FROM pg_roles WHERE rolname = %s
"""
_MARKED = """
SELECT rolname, shobj_description(oid, 'pg_authid') AS mark FROM pg_roles
 WHERE shobj_description(oid, 'pg_authid') = ANY(%s) ORDER BY rolname
"""
