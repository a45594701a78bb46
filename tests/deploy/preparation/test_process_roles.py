"""Role of the database for each kind of process: its rights, its limit, and what it may not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import pytest_django
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg import errors, sql

from accounts.ledger import seals
from accounts.users import pruning
from config.postgres.process_rights import CHECKPOINT, EVERY, LOG_INS, MONEY, mark_of
from config.process.role_checks import stored_tables
from deploy.preparation import process_roles
from deploy.processes.roster import ROLES
from tests.deploy.preparation import tried_roles
from tests.deploy.preparation.own_database import a_database
from tests.deploy.preparation.tried_roles import PASSWORD, command, prefix

Addresses = dict[str, str]

READS, ADDS, CHANGES, DELETES = "SELECT", "INSERT", "UPDATE", "DELETE"


@pytest.fixture
def roles(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Addresses]:
    """Addresses of the database by kind of process, each with its own role."""
    with tried_roles.made(monkeypatch) as addresses:
        yield addresses


def rights_of(opened: psycopg.Connection) -> set[tuple[str, str]]:
    """Return what the role of a connection may do with which table, as the server answers."""
    found = opened.execute(
        "SELECT privilege, relname FROM pg_class, unnest(%s::text[]) AS privilege"
        " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND CASE privilege"
        " WHEN 'DELETE' THEN has_table_privilege(oid, privilege)"
        " ELSE has_any_column_privilege(oid, privilege) END",
        [[READS, ADDS, CHANGES, DELETES]],
    )
    return {(str(privilege), str(table)) for privilege, table in found}


def rows_of_roles() -> list[tuple[object, ...]]:
    """Return all that PostgreSQL knows of the roles of this process of tests."""
    with psycopg.connect(tried_roles.keeper_url()) as keeper:
        return keeper.execute(
            "SELECT rolname, rolconnlimit, rolsuper, rolcreaterole, rolconfig, (SELECT array_agg("
            " (relname, acl.privilege_type)::text ORDER BY relname, acl.privilege_type)"
            " FROM pg_class, aclexplode(relacl) AS acl WHERE acl.grantee = pg_roles.oid)"
            " FROM pg_roles WHERE starts_with(rolname, %s) ORDER BY 1",
            [prefix()],
        ).fetchall()


def test_every_kind_of_process_has_rights_on_tables_that_exist(db: None) -> None:
    assert set(EVERY) == {role.kind for role in ROLES}
    tables = set(stored_tables())
    assert {*LOG_INS, *MONEY} < tables
    for kind, rights in EVERY.items():
        assert rights.known() <= tables, kind
        assert rights.connections_of(settings) >= 1


def test_no_kind_does_what_only_another_kind_may(roles: Addresses) -> None:
    open_to = {}
    for kind, address in roles.items():
        with psycopg.connect(address) as opened:
            open_to[kind] = rights_of(opened)
    # A play worker reads five columns of one table, and nothing else.
    assert open_to["play"] == {(READS, "django_migrations"), (READS, "tournaments_tournament")}
    with psycopg.connect(roles["play"], autocommit=True) as play:
        columns = "SELECT id, state, refunding, sharing, paying FROM tournaments_tournament"
        assert play.execute(columns).fetchall() == []
        for statement in (
            "SELECT name FROM tournaments_tournament",
            "INSERT INTO accounts_transfer DEFAULT VALUES",
            "UPDATE accounts_account SET balance = balance",
            "DELETE FROM accounts_posting",
            "TRUNCATE tables_table CASCADE",
        ):
            with pytest.raises(errors.InsufficientPrivilege):
                play.execute(statement)
    with psycopg.connect(roles["web"]) as web, pytest.raises(errors.InsufficientPrivilege):
        web.execute("SELECT state FROM tables_decidedhand")
    # A page never reads how a hand ends before it is shown; a settle worker has to.
    assert (READS, "tables_decidedhand") in open_to["settle"] - open_to["web"]
    # Only pages need what proves who somebody is.
    for kind in ("settle", "auditor", "deliveries", "cardsup"):
        assert not {(READS, "accounts_passkey"), (READS, "accounts_secondfactor")} & open_to[kind]
    assert (READS, "accounts_passkey") in open_to["web"]
    # What speaks to strangers knows no money and no hand before its end.
    for table in (*MONEY, "tables_decidedhand", "tables_sealeddeck", "cardsup_delayedfacts"):
        assert (READS, table) not in open_to["deliveries"]
    # Readers write their own tables alone.
    assert {table for verb, table in open_to["cardsup"] if verb != READS} == {
        "cardsup_delayedfacts",
        "cardsup_retelling",
    }
    assert {one for one in open_to["auditor"] if one[0] != READS} == {
        (ADDS, "accounts_seal"),
        (ADDS, "accounts_sealprogress"),
        (CHANGES, "accounts_sealprogress"),
        *((verb, table) for verb in (ADDS, CHANGES) for table in CHECKPOINT),
    }
    # What is only added stays added.
    for table in {one.table for one in seals.registered()} | {seals.TABLE}:
        for found in open_to.values():
            assert not {(CHANGES, table), (DELETES, table)} & found


def test_a_settle_worker_may_delete_what_the_schedule_prunes(roles: Addresses) -> None:
    """Django reads rows of other tables that refer to those it deletes."""
    with psycopg.connect(roles["settle"]) as opened:
        found = rights_of(opened)
    for kind in pruning.KINDS:
        options = kind.model._meta
        referring = {one.related_model._meta.db_table for one in options.related_objects}
        assert {(READS, table) for table in referring} <= found, kind.name
        assert {(READS, options.db_table), (DELETES, options.db_table)} <= found, kind.name


def test_roles_are_made_once_and_a_repeat_changes_nothing(roles: Addresses) -> None:
    before = rows_of_roles()
    assert len(before) == len(EVERY)
    assert not any(row[2] or row[3] for row in before)
    command("--execute")
    assert rows_of_roles() == before
    limits = {str(row[0]).removeprefix(prefix()): row[1] for row in before}
    assert limits == {role.kind: role.limit for role in process_roles.plan(prefix(), {}, {})}
    assert "lock_timeout=10000" in str(before[0][4]), "a pooler sets nothing in its sessions"


def test_another_number_of_processes_changes_the_limit_alone(roles: Addresses) -> None:
    before = rows_of_roles()
    command("--execute", "--processes", "play=7", "--limit", "auditor=9")
    after = rows_of_roles()
    changed = [row[0] for row, old in zip(after, before, strict=True) if row != old]
    assert changed == [prefix() + "auditor", prefix() + "play"]
    limits = {row[0]: row[1] for row in after}
    assert limits[prefix() + "play"] == 8 * EVERY["play"].connections
    assert limits[prefix() + "auditor"] == 9
    assert [row[2:] for row in after] == [row[2:] for row in before]


def test_a_new_table_is_granted_by_the_next_preparation(
    roles: Addresses,
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE later_table (id int)")
    try:
        with psycopg.connect(roles["web"], autocommit=True) as web:
            assert (READS, "later_table") not in rights_of(web)
            process_roles.renew()
            assert {(READS, "later_table"), (CHANGES, "later_table")} <= rights_of(web)
        with psycopg.connect(roles["play"]) as play:
            assert (READS, "later_table") not in rights_of(play)
        assert [row[1] for row in rows_of_roles()] == [
            role.limit
            for role in sorted(process_roles.plan(prefix(), {}, {}), key=lambda role: role.name)
        ]
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE later_table")


def test_a_role_of_a_former_database_is_renewed_in_this_one(
    roles: Addresses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a restore into a new database: the roles are the server's and have passwords."""
    for kind in EVERY:
        monkeypatch.delenv(f"DATABASE_PASSWORD_{kind.upper()}")
    mark = sql.Literal(mark_of("web", "room_before"))
    with psycopg.connect(tried_roles.keeper_url(), autocommit=True) as keeper:
        keeper.execute(
            sql.SQL("COMMENT ON ROLE {} IS {}").format(sql.Identifier(f"{prefix()}web"), mark)
        )
    command("--execute")
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE later_table (id int)")
    try:
        process_roles.renew()
        with psycopg.connect(roles["web"]) as web:
            assert (READS, "later_table") in rights_of(web)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE later_table")


