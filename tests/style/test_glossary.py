"""Class names are unique; names of modules, classes and functions avoid words ruled out."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import import_module

from tests.style.modules import app_modules
from tests.style.sources import HOME

PAGE = HOME / "docs" / "glossary.md"
EXEMPT = {"Command"}
"""Django finds management commands by this class name; nested and private classes are exempt too.
"""
ALLOWED = {"PlayTimeUp", "NotInPlay"}
"""Poker terms: play time, in play."""
ALLOWED_MODULES = {
    *("tables.fairness.course", "tournaments.chips_in_play", "tournaments.running.play_time")
}
"""The course of a hand is a term of the protocol of fair dealing; the others are poker terms."""
MODEL_BASES = {"Model", "AbstractUser", "FormatOptions"}
FREE_FOR_METHODS = {"close", "check", "lines", "now"}
"""Unused words that a method may have, as its class is the object."""


def test_class_names_are_unique_and_avoid_unused_words() -> None:
    sources = {name: path.read_text() for name, path in app_modules().items()}
    assert violations(sources, PAGE.read_text()) == []


def test_functions_are_named_by_a_verb_and_its_object() -> None:
    sources = {name: path.read_text() for name, path in app_modules().items()}
    assert bare(sources, PAGE.read_text()) == []


def test_rows_name_the_module_that_has_the_word() -> None:
    rows = re.findall(r"^\| ([^|]+) \|.*\| `([\w.]+)` \|$", PAGE.read_text(), re.MULTILINE)
    assert len(rows) > 150
    found = {(word, where): import_module(where) for word, where in rows}
    stored = _words(PAGE.read_text(), "Stored models")
    assert [row for row, module in found.items() if row[0] in stored - set(dir(module))] == []
    assert len(found) == len(rows), "a row stands twice"
    words = [word for word, _ in rows if word in stored]
    assert [word for word, count in Counter(words).items() if count > 1] == []


def test_planted_functions_with_bare_names_are_found() -> None:
    page = "## Function names not used\n\n| word | x |\n|---|---|\n| hold | y |\n| look | z |\n"
    sources = {
        "a.b": "def hold(): ...\nasync def look(): ...\ndef hold_places(): ...",
        "a.c": "class Door:\n    def hold(self): ...\n    def close(self): ...",
    }
    assert bare(sources, page) == ["a.b: hold", "a.b: look", "a.c: Door.hold"]


def test_planted_violations_are_found() -> None:
    page = (
        "## Stored models\n\n| Seat | a seat |\n\n## Words not used\n\n| word | x |\n| line | y |\n"
    )
    sources = {
        "a.models": "class Seat(models.Model): ...\nclass Hand(models.Model): ...",
        "b.open_line": "",
        "b.rules": "class Seat: ...\nclass OpenLine: ...\nclass Outline: ...\nclass _Seat: ...",
    }
    assert violations(sources, page) == [
        "Hand: no row in the glossary",
        "OpenLine: the glossary rules out 'line'",
        "Seat: 2 classes",
        "b.open_line: the glossary rules out 'line'",
    ]


def violations(sources: Mapping[str, str], page: str) -> list[str]:
    """Return what is wrong with names of modules by dotted name and of their classes, sorted."""
    classes = list(_classes(sources))
    stored = _words(page, "Stored models")
    unused = _words(page, "Words not used")
    counts = Counter(node.name for _, node in classes)
    wrong = [f"{name}: {count} classes" for name, count in counts.items() if count > 1]
    for module, node in classes:
        parts = [part.lower() for part in re.findall(r"[A-Z][a-z0-9]*", node.name)]
        if node.name not in ALLOWED:
            wrong += [
                f"{node.name}: the glossary rules out {word!r}" for word in parts if word in unused
            ]
        bases = {ast.unparse(base).split(".")[-1] for base in node.bases}
        if ".models" in module and bases & MODEL_BASES and node.name not in stored:
            wrong.append(f"{node.name}: no row in the glossary")
    wrong += [
        f"{module}: the glossary rules out {word!r}"
        for module in sources.keys() - ALLOWED_MODULES
        for word in module.rpartition(".")[2].split("_")
        if word in unused
    ]
    return sorted(wrong)


def bare(sources: Mapping[str, str], page: str) -> list[str]:
    """Return functions and methods that are named by one of the unused words, module first."""
    unused = _words(page, "Function names not used")
    return [
        f"{module}: {name}"
        for module, text in sources.items()
        for name in _functions(ast.parse(text))
        if name in unused or name.partition(".")[2] in unused - FREE_FOR_METHODS
    ]


def _functions(module: ast.Module | ast.ClassDef) -> Iterator[str]:
    """Names of a module's functions, methods as `Class.method`."""
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.ClassDef):
            yield from (f"{node.name}.{name}" for name in _functions(node))


def _classes(sources: Mapping[str, str]) -> Iterator[tuple[str, ast.ClassDef]]:
    for module, text in sources.items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef) and node.name not in EXEMPT and node.name[0] != "_":
                yield module, node


def _words(page: str, heading: str) -> set[str]:
    section = page.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return set(re.findall(r"(?m)^\| (\w+) \|", section)) - {"word"}
