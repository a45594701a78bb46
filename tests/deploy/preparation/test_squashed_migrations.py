"""Squashed migrations: a new database equals one of the old path, and rooms of before are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from psycopg import errors
from pytest_django import DjangoDbBlocker
from redis import Redis

from accounts.ledger import transfers
from accounts.models import Club, ClubAuditRow, RetiredName, Seal, User
from deploy.embedded.postgres import ROOM, RUNTIME
from deploy.preparation import room as preparation
from tables.fairlog.models import LogTile
from tables.seeds.models import GameSeed
from tests.conftest import world
from tests.deploy.preparation import schemas
from tests.deploy.preparation.own_database import a_database
from tests.tournaments import cast
from tournaments.models import AuditRow

# Threads that the tests before left in a process ask Django's database, too.
pytestmark = [pytest.mark.journey, pytest.mark.alone]

Key = tuple[str, str]

REPLACED = {
    key: list(migration.replaces)
    for key, migration in MigrationLoader(None).replacements.items()
    if key[0] not in ("admin", "auth", "contenttypes", "sessions")
}
"""Squashed migrations of the project, with those that each replaces."""


def prepare() -> None:
    """Migrate Django's database as `manage.py prepare` does, with both roles."""
    server, name = world.servers.postgres, str(connection.settings_dict["NAME"])
    settings.DATABASE_URL = server.url_of(RUNTIME, name)
    preparation.migrate(server.url_of(ROOM, name))


def planned() -> list[Key]:
    """Return the migrations that `migrate` would run."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [(migration.app_label, migration.name) for migration, _ in plan]


def applied() -> set[Key]:
    """Return the recorded migrations."""
    return set(MigrationRecorder(connection).applied_migrations())


@pytest.fixture(scope="module")
def new(django_db_blocker: DjangoDbBlocker) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Catalogs and rows of a database of today's path."""
    with a_database("path_of_today", django_db_blocker) as connect:
        prepare()
        assert set(REPLACED) <= applied()
        with connect() as opened:
            return schemas.catalogs(opened), schemas.rows(opened)


@pytest.fixture(scope="module")
def old(django_db_blocker: DjangoDbBlocker) -> Iterator[Callable[[], psycopg.Connection]]:
    """Database of a room that ran the replaced migrations one by one.

    It stopped before the last one of each app, and went on with a release that has squashed ones.
    """
    with a_database("path_of_before", django_db_blocker) as connect:
        executor = MigrationExecutor(connection)
        executor.loader = MigrationLoader(connection, replace_migrations=False)
        executor.migrate([keys[-2] for keys in REPLACED.values()])
        connection.close()
        left = planned()
        assert {keys[-1] for keys in REPLACED.values()} <= set(left)
        assert not set(REPLACED) & ({*left} | applied())
        prepare()
        assert set(REPLACED) | {key for keys in REPLACED.values() for key in keys} <= applied()
        yield connect


def test_both_paths_lead_to_the_same_database(
    old: Callable[[], psycopg.Connection],
    new: tuple[dict[str, list[str]], dict[str, list[str]]],
) -> None:
    with old() as opened:
        assert schemas.differences(schemas.catalogs(opened), new[0]) == []
        assert schemas.differences(schemas.rows(opened), new[1]) == []
    assert all(new[0].values())
    assert {"tournaments_structure", "ring_raketablerow", "ring_jackpot"} <= set(new[1])


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("DROP TRIGGER audit_append_only ON tournaments_auditrow", "triggers: "),
        ("ALTER TABLE accounts_user DROP CONSTRAINT accounts_user_name_key", "constraints: "),
        ("ALTER TABLE tables_hand ALTER users SET NOT NULL", "columns: "),
        ("ALTER TABLE ring_rapidstay ALTER id SET START WITH 1", "sequences: "),
        ("GRANT UPDATE ON accounts_posting TO room_runtime", "privileges: "),
        ("DROP INDEX rapid_ready", "indexes: "),
        ("ALTER FUNCTION ledger_append_only() SECURITY DEFINER", "functions: "),
    ],
)
def test_a_planted_difference_is_found(
    old: Callable[[], psycopg.Connection],
    new: tuple[dict[str, list[str]], dict[str, list[str]]],
    planted: str,
    found: str,
) -> None:
    with old() as opened:
        opened.execute(planted)
        names = schemas.differences(schemas.catalogs(opened), new[0])
        opened.rollback()
    assert names and any(name.startswith(found) for name in names)


def fill() -> None:
    """Write rows that laws of the database guard."""
    users = [User.objects.create_user(name) for name in ("Ann", "Ben")]
    bank = transfers.account("bank")
    for user in users:
        wallet = transfers.account("player", user=user)
        transfers.move(
            key=f"first:{user.pk}", kind="credit", source=bank, target=wallet, amount=500
        )
    tournament = cast.offer()
    AuditRow.objects.create(tournament=tournament, actor=users[0], action="open")
    club = Club.objects.create(name="Club", slug="club", name_key="club", colour="#000000")
    ClubAuditRow.objects.create(club=club, actor=users[0], action="found")
    RetiredName.objects.create(digest="0" * 64)
    Seal.objects.create(chain="postings", number=1, upto=2, rows=2, digest="d", key="k", mark="m")
    GameSeed.objects.create(director="ring", game=1, seed=7)
    LogTile.objects.create(level=0, number=0, hashes=b"h" * 32)


def test_a_room_of_before_is_marked_and_loses_nothing(
    old: Callable[[], psycopg.Connection], room: Redis, broker: Redis
) -> None:
    fill()
    with old() as opened:
        for app, name in REPLACED:
            opened.execute(
                "DELETE FROM django_migrations WHERE (app, name) = (%s, %s)", [app, name]
            )
        before = schemas.catalogs(opened), schemas.rows(opened)
    assert not set(REPLACED) & applied()
    assert planned() == []
    prepare()
    assert set(REPLACED) <= applied()
    call_command("migrate", check_unapplied=True, verbosity=0)
    with old() as opened:
        assert (schemas.catalogs(opened), schemas.rows(opened)) == before
        assert {"accounts_posting", "tournaments_tournament", "seeds_gameseed"} <= set(before[1])
        with pytest.raises(errors.IntegrityConstraintViolation):
            opened.execute("UPDATE accounts_posting SET amount = amount + 1")


def test_squashed_migrations_replace_their_apps_from_the_first_on() -> None:
    on_disk = MigrationLoader(None, replace_migrations=False).disk_migrations
    for (app, name), keys in REPLACED.items():
        names = sorted(other for label, other in on_disk if label == app and other != name)
        assert [key for _, key in keys] == names[: len(keys)]
        assert name == f"{names[0]}_squashed_{keys[-1][1]}"


def test_squashed_migrations_ask_for_no_more_than_those_they_replace() -> None:
    # More, and a room that has the replaced ones and not that one could not migrate any further.
    on_disk = MigrationLoader(None, replace_migrations=False).disk_migrations
    for key, keys in REPLACED.items():
        asked = {tuple(other) for one in keys for other in on_disk[one].dependencies}
        assert {tuple(other) for other in on_disk[key].dependencies} <= asked


def test_models_have_no_changes_without_a_migration(
    old: Callable[[], psycopg.Connection],
) -> None:
    call_command("makemigrations", check_changes=True, dry_run=True, verbosity=0)
