"""Migration from one e-mail address of a user to several, and back, with rows of before."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import signing
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from accounts.mail import addresses
from accounts.models import EmailAddress, User
from tests.accounts.mail.addresses import stored

BEFORE = ("accounts", "0001_users_squashed_0019_club_picture")
AFTER = ("accounts", "0020_several_addresses")

pytestmark = pytest.mark.django_db


def migrated(target: tuple[str, str]) -> Any:
    """Migrate inside the transaction of the test; return the former or present model."""
    connection.check_constraints()  # a table with checks that wait for the commit stays as it is
    executor = MigrationExecutor(connection)
    state = executor.migrate([target])
    return state.apps.get_model("accounts", "EmailAddress")


def test_rows_of_before_become_primary_and_waiting_addresses() -> None:
    names = ("Both", "Confirmed", "Waiting", "Neither", "Undated", "Same")
    both, sure, waiting, neither, undated, same = (
        User.objects.create_user(name, "a long password") for name in names
    )
    now = timezone.now()
    former = migrated(BEFORE)
    for user, address, pending, at in (
        (both, "both@example.org", "new@example.org", now),
        (sure, "Sure@example.org", "", now),
        (waiting, "", "waiting@example.org", None),
        (neither, "", "", None),
        (undated, "undated@example.org", "", None),
        (same, "same@example.org", "SAME@example.org", now),
    ):
        former.objects.create(user_id=user.pk, address=address, pending=pending, confirmed_at=at)
    migrated(AFTER)
    expected = [
        ("Both", "both@example.org", True, True),
        ("Both", "new@example.org", False, False),
        ("Confirmed", "Sure@example.org", True, True),
        ("Same", "same@example.org", True, True),
        ("Undated", "undated@example.org", True, True),
        ("Waiting", "waiting@example.org", False, False),
    ]
    assert sorted(stored()) == expected
    assert EmailAddress.objects.get(address="both@example.org").confirmed_at == now
    # A link mailed before the upgrade still confirms its address.
    addresses.confirm(signing.dumps([both.pk, "new@example.org"], salt="email-address"))
    assert ("Both", "new@example.org", True, False) in stored()


def test_the_way_back_keeps_the_primary_and_the_newest_waiting_address() -> None:
    ann, ben = (User.objects.create_user(name, "a long password") for name in ("Ann", "Ben"))
    now = timezone.now()
    for user, address, at, primary in (
        (ann, "second@example.org", now, False),
        (ann, "first@example.org", now, True),
        (ann, "old@example.org", None, False),
        (ann, "new@example.org", None, False),
        (ben, "ben@example.org", None, False),
        (ben, "ben@example.net", None, False),
    ):
        EmailAddress.objects.create(user=user, address=address, confirmed_at=at, is_primary=primary)
    former = migrated(BEFORE)
    rows = list(former.objects.order_by("pk").values_list("user", "address", "pending"))
    assert rows == [
        (ann.pk, "first@example.org", "new@example.org"),
        (ben.pk, "", "ben@example.net"),
    ]
    migrated(AFTER)
    assert ("Ann", "first@example.org", True, True) in stored()
