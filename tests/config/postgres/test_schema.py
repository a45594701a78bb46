"""Schema that migrations leave behind, beside the one that the models tell."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import connection

pytestmark = pytest.mark.django_db

_NAMES = """
SELECT c.relname, i.relname FROM pg_index x
  JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
 UNION
SELECT c.relname, k.conname FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
"""


def test_every_constraint_and_index_of_a_model_is_in_the_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute(_NAMES)
        there = set(cursor.fetchall())
    named = {
        (model._meta.db_table, one.name)
        for model in apps.get_models()
        for one in (*model._meta.constraints, *model._meta.indexes)
    }
    assert ("tables_sealeddeck", "table_has_one_open_seal") in named
    assert named - there == set()
