"""A room with hands of before gets partitions by month: no hand, right or reference is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from psycopg import errors
from pytest_django import DjangoDbBlocker

from accounts.models import User
from deploy.backup.saving import save_room
from deploy.embedded.postgres import ROOM, RUNTIME
from deploy.preparation import room as preparation
from tables.models import Hand, Table
from tables.records import hand_months
from tables.ring.models import Jackpot, JackpotWin
from tests.conftest import world
from tests.deploy.preparation.own_database import a_database
from tests.tables.records.months_away import take_away

BEFORE = ("tables", "0011_hand_archive")
UNREADABLE = ("tables", "0015_labels")
NAME = "room_before_months"

# The statement of the release before: without a key.
INSERT = """
INSERT INTO tables_hand (table_id, number, epoch, digest, record, level, players, actions, pot,
                         finished_at, released_at, users)
SELECT %s, %s, 1, 'd', 'r', 1, 2, 3, 40, statement_timestamp(), statement_timestamp(), '{7}'
RETURNING id
"""


def migrate(target: tuple[str, str] | None = None) -> None:
    """Migrate to the newest state, the tables to `target` alone where it is given."""
    executor = MigrationExecutor(connection)
    leaves = executor.loader.graph.leaf_nodes()
    executor.migrate([target if target and app == target[0] else (app, n) for app, n in leaves])


def place(key: int) -> str:
    """Return the partition of a hand."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tableoid::regclass::text FROM tables_hand WHERE id = %s", [key])
        return str(cursor.fetchone()[0])


def delete(key: int) -> None:
    """Delete a hand, and let PostgreSQL look at once for what refers to it."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM tables_hand WHERE id = %s", [key])
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


@pytest.fixture(scope="module")
def room(django_db_blocker: DjangoDbBlocker) -> Iterator[Callable[[], psycopg.Connection]]:
    """Room of the release before with two hands, one of which won a jackpot; its runtime role."""
    with a_database(NAME, django_db_blocker):
        migrate(BEFORE)
        table = Table.objects.create(director="ring", game=1, number=1, seats_max=6)
        with connection.cursor() as cursor:
            cursor.execute(f"GRANT SELECT, INSERT ON tables_hand, tables_table TO {RUNTIME}")
            for number in (1, 2):
                cursor.execute(INSERT, [table.pk, number])
        JackpotWin.objects.create(
            jackpot=Jackpot.objects.all()[0],
            hand=Hand.objects.get(number=1),
            user=User.objects.create_user("Ann"),
            name="Ann",
            role="loser",
            amount=5,
            pool=5,
            released_at=timezone.now(),
        )
        url = world.servers.postgres.url_of(RUNTIME, connection.settings_dict["NAME"])
        yield lambda: psycopg.connect(url, autocommit=True)


def test_hands_rights_and_references_outlive_the_migration(
    room: Callable[[], psycopg.Connection],
) -> None:
    before = list(Hand.objects.order_by("pk").values())
    table = Table.objects.get()
    with room() as old_process:
        assert old_process.execute("SELECT count(*) FROM tables_hand").fetchone() == (2,)
        migrate()
        # 1. No row changed, and none was moved.
        assert list(Hand.objects.order_by("pk").values()) == before
        assert {place(row["id"]) for row in before} == {"tables_hand_earlier"}
        # 2. A process of the release before, connected all the time, plays on.
        found = old_process.execute(INSERT, [table.pk, 3]).fetchone()
        assert found is not None
        month = hand_months.first_key(datetime.now(UTC))
        assert found[0] == month + before[-1]["id"] + 1
        assert place(found[0]) == f"tables_hand_{datetime.now(UTC):%Y%m}"
        assert old_process.execute("SELECT count(*) FROM tables_hand").fetchone() == (3,)
        with pytest.raises(errors.InsufficientPrivilege):
            old_process.execute("SELECT id FROM tables_hand_earlier")
        with pytest.raises(errors.UniqueViolation):
            old_process.execute(INSERT, [table.pk, 3])
    # 3. A hand that something refers to cannot be deleted.
    assert JackpotWin.objects.get().hand.number == 1
    with pytest.raises(IntegrityError):
        delete(before[0]["id"])
    assert hand_months.months_ahead(timezone.now()) == hand_months.AHEAD


def test_a_hand_of_a_jackpot_moves_into_its_month(
    room: Callable[[], psycopg.Connection],
) -> None:
    hand = Hand.objects.get(number=3)
    take_away(hand_months.months()[0])
    with room() as process:
        found = process.execute(INSERT, [hand.table_id, 3]).fetchone()
    assert found is not None and place(found[0]) == "tables_hand_other"
    JackpotWin.objects.update(hand=found[0])
    assert hand_months.make() == 1
    assert place(found[0]) == f"tables_hand_{datetime.now(UTC):%Y%m}"
    assert JackpotWin.objects.get().hand.number == 3
    with pytest.raises(IntegrityError):
        delete(found[0])


def test_a_dump_of_the_runtime_role_has_the_months_that_a_process_made(
    room: Callable[[], psycopg.Connection], tmp_path: Path
) -> None:
    name = connection.settings_dict["NAME"]
    settings.DATABASE_URL = world.servers.postgres.url_of(RUNTIME, name)
    preparation.migrate(world.servers.postgres.url_of(ROOM, name))
    # 1. Months that were made before the function granted anything are readable afterwards.
    migrate(UNREADABLE)
    with room() as process:
        assert process.execute("SELECT make_hand_months(4)").fetchone() == (1,)
        month = f"tables_hand_{hand_months.months()[-1]}"
        with pytest.raises(errors.InsufficientPrivilege):
            process.execute(f"TABLE {month}")
        migrate()
        assert process.execute(f"TABLE {month}").fetchall() == []
        # 2. The next month is readable as soon as the tick of the schedule made it.
        assert process.execute("SELECT make_hand_months(5)").fetchone() == (1,)
        with pytest.raises(errors.InsufficientPrivilege):
            process.execute(f"TRUNCATE tables_hand_{hand_months.months()[-1]}")
    made = save_room(settings.DATABASE_URL, tmp_path / "backup", lambda _: None, with_keys=False)
    assert made.parts[0].size > 0
