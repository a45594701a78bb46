"""Map of the project: its folders and modules, and the imports between folders of each app.

The modules of the browser are listed by folder with the comment at their head.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

APPS = ("deploy", "tournaments", "tables", "accounts", "config", "client")
SCRIPTS = "static/js"
LEFT_OUT = {"migrations", "__pycache__", "management"}


def map_of(home: Path) -> str:
    """Return all folders with their modules, one line each, as Markdown, and each app's imports."""
    lines: list[str] = []
    for app in APPS:
        for folder in sorted({path.parent for path in (home / app).rglob("*.py")}):
            if LEFT_OUT & set(folder.relative_to(home).parts):
                continue
            lines += _folder(home, folder)
        lines += _imports(home, app)
    scripts = sorted({path.parent for path in (home / SCRIPTS).rglob("*.js")})
    for folder in scripts:
        lines += _table(home, folder, {path.stem: _heading(path) for path in folder.glob("*.js")})
    return "\n".join(lines) + "\n"


def arrows(home: Path, app: str) -> Counter[tuple[str, str]]:
    """Count the imports from each folder of an app to another.

    Modules of the app's own folder count as folders of one module.
    """
    found: Counter[tuple[str, str]] = Counter()
    for path in sorted((home / app).rglob("*.py")):
        inside = path.relative_to(home / app)
        if LEFT_OUT & set(inside.parts) or inside.name == "__init__.py":
            continue
        start = inside.parts[0].removesuffix(".py")
        for name in _imported(path):
            parts = name.split(".")
            if parts[0] == app and len(parts) > 1 and parts[1] != start:
                found[start, parts[1]] += 1
    return found


def _imports(home: Path, app: str) -> list[str]:
    lines = [
        f"| `{start}` | {', '.join(sorted(ends))} |"
        for start, ends in sorted(_by_start(arrows(home, app)).items())
    ]
    title = f"\n#### Imports between the folders of {app}/"
    return [title, "\n| from | to (number of imports) |", "|---|---|", *lines] if lines else []


def _by_start(found: Counter[tuple[str, str]]) -> dict[str, list[str]]:
    by_start: dict[str, list[str]] = {}
    for (start, end), count in found.items():
        by_start.setdefault(start, []).append(f"`{end}` ({count})")
    return by_start


def _imported(path: Path) -> Iterator[str]:
    """Return the dotted names that a file imports, at its head or inside a function."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def _folder(home: Path, folder: Path) -> list[str]:
    captions = {path.stem: _caption(path) for path in sorted(folder.glob("*.py"))}
    own = captions.pop("__init__", "")
    return _table(home, folder, captions, own)


def _table(home: Path, folder: Path, captions: dict[str, str], own: str = "") -> list[str]:
    shown = [f"| `{name}` | {caption} |" for name, caption in sorted(captions.items()) if caption]
    if not shown:
        return []
    title = f"\n### {folder.relative_to(home)}/"
    return [title, *([f"\n{own}"] if own else []), "\n| module | |", "|---|---|", *shown]


def _heading(path: Path) -> str:
    """Return the sentence of the comment at the head of a browser module."""
    head = itertools.takewhile(lambda line: line.startswith("//"), path.read_text().splitlines())
    return re.split(r"(?<=\.) ", " ".join(line.removeprefix("//").strip() for line in head))[0]


def _caption(path: Path) -> str:
    docstring = ast.get_docstring(ast.parse(path.read_text())) or ""
    return docstring.partition("\n\n")[0].replace("\n", " ")
