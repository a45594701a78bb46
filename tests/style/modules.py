"""Imports of the five apps and the client package as a graph, and its circles."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.style.sources import HOME, modules

APPS = ("config", "accounts", "tables", "tournaments", "deploy")


def app_modules() -> dict[str, Path]:
    """Return the modules of the five apps by dotted name, migrations left out."""
    return {
        _dotted(path.relative_to(HOME)): path
        for path in modules()
        if path.relative_to(HOME).parts[0] in APPS
    }


def client_modules() -> dict[str, Path]:
    """Return the modules of the client package by dotted name."""
    within = HOME / "client"
    return {
        _dotted(path.relative_to(within)): path
        for path in modules()
        if path.is_relative_to(within / "room_client")
    }


def graph(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """Return the modules that each module imports, also inside functions and for types alone."""
    return {
        name: set(_imported(ast.parse(text), sources)) - {name} for name, text in sources.items()
    }


def circles(edges: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that import each other, by Tarjan's algorithm."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in sorted(edges[node]):
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                groups.append(sorted(group))

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return groups


def _dotted(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(node: ast.AST, known: Mapping[str, str]) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names if alias.name in known)
        elif isinstance(child, ast.ImportFrom) and child.module:
            for alias in child.names:
                inner = f"{child.module}.{alias.name}"
                yield from [name for name in (inner, child.module) if name in known][:1]
        yield from _imported(child, known)
