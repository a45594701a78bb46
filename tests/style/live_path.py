"""Live path of the room: the functions that web processes and workers reach."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tests.style.calls import Unit, reached, units
from tests.style.modules import app_modules

ENGINES = ("tables.engine", "tables.dealer", "tables.ring.engine", "tournaments.engine")
APPS = ("config", "accounts", "tables", "tournaments")
BESIDE = (
    "tournaments.simulation",
    "tables.ring.simulation",
    "tables.bots",
    "accounts.management",
    "tables.management",
    "tournaments.management",
)
"""Packages that run beside the room: simulation, bots and commands."""


def app_units() -> dict[str, Unit]:
    """Return the units of the apps by `module:name`."""
    return units({name: path.read_text() for name, path in app_modules().items()})


def live_units(found: Mapping[str, Unit]) -> set[str]:
    """Return the units that the room uses.

    Roots are the statements, constants, classes and decorated functions of the apps outside the
    engines: Django, Celery and Channels find those by themselves.
    """
    return reached(found, {place for place, unit in found.items() if _is_root(place, unit)})


def idle(found: Mapping[str, Unit]) -> list[str]:
    """Return the public functions, classes and methods of the engines outside the live path."""
    live = live_units(found)
    attributes = {name for place in live for name in found[place].attributes}
    wrong = []
    for place, unit in found.items():
        module, _, name = place.partition(":")
        if unit.node is None or name.startswith("_") or not _inside(module, ENGINES):
            continue
        if place not in live:
            wrong.append(place)
        wrong += [f"{place}.{method}" for method in _methods(unit.node) if method not in attributes]
    return sorted(wrong)


def _is_root(place: str, unit: Unit) -> bool:
    module = place.partition(":")[0]
    if not _inside(module, APPS) or _inside(module, (*ENGINES, *BESIDE)):
        return False
    if unit.node is None or isinstance(unit.node, ast.ClassDef):
        return True
    return bool(unit.node.decorator_list)


def _methods(node: ast.AST) -> list[str]:
    if not isinstance(node, ast.ClassDef):
        return []
    functions = [child for child in node.body if isinstance(child, ast.FunctionDef)]
    return [child.name for child in functions if not child.name.startswith("_")]


def _inside(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)
