"""Updates of many rows at once: what is written is what Django's own update of rows writes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import DataError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.users import bots
from config.postgres.updates import update_rows

pytestmark = pytest.mark.django_db

FIELDS = ["name_key", "is_active", "last_login", "language"]


def test_each_row_gets_its_own_values() -> None:
    first, second, third = bots.create(3)
    first.name_key, second.name_key = "it's %s", "Łódź 🂡"
    first.is_active, second.last_login = False, datetime(2027, 1, 15, 8, 0, 0, 5, tzinfo=UTC)
    with CaptureQueriesContext(connection) as asked:
        update_rows([first, second, third], FIELDS)
    assert len(asked) == 1
    for row in (first, second, third):
        assert User.objects.filter(**{name: getattr(row, name) for name in FIELDS}).get() == row


def test_no_row_needs_no_statement() -> None:
    with CaptureQueriesContext(connection) as asked:
        update_rows([], FIELDS)
    assert not asked


def test_a_text_that_is_too_long_is_refused() -> None:
    first, second = bots.create(2)
    for row in (first, second):
        row.name_key = "x" * 1_000
        with pytest.raises(DataError), transaction.atomic():
            update_rows([first, second], ["name_key"])
        row.refresh_from_db()
