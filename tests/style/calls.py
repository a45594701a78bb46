"""Definitions of the modules and the names each of them uses, resolved through imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass
class Unit:
    """A definition at the top of a module, or the module's own statements, with what it uses."""

    node: Definition | None
    uses: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)


def units(sources: Mapping[str, str]) -> dict[str, Unit]:
    """Return every unit by `module:name`, and the statements of each module by `module:`.

    A use is `module:name` of the module that defines it, also when another module hands it on.
    """
    trees = {module: ast.parse(text) for module, text in sources.items()}
    names = {module: dict(_names(module, tree, trees)) for module, tree in trees.items()}
    found: dict[str, Unit] = {}
    for module, tree in trees.items():
        own = found[f"{module}:"] = Unit(None)
        for statement in tree.body:
            if isinstance(statement, Definition):
                unit = found[f"{module}:{statement.name}"] = Unit(statement)
            elif target := _constant(statement):
                unit = found[f"{module}:{target}"] = Unit(None)
            else:
                unit = own
            _read(statement, module, names, unit)
            for registry in _registries(statement):
                dispatcher = found.get(f"{module}:{registry}")
                if dispatcher is not None and isinstance(statement, Definition):
                    dispatcher.uses.add(f"{module}:{statement.name}")
    return found


def reached(found: Mapping[str, Unit], roots: set[str]) -> set[str]:
    """Return the units that the roots use, directly or through other units."""
    live: set[str] = set()
    waiting = [root for root in roots if root in found]
    while waiting:
        place = waiting.pop()
        if place not in live:
            live.add(place)
            for use in found[place].uses:
                if use.endswith(":*"):
                    waiting += [other for other in found if other.startswith(use[:-1])]
                elif use in found:
                    waiting.append(use)
    return live


def _names(
    module: str, tree: ast.Module, trees: Mapping[str, ast.Module]
) -> Iterator[tuple[str, str]]:
    """Return each name a module binds, with `module:name` or, for a module, `module:`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                place = f"{inner}:" if inner in trees else f"{node.module}:{alias.name}"
                yield alias.asname or alias.name, place
    for statement in tree.body:
        if isinstance(statement, Definition):
            yield statement.name, f"{module}:{statement.name}"
        elif target := _constant(statement):
            yield target, f"{module}:{target}"


def _registries(statement: ast.stmt) -> Iterator[str]:
    """Return the dispatchers that a decorated function belongs to, as in `@act.register`."""
    for decorator in getattr(statement, "decorator_list", ()):
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        match called:
            case ast.Attribute(value=ast.Name(id=name), attr="register"):
                yield name


def _constant(statement: ast.stmt) -> str | None:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return None


def _read(
    statement: ast.AST, module: str, names: Mapping[str, Mapping[str, str]], unit: Unit
) -> None:
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "getattr":
            place = names[module].get(ast.unparse(node.args[0]), "")
            unit.uses |= {f"{place}*"} if place.endswith(":") else set()
        if isinstance(node, ast.Attribute):
            unit.attributes.add(node.attr)
            if isinstance(node.value, ast.Name):
                place = names[module].get(node.value.id, "")
                if place.endswith(":"):
                    unit.uses.add(_origin(f"{place}{node.attr}", names))
        elif isinstance(node, ast.Name):
            place = names[module].get(node.id, "")
            if place and not place.endswith(":"):
                unit.uses.add(_origin(place, names))


def _origin(place: str, names: Mapping[str, Mapping[str, str]]) -> str:
    """Follow a name that modules hand on to the module that defines it."""
    for _ in range(9):
        module, _colon, name = place.partition(":")
        onward = names.get(module, {}).get(name, place)
        if onward == place:
            break
        place = onward
    return place