def test_roles_may_be_made_before_the_first_preparation(
    monkeypatch: pytest.MonkeyPatch, django_db_blocker: pytest_django.DjangoDbBlocker
) -> None:
    with (
        a_database("roles_first", django_db_blocker),
        tried_roles.made(monkeypatch) as addresses,
    ):
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE later_table (id int)")
        process_roles.renew()
        with psycopg.connect(addresses["web"]) as web:
            assert (READS, "later_table") in rights_of(web)


def test_the_printed_statements_make_the_same_roles_without_a_password(
    roles: Addresses,
) -> None:
    made = rows_of_roles()
    told = command()
    assert PASSWORD not in "\n".join(told)
    assert not [line for line in told if "PASSWORD" in line]
    assert len([line for line in told if line.startswith("\\password ")]) == len(EVERY)
    tried_roles.drop()
    with psycopg.connect(tried_roles.keeper_url(), autocommit=True) as keeper:
        for line in told:
            if not line.startswith(("--", "\\")):
                keeper.execute(line.encode())
    assert rows_of_roles() == made


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (["--processes", "referee=1"], "There is no kind of process referee: web, play"),
        (["--limit", "web=3"], r"web: 1 processes need up to \d+ connections .* limit of 3"),
        (["--processes", "settle=4", "--limit", "settle=5"], "settle: 4 processes need up to"),
        (["--processes", "play=0"], "play: 0 processes are none"),
        (["--processes", "play"], "'play' is not KIND=NUMBER"),
        (["--limit", "play=-1"], "'play=-1' is not KIND=NUMBER"),
    ],
)
def test_wrong_numbers_make_no_role(
    db: None, monkeypatch: pytest.MonkeyPatch, options: list[str], wrong: str
) -> None:
    monkeypatch.setenv("DATABASE_OWNER_URL", tried_roles.keeper_url())
    with pytest.raises(CommandError, match=wrong):
        command("--execute", *options)
    assert rows_of_roles() == []


