"""Tests by rule: named by `pytest.mark.rule`, in their docstring, or as a golden hand."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.rules.book import RULE

TESTS = Path(__file__).resolve().parent.parent
GOLDEN = TESTS / "golden" / "hands"


def by_rule(tests: Path = TESTS) -> dict[str, list[str]]:
    """Return for each rule the tests that show it, as `file: name`, each once, in order."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for path in sorted(tests.rglob("test_*.py")):
        place = path.relative_to(tests).as_posix()
        for name, named in _named(ast.parse(path.read_text())):
            for rule_id in named:
                found[rule_id].setdefault(f"{place}: {name}")
    for path in sorted((tests / "golden" / "hands").glob("*.txt")):
        rule_id = path.stem[:4]
        found[rule_id].setdefault(f"golden/hands: {path.stem[5:]}")
    return {rule_id: list(places) for rule_id, places in found.items()}


def _named(module: ast.Module) -> Iterator[tuple[str, list[str]]]:
    """Return each test of a module with its rules; a mark of the module applies to all tests."""
    of_all = [rule_id for node in module.body if _is_mark(node) for rule_id in _marks(node)]
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef):
            marks = [rule_id for mark in node.decorator_list for rule_id in _marks(mark)]
            marks += RULE.findall(ast.get_docstring(node) or "")
            if marks:
                yield node.name, marks
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if not node.name.startswith("test_"):
                continue
            marks = [rule_id for mark in node.decorator_list for rule_id in _marks(mark)]
            said = RULE.findall(ast.get_docstring(node) or "")
            yield node.name.removeprefix("test_").replace("_", " "), [*of_all, *marks, *said]


def _is_mark(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets
    )


def _marks(node: ast.AST) -> Iterator[str]:
    """Return the IDs of every `...mark.rule("X-01")` inside a decorator or an assignment."""
    for call in ast.walk(node):
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "rule"
            and call.args
            and isinstance(call.args[0], ast.Constant)
        ):
            yield str(call.args[0].value)
