"""Tell which migrations processes of the release before can live with: those that only expand.

Every kind of process is replaced at its own time, and perhaps taken back, so two releases share one
database. A migration that takes something away names in `contract` the release since which no
process uses it. One whose SQL, data or constraint an older process can live with says in `expands`
why.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.postgres.operations import CreateExtension
from django.db import migrations
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import Field

LIBRARIES = "site-packages"
"""Folder of the libraries; they may lie below that of the project."""

HARMLESS = (
    migrations.CreateModel,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
    migrations.AlterModelTableComment,
    migrations.AddIndex,
    migrations.RemoveIndex,
    migrations.RenameIndex,
    migrations.RemoveConstraint,
    CreateExtension,
)
"""Operations that an older process does not notice; their subclasses are as harmless."""

TAKING = (
    migrations.DeleteModel,
    migrations.RenameModel,
    migrations.AlterModelTable,
    migrations.RemoveField,
    migrations.RenameField,
    migrations.AlterUniqueTogether,
    migrations.AlterOrderWithRespectTo,
)
"""Operations for which no reason is accepted: statements of an older process fail after them."""

UNNOTICED = frozenset((*Field.non_db_attrs, "default", "db_default", "null", "unique", "db_index"))
"""Attributes of a field that are judged by themselves, or that no statement depends on."""


@dataclass(frozen=True, slots=True)
class Incompatibility:
    """Operation that an older process may not live with; `certain` accepts no reason."""

    text: str
    certain: bool


@dataclass(frozen=True, slots=True)
class NewMigration:
    """Migration that an older release does not have, by its file, and what is wrong with it."""

    file: str
    contract: str
    wrong: tuple[str, ...]


def new_migrations(root: Path, is_known: Callable[[str], bool]) -> Iterator[NewMigration]:
    """Judge the migrations below a folder, but for known files and squashed ones.

    A room of before has the migrations that a squashed one replaces, so it never runs that one.
    """
    loader = MigrationLoader(None)
    for key, migration in sorted(loader.graph.nodes.items()):
        path = Path(inspect.getfile(type(migration))).resolve()
        if migration.replaces or LIBRARIES in path.parts or not path.is_relative_to(root):
            continue
        file = path.relative_to(root).as_posix()
        if not is_known(file):
            state = loader.project_state(key, at_end=False)
            contract = str(getattr(migration, "contract", ""))
            yield NewMigration(file, contract, tuple(wrong_with(migration, state)))


def wrong_with(migration: Migration, state: ProjectState) -> list[str]:
    """Return what an older process cannot live with; nothing where the migration says why it can.

    `state` is the one before the migration; it is changed.
    """
    if getattr(migration, "contract", ""):
        return []
    reason = getattr(migration, "expands", "")
    found = _incompatibilities(migration, state)
    return [one.text for one in found if one.certain or not reason]


def _incompatibilities(migration: Migration, state: ProjectState) -> Iterator[Incompatibility]:
    app = migration.app_label
    created: set[str] = set()
    for operation in migration.operations:
        for changing in _changes_of_database(operation):
            created |= {one.name_lower for one in _created(changing)}
            model = getattr(changing, "model_name_lower", None)
            if model not in created:
                yield from _incompatibility(changing, app, state)
        operation.state_forwards(app, state)


def _changes_of_database(operation: Operation) -> Iterable[Operation]:
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        return operation.database_operations
    return (operation,)


def _created(operation: Operation) -> Iterable[migrations.CreateModel]:
    if isinstance(operation, migrations.CreateModel):
        return (operation,)
    # `CreateModels` of config/postgres/new_models.py, also that of another release.
    return getattr(operation, "models", ()) if type(operation).__name__ == "CreateModels" else ()


def _incompatibility(
    operation: Operation, app: str, state: ProjectState
) -> Iterator[Incompatibility]:
    name = operation.describe()
    if isinstance(operation, HARMLESS) or _created(operation):
        return
    if isinstance(operation, TAKING):
        yield Incompatibility(f"{name}: an older process still uses it", certain=True)
    elif isinstance(operation, migrations.AddField):
        if not _can_be_left_out(operation.field):
            text = f"{name}: an older process inserts rows without it; give it null or db_default"
            yield Incompatibility(text, certain=True)
    elif isinstance(operation, migrations.AlterField):
        before = state.models[app, operation.model_name_lower].get_field(operation.name)
        yield from _alterations(name, before, operation.field)
    else:
        yield Incompatibility(
            f"{name}: say in `expands` why an older process lives with it", certain=False
        )


def _can_be_left_out(field: Any) -> bool:
    """Return whether a row can be inserted by a statement that does not name this field."""
    return bool(field.many_to_many or field.null or field.generated or field.has_db_default())


def _alterations(name: str, before: Any, after: Any) -> Iterator[Incompatibility]:
    if before.null and not after.null:
        yield Incompatibility(f"{name}: an older process still writes NULL", certain=True)
    if _can_be_left_out(before) and not _can_be_left_out(after):
        yield Incompatibility(f"{name}: an older process may insert rows without it", certain=True)
    if after.unique and not before.unique:
        yield Incompatibility(f"{name}: an older process may write a value twice", certain=True)
    old, new = _form(before), _form(after)
    if (old.pop("max_length", None) or 0) > (new.pop("max_length", None) or sys.maxsize):
        yield Incompatibility(f"{name}: an older process writes longer texts", certain=True)
    if old != new:
        yield Incompatibility(
            f"{name}: say in `expands` why an older process reads it", certain=False
        )


def _form(field: Any) -> dict[str, Any]:
    """Return the class and arguments of a field on which its column depends."""
    _, path, arguments, options = field.deconstruct()
    kept = {key: value for key, value in options.items() if key not in UNNOTICED}
    return {"class": path, "arguments": arguments, **kept}


def _print_new() -> None:
    """Print the new migrations of the release in this folder; standard input names known files."""
    import django

    django.setup()
    known = set(json.load(sys.stdin))
    found = new_migrations(Path.cwd(), known.__contains__)
    rows = [{"file": one.file, "contract": one.contract, "wrong": one.wrong} for one in found]
    json.dump(rows, sys.stdout)


if __name__ == "__main__":
    _print_new()