def test_without_every_password_no_role_is_made(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DATABASE_OWNER_URL", tried_roles.keeper_url())
    for kind in set(EVERY) - {"cardsup"}:
        monkeypatch.setenv(f"DATABASE_PASSWORD_{kind.upper()}", PASSWORD)
    with pytest.raises(CommandError, match=r"No password for the new role .*cardsup: DATABASE_P"):
        command("--execute")
    file = tmp_path / "password"
    monkeypatch.setenv("DATABASE_PASSWORD_CARDSUP_FILE", str(file))
    with pytest.raises(CommandError, match="DATABASE_PASSWORD_CARDSUP_FILE cannot be read"):
        command("--execute")
    file.write_text("\n")
    with pytest.raises(CommandError, match="DATABASE_PASSWORD_CARDSUP_FILE names an empty file"):
        command("--execute")
    assert rows_of_roles() == []
    file.write_text(f"{PASSWORD}\n")
    try:
        command("--execute")
        with psycopg.connect(tried_roles.url_of(f"{prefix()}cardsup")) as opened:
            assert opened.execute("SELECT 1").fetchone() == (1,)
    finally:
        tried_roles.drop()


def test_an_owner_that_may_make_no_role_is_told_the_statements(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = urlsplit(str(settings.DATABASE_URL))
    named = owner._replace(path=f"/{connection.settings_dict['NAME']}")
    monkeypatch.setenv("DATABASE_OWNER_URL", urlunsplit(named))
    for kind in EVERY:
        monkeypatch.setenv(f"DATABASE_PASSWORD_{kind.upper()}", PASSWORD)
    with pytest.raises(CommandError, match=r"As a superuser: CREATE ROLE .*web\" LOGIN;") as told:
        command("--execute")
    assert PASSWORD not in str(told.value) and rows_of_roles() == []


def test_a_role_that_owns_nothing_grants_nothing(
    roles: Addresses, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows_of_roles()
    monkeypatch.setenv("DATABASE_OWNER_URL", roles["web"])
    for kind in EVERY:
        monkeypatch.delenv(f"DATABASE_PASSWORD_{kind.upper()}")
    with pytest.raises(CommandError, match="The server refused: "):
        call_command("database_roles", "--prefix", prefix(), "--execute")
    assert rows_of_roles() == before
