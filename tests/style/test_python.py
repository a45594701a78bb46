"""Modules describe themselves in one sentence, hold one idea, and have telling names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.style.sources import HOME, modules, name

FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
BANNED = {"utils", "util", "helpers", "helper", "common", "misc", "manager"}
DOCSTRING_MAX = 300


def test_every_module_says_what_it_is_in_one_sentence() -> None:
    silent = []
    for path in modules():
        source = path.read_text()
        said = ast.get_docstring(ast.parse(source)) if source.strip() else "Empty."
        first = (said or "").split("\n\n")[0].strip()
        if not first or not first.endswith((".", "?", "!")) or len(first) > DOCSTRING_MAX:
            silent.append(name(path))
    assert silent == []


def test_no_file_is_too_long() -> None:
    lengths = {name(path): len(path.read_text().splitlines()) for path in modules()}
    assert {path: lines for path, lines in lengths.items() if lines > FILE_LINES_MAX} == {}


def test_no_function_is_too_long() -> None:
    long = {
        f"{name(path)}:{function.name}": lines
        for path in modules()
        for function, lines in _functions(path)
        if lines > FUNCTION_LINES_MAX
    }
    assert long == {}


def test_no_module_has_a_catch_all_name() -> None:
    drawers = [
        name(path)
        for path in modules()
        if BANNED & {path.stem, *path.relative_to(HOME).parts, *path.stem.split("_")}
    ]
    assert drawers == []


def test_no_admin_class_escapes_the_declared_lookups() -> None:
    """Lists of the admin would otherwise filter by hidden columns; see `config/admin_site.py`."""
    bare = [
        f"{name(path)}:{node.name}"
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
        for bases in [[ast.unparse(base).partition("[")[0].split(".")[-1] for base in node.bases]]
        if any(base.endswith(("ModelAdmin", "UserAdmin", "GroupAdmin")) for base in bases)
        and "DeclaredLookups" not in bases
        and node.name != "DeclaredLookups"
    ]
    assert bare == []


def test_no_module_imports_from_a_test_module() -> None:
    """Shared helpers live in modules of their own, without `test_` in their name."""
    imports = [
        f"{name(path)}: {module}"
        for path in modules()
        for module in _imported(path)
        if any(part.startswith("test_") for part in module.split("."))
    ]
    assert imports == []


def test_annotations_are_never_evaluated() -> None:
    missing = [
        name(path)
        for path in modules()
        if _has_functions(path) and "from __future__ import annotations" not in path.read_text()
    ]
    assert missing == []


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module or ''}.{alias.name}" for alias in node.names)


def _functions(path: Path) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, int]]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node, node.end_lineno - node.lineno + 1


def _has_functions(path: Path) -> bool:
    return any(True for _ in _functions(path))
