"""Live functions by rule: those of the room whose docstring names the rule."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from tests.rules.book import RULE
from tests.style.calls import Unit
from tests.style.live_path import app_units, live_units

SPAN = re.compile(r"\b([A-Z])-(\d\d)\.\.\1-(\d\d)\b")
"""Several rules in a row, as in E-01..E-03."""


def by_rule(found: Mapping[str, Unit] | None = None) -> dict[str, list[str]]:
    """Return for each rule its live functions, as `module: name`, public ones where there are any.

    Functions of the engines come first, because the others call them.
    """
    known = app_units() if found is None else found
    named: dict[str, list[str]] = defaultdict(list)
    for place in sorted(live_units(known), key=lambda place: (".engine." not in place, place)):
        module, _, outer = place.partition(":")
        for name, rules in _functions(known[place].node, outer):
            for rule_id in rules:
                named[rule_id].append(f"{module}: {name}")
    return {rule_id: _public(places) for rule_id, places in named.items()}


def _functions(node: ast.AST | None, outer: str) -> Iterator[tuple[str, list[str]]]:
    """Return a function with its rules, or the methods of a class with theirs."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield outer, _rules(node)
    elif isinstance(node, ast.ClassDef):
        for method in node.body:
            if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{outer}.{method.name}", _rules(method)


def _rules(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    words = SPAN.sub(_spelled, ast.get_docstring(node) or "")
    return list(dict.fromkeys(RULE.findall(words)))


def _spelled(span: re.Match[str]) -> str:
    letter, first, last = span.groups()
    return " ".join(f"{letter}-{number:02d}" for number in range(int(first), int(last) + 1))


def _public(places: list[str]) -> list[str]:
    public = [place for place in places if not place.split(": ")[1].startswith("_")]
    return public or places
