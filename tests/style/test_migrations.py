"""New migrations only expand, so that two releases can share one database."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState

from config.postgres.new_models import CreateModels
from deploy.preparation.expanding import new_migrations, wrong_with
from tests.style.sources import HOME

BASELINE = {
    "accounts": "0020",
    "accounts/approvals": "0001",
    "accounts/bots": "0001",
    "accounts/faces": "0001",
    "accounts/looks": "0002",
    "accounts/notifications": "0001",
    "accounts/player_notes": "0001",
    "accounts/providers": "0001",
    "accounts/research": "0001",
    "tables": "0010",
    "tables/cardsup": "0001",
    "tables/chat": "0002",
    "tables/conduct": "0003",
    "tables/dealt": "0002",
    "tables/fairlog": "0003",
    "tables/ring": "0007",
    "tables/seeds": "0001",
    "tables/statistics": "0001",
    "tournaments": "0034",
    "tournaments/bot_ladder": "0002",
    "tournaments/duplicates": "0001",
    "tournaments/overlays": "0002",
    "tournaments/seasons": "0001",
}
"""Last migration of each app before this rule; those after it, and those of new apps, obey it."""


def is_from_before(file: str) -> bool:
    path = PurePosixPath(file)
    return path.name[:4] <= BASELINE.get(str(path.parent.parent), "")


def judged(*operations: Operation, **said: str) -> list[str]:
    """Return what is wrong with a migration of these operations on one small model."""
    fields: list[tuple[str, Any]] = [
        ("id", models.BigAutoField(primary_key=True)),
        ("name", models.CharField(max_length=20)),
        ("note", models.TextField(null=True)),
        ("kind", models.IntegerField(db_default=1)),
    ]
    state = ProjectState()
    state.add_model(ModelState("shop", "Item", fields))
    named = {"operations": list(operations), **said}
    return wrong_with(type("Migration", (migrations.Migration,), named)("0002", "shop"), state)


def test_new_migrations_only_expand() -> None:
    found = {one.file: one.wrong for one in new_migrations(HOME, is_from_before)}
    assert {file: wrong for file, wrong in found.items() if wrong} == {}


def test_the_baseline_names_no_migration_that_does_not_exist() -> None:
    for folder, number in BASELINE.items():
        assert list((HOME / folder / "migrations").glob(f"{number}_*.py")), folder


def test_a_migration_of_before_would_be_found() -> None:
    known = "accounts/migrations/0020_several_addresses.py"
    found = list(new_migrations(HOME, lambda file: file != known))
    assert [one.file for one in found] == [known]
    assert any("Raw SQL" in line for line in found[0].wrong)


EXPANDING: list[Operation] = [
    migrations.CreateModel("New", [("id", models.BigAutoField(primary_key=True))]),
    migrations.AddField("item", "size", models.IntegerField(null=True)),
    migrations.AddField("item", "size", models.IntegerField(db_default=0, default=0)),
    migrations.AddField("item", "others", models.ManyToManyField("shop.Item")),
    migrations.AddIndex("item", models.Index(fields=["name"], name="item_name")),
    migrations.AlterField("item", "name", models.CharField(max_length=30, null=True)),
    migrations.AlterField("item", "kind", models.IntegerField(db_default=2, help_text="Kind.")),
    migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("item", "note")]),
]


@pytest.mark.parametrize("operation", EXPANDING, ids=lambda one: one.describe())
def test_an_operation_that_only_adds_is_allowed(operation: Operation) -> None:
    assert judged(operation) == []


TAKING: list[tuple[Operation, str]] = [
    (migrations.RemoveField("item", "note"), "still uses it"),
    (migrations.RenameField("item", "note", "remark"), "still uses it"),
    (migrations.DeleteModel("Item"), "still uses it"),
    (migrations.RenameModel("Item", "Thing"), "still uses it"),
    (migrations.AddField("item", "size", models.IntegerField(default=0)), "without it"),
    (migrations.AlterField("item", "note", models.TextField(default="")), "writes NULL"),
    (migrations.AlterField("item", "kind", models.IntegerField()), "insert rows without it"),
    (migrations.AlterField("item", "name", models.CharField(max_length=9)), "longer texts"),
    (migrations.AlterField("item", "name", models.TextField(unique=True)), "twice"),
    (migrations.SeparateDatabaseAndState([migrations.RemoveField("item", "note")]), "uses it"),
]


@pytest.mark.parametrize(("operation", "wrong"), TAKING, ids=str)
def test_an_operation_that_takes_away_needs_the_release_of_its_last_use(
    operation: Operation, wrong: str
) -> None:
    assert wrong in judged(operation)[0]
    assert wrong in judged(operation, expands="no process notices")[0]
    assert judged(operation, contract="0.2") == []


UNCLEAR: list[Operation] = [
    migrations.RunSQL("UPDATE shop_item SET name = ''"),
    migrations.RunPython(migrations.RunPython.noop),
    migrations.AlterField("item", "kind", models.BigIntegerField(db_default=1)),
    migrations.AddConstraint("item", models.CheckConstraint(condition=models.Q(kind=1), name="k")),
]


@pytest.mark.parametrize("operation", UNCLEAR, ids=lambda one: type(one).__name__)
def test_an_operation_that_cannot_be_read_needs_a_reason(operation: Operation) -> None:
    assert "say in `expands` why" in judged(operation)[0]
    assert judged(operation, expands="the rows it changes are of no older process") == []


def test_a_model_of_the_same_migration_may_be_changed() -> None:
    created = migrations.CreateModel("New", [("id", models.BigAutoField(primary_key=True))])
    constraint = models.CheckConstraint(condition=models.Q(id__gt=0), name="positive")
    field = migrations.AddField("new", "size", models.IntegerField())
    assert judged(CreateModels(created), field) == []
    assert judged(created, migrations.AddConstraint("new", constraint)) == []
