"""Runtime role of the processes: owns nothing and rewrites no history."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg import errors

from deploy.preparation import roles
from deploy.preparation import room as preparation
from tests.conftest import world
from tests.tournaments.cast import started
from tournaments.models import AuditRow

KEPT = (
    "accounts_transfer",
    "accounts_posting",
    "accounts_seal",
    "tournaments_auditrow",
    "django_admin_log",
    "ring_ringauditrow",
)


def of_test_database(url: str) -> str:
    """Return an address of the embedded server for the database of the tests."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{connection.settings_dict['NAME']}"))


@pytest.fixture
def runtime(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[psycopg.Connection]:
    """Connection with the runtime role, after `manage.py prepare`."""
    url = of_test_database(world.servers.postgres.url)
    monkeypatch.setattr(settings, "DATABASE_URL", url)
    preparation.migrate(of_test_database(world.servers.postgres.owner_url))
    with psycopg.connect(url, autocommit=True) as opened:
        yield opened


def tables(opened: psycopg.Connection) -> list[str]:
    rows = opened.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    return sorted(name for (name,) in rows)


def test_no_table_can_be_emptied_or_have_its_triggers_disabled(
    runtime: psycopg.Connection,
) -> None:
    names = tables(runtime)
    assert set(KEPT) < set(names) and len(names) > 25
    for name in names:
        for statement in (
            f"TRUNCATE {name} CASCADE",
            f"ALTER TABLE {name} DISABLE TRIGGER ALL",
            f"ALTER TABLE {name} DISABLE TRIGGER USER",
            f"DROP TABLE {name} CASCADE",
            f"CREATE TRIGGER mine BEFORE INSERT ON {name} EXECUTE FUNCTION ledger_append_only()",
        ):
            with pytest.raises(errors.InsufficientPrivilege):
                runtime.execute(statement)


def test_rows_that_are_only_added_cannot_be_changed(
    runtime: psycopg.Connection, room: object, broker: object
) -> None:
    started(2)
    assert AuditRow.objects.exists()
    for name in KEPT:
        assert runtime.execute(f"SELECT count(*) FROM {name}").fetchone() is not None
        for statement in (f"DELETE FROM {name}", f"UPDATE {name} SET id = id"):
            with pytest.raises(errors.InsufficientPrivilege):
                runtime.execute(statement)
    with pytest.raises(errors.InsufficientPrivilege):
        runtime.execute("DELETE FROM django_migrations")


def test_server_grants_the_runtime_role_no_bypass(runtime: psycopg.Connection) -> None:
    for statement in (
        "SET session_replication_role = replica",
        "SET ROLE room",
        "CREATE TABLE mine (id int)",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE OR REPLACE FUNCTION ledger_append_only() RETURNS trigger LANGUAGE plpgsql"
        " AS $$ BEGIN RETURN NEW; END $$",
        "ALTER ROLE room_runtime SUPERUSER",
        "CREATE DATABASE mine",
    ):
        with pytest.raises((errors.InsufficientPrivilege, errors.DependentObjectsStillExist)):
            runtime.execute(statement)


def test_the_room_plays_as_the_runtime_role(
    runtime: psycopg.Connection, room: object, broker: object
) -> None:
    url = of_test_database(world.servers.postgres.url)
    with roles.as_owner(url):  # the same entry point, in the other direction
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_user")
            assert cursor.fetchone() == ("room_runtime",)
        from tests.tournaments.cast import Arena

        made = started(3)
        Arena(made.pk).run()
        made.refresh_from_db()
        assert made.state == "finished"


def test_prepare_makes_a_runtime_role_where_the_owner_may(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = world.servers.postgres
    url = of_test_database(servers.url).replace("//room_runtime:", "//another:")
    monkeypatch.setattr(settings, "DATABASE_URL", url)
    monkeypatch.setenv("DATABASE_OWNER_URL", of_test_database(servers.owner_url))
    with pytest.raises(CommandError, match="CREATE ROLE another"):
        call_command("prepare", "--database")
    keeper = of_test_database(servers.url_of("keeper", "postgres"))
    monkeypatch.setenv("DATABASE_OWNER_URL", keeper)
    try:
        call_command("prepare", "--database")
        with psycopg.connect(url, autocommit=True) as opened:
            assert opened.execute("SELECT count(*) FROM accounts_user").fetchone() == (0,)
            with pytest.raises(errors.InsufficientPrivilege):
                opened.execute("TRUNCATE accounts_posting")
    finally:
        with psycopg.connect(keeper, autocommit=True) as opened:
            opened.execute("DROP OWNED BY another")
            opened.execute("DROP ROLE another")


def test_a_password_of_the_owner_as_it_is_typed_is_told_by_the_name_of_its_variable() -> None:
    with (
        pytest.raises(roles.NoRuntimeRole, match="DATABASE_OWNER_URL cannot be read") as refused,
        roles.as_owner("postgresql://room:se/cret@one.example/room"),
    ):
        pass
    assert "cret" not in str(refused.value)


@pytest.mark.parametrize("command", ["prepare", "database_roles"])
def test_an_owner_of_another_database_changes_nothing(
    db: None, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Else the database of DATABASE_URL would be changed, and no word said of it."""
    name = connection.settings_dict["NAME"]
    owner = of_test_database(world.servers.postgres.owner_url)
    monkeypatch.setenv("DATABASE_OWNER_URL", f"{owner}_new")
    options = ["--database"] if command == "prepare" else ["--execute"]
    with pytest.raises(CommandError, match=f"database {name}_new, and DATABASE_URL {name}: "):
        call_command(command, *options)
    with roles.as_owner(owner.rpartition("/")[0]):
        assert connection.settings_dict["NAME"] == name, "an address without a name is of this one"
