"""Number of modules in each folder: a folder holds one idea, which its name tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath

from tests.style.sources import files, name

MODULES_MAX = 22
"""Most modules of a folder, without those that each folder may have once (`ONCE`)."""

MORE = {
    "tables/engine": 30,  # rules of one hand
    "tournaments/engine": 30,  # rules of tournaments
    "tables/store/lua": 30,  # one script for each change of state, listed by one module
}
"""Folders that may hold more modules, and how many."""

ONCE = ("__init__.py", "conftest.py")
UNCOUNTED = "migrations"
"""Folders whose modules Django writes, one for each change."""

KINDS = (".py", ".js", ".lua")


def crowded(paths: Iterable[str]) -> dict[str, int]:
    """Return the folders with more modules than they may have, and their number."""
    counted = Counter(
        str(path.parent)
        for path in map(PurePath, paths)
        if path.name not in ONCE and UNCOUNTED not in path.parts
    )
    return {
        folder: count
        for folder, count in sorted(counted.items())
        if count > MORE.get(folder, MODULES_MAX)
    }


def _modules() -> list[str]:
    return [name(path) for path in files(*KINDS)]


def test_no_folder_holds_too_many_modules() -> None:
    assert crowded(_modules()) == {}, "divide it by subject, or name it in MORE with a reason"


def test_a_planted_folder_is_found() -> None:
    planted = [f"tables/planted/part{number}.py" for number in range(MODULES_MAX)]
    apart = ["tables/planted/__init__.py", "tables/planted/conftest.py", "tables/planted/in/a.py"]
    assert crowded([*planted, *apart]) == {}
    found = crowded([*_modules(), *planted, *apart, "tables/planted/part.js"])
    assert found == {"tables/planted": MODULES_MAX + 1}


def test_a_folder_that_may_hold_more_needs_it_and_ends_there() -> None:
    counted = Counter(str(PurePath(path).parent) for path in _modules())
    assert {folder: counted[folder] for folder in MORE if counted[folder] <= MODULES_MAX} == {}
    planted = [f"tables/engine/part{number}.py" for number in range(31)]
    assert crowded(planted) == {"tables/engine": 31}


def test_migrations_are_not_counted() -> None:
    assert crowded(f"tables/migrations/{number:04}_change.py" for number in range(40)) == {}
