"""Roles of the kinds of processes in the database of the tests, made by the command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from urllib.parse import unquote, urlsplit

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from psycopg import sql

from config.postgres.process_rights import EVERY
from deploy.embedded.postgres import KEEPER
from tests.conftest import world

PASSWORD = "only in tests, guards nothing"  # nosec B105
_PASSWORD_IN_URL = PASSWORD.replace(" ", "%20").replace(",", "%2C")


def prefix() -> str:
    """Return a beginning of role names for this process of tests: its server has other ones."""
    return f"{connection.settings_dict['NAME']}_"


def url_of(role: str) -> str:
    """Return the address of the database of the tests for a role."""
    hosts = urlsplit(world.servers.postgres.url).netloc.rpartition("@")[2]
    name = connection.settings_dict["NAME"]
    return f"postgresql://{role}:{_PASSWORD_IN_URL}@{hosts}/{name}"


def keeper_url() -> str:
    """Return the address of the database of the tests for the keeper of its server."""
    url = world.servers.postgres.url_of(KEEPER, "postgres")
    return f"{url.rpartition('/')[0]}/{connection.settings_dict['NAME']}"


def command(*options: str) -> list[str]:
    """Run `manage.py database_roles` with the prefix of this process; return what it told."""
    told = StringIO()
    call_command("database_roles", "--prefix", prefix(), *options, stdout=told)
    return told.getvalue().splitlines()


@contextmanager
def made(monkeypatch: pytest.MonkeyPatch, *options: str) -> Iterator[dict[str, str]]:
    """Make the roles for the block; yield their addresses by kind."""
    monkeypatch.setenv("DATABASE_OWNER_URL", keeper_url())
    for kind in EVERY:
        monkeypatch.setenv(f"DATABASE_PASSWORD_{kind.upper()}", PASSWORD)
    try:
        command("--execute", *options)
        yield {kind: url_of(prefix() + kind) for kind in EVERY}
    finally:
        drop()


@contextmanager
def logged_in(address: str) -> Iterator[None]:
    """Let Django log in to PostgreSQL as the role of an address during the block."""
    parts, own = urlsplit(address), connection.settings_dict
    before = {name: own[name] for name in ("USER", "PASSWORD")}
    connection.close()
    own |= {"USER": unquote(parts.username or ""), "PASSWORD": unquote(parts.password or "")}
    try:
        yield
    finally:
        connection.close()
        own |= before


def drop() -> None:
    """Remove the roles of this process of tests."""
    with psycopg.connect(keeper_url(), autocommit=True) as keeper:
        for kind in EVERY:
            name = prefix() + kind
            if keeper.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone():
                for verb in ("DROP OWNED BY {}", "DROP ROLE {}"):
                    keeper.execute(sql.SQL(verb).format(sql.Identifier(name)))
