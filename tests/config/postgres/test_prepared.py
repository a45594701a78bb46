"""Databases of the tests are copies of one that was migrated from nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from config.environment import HOME
from tests import prepared


@pytest.mark.django_db
def test_a_copied_database_has_every_migration() -> None:
    executor = MigrationExecutor(connection)
    leaves = executor.loader.graph.leaf_nodes()
    assert len(leaves) > 5
    assert executor.migration_plan(leaves) == []


def test_a_changed_new_or_lost_migration_makes_another_database(tmp_path: Path) -> None:
    for path in prepared.files(HOME):
        copied = tmp_path / path.relative_to(HOME)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copied)
    before = prepared.digest(HOME)
    assert prepared.digest(tmp_path) == before
    folder = tmp_path / "accounts" / "migrations"
    new = folder / "9999_new.py"
    new.write_text("")
    assert prepared.digest(tmp_path) != before
    new.unlink()
    assert prepared.digest(tmp_path) == before
    first = min(folder.glob("0001*.py"))
    text = first.read_text()
    first.write_text(f"{text}\n")
    assert prepared.digest(tmp_path) != before
    first.unlink()
    assert prepared.digest(tmp_path) != before


def test_databases_of_other_migrations_are_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepared, "KEPT", tmp_path)
    for name in ("old", "current"):
        (tmp_path / name / "postgres").mkdir(parents=True)
    prepared.forget(but="current")
    assert [path.name for path in tmp_path.iterdir()] == ["current"]
    prepared.forget()
    assert list(tmp_path.iterdir()) == []
