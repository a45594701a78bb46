"""Fast emptying of the test database leaves the same rows as a flush of Django."""

from __future__ import annotations

import threading
from functools import partial

import pytest
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection, transaction
from redis import Redis

from accounts.models import Posting, User
from deploy.embedded.postgres import KEEPER
from tests.conftest import world
from tests.databases import TRUNCATED_FROM_BYTES, Emptying
from tests.tournaments.cast import started
from tournaments.models import AuditRow

NUMBERED = ("django_content_type", "auth_permission")
Rows = dict[str, list[tuple[object, ...]]]


@pytest.fixture
def emptying(transactional_db: None) -> Emptying:
    """Emptying of this database, after it learned the rows of a flush."""
    made = Emptying(partial(world.servers.postgres.url_of, KEEPER))
    made.empty()
    return made


def rows() -> Rows:
    """Return the rows of every table, content types and permissions without their numbers."""
    found: Rows = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.django_table_names(only_existing=True):
            if table not in NUMBERED:
                cursor.execute(f"SELECT * FROM {table}")
                found[table] = cursor.fetchall()
    kinds = ContentType.objects.values_list("app_label", "model")
    rights = Permission.objects.values_list(
        "content_type__app_label", "content_type__model", "codename", "name"
    )
    return found | dict(zip(NUMBERED, (sorted(kinds), sorted(rights)), strict=True))


def test_an_emptied_database_is_as_after_a_flush(
    emptying: Emptying, room: Redis, broker: Redis
) -> None:
    call_command("flush", verbosity=0, interactive=False)
    flushed = rows()
    assert len(flushed) > 40 and len(flushed["auth_permission"]) > 100
    started(3)
    group = Group.objects.create(name="Some")
    group.permissions.add(*Permission.objects.all()[:5])
    assert Posting.objects.exists() and AuditRow.objects.exists(), "append-only tables have rows"
    assert rows() != flushed
    emptying.empty()
    assert rows() == flushed


def test_changed_content_types_and_rights_are_restored(emptying: Emptying) -> None:
    before = rows()
    strange = ContentType.objects.create(app_label="strange", model="thing")
    Permission.objects.create(content_type=strange, codename="see", name="Can see")
    Permission.objects.filter(codename="add_user").delete()
    emptying.empty()
    assert rows() == before
    number = ContentType.objects.get_for_model(User).pk
    assert Permission.objects.get(codename="add_user").content_type_id == number


def test_large_table_releases_its_disk_space(emptying: Emptying) -> None:
    def size() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_relation_size('auth_group')")
            return int(cursor.fetchone()[0])

    Group.objects.bulk_create(Group(name=f"{number:0150}") for number in range(2_000))
    assert size() > TRUNCATED_FROM_BYTES
    emptying.empty()
    assert size() == 0 and not Group.objects.exists()


def test_rows_of_a_transaction_that_ends_later_go_too(emptying: Emptying) -> None:
    written, waited = threading.Event(), threading.Event()

    def write() -> None:
        with transaction.atomic():
            Group.objects.create(name="Late")
            written.set()
            waited.wait(0.5)
        connection.close()

    late = threading.Thread(target=write)
    late.start()
    assert written.wait(60)
    emptying.empty()
    waited.set()
    late.join(60)
    assert not Group.objects.exists()
