"""Writes the map of the house in docs/architecture.md from the modules' docstrings."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

ROOMS = ("config", "accounts", "tables", "tournaments")
LEFT_OUT = {"migrations", "__pycache__", "management"}
START, END = "<!-- map -->", "<!-- end of map -->"


class Command(BaseCommand):
    """Rewrite the map, or only check that it is current."""

    help = "Writes the map in docs/architecture.md from the modules' docstrings."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Only one switch."""
        parser.add_argument("--check", action="store_true", help="fail when it is not current")

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare or write the page."""
        home = Path(settings.BASE_DIR)
        page = home / "docs" / "architecture.md"
        text = page.read_text()
        head, _, rest = text.partition(START)
        _, _, tail = rest.partition(END)
        fresh = f"{head}{START}\n{map_of(home)}{END}{tail}"
        if options["check"]:
            if fresh != text:
                raise CommandError("docs/architecture.md is not current: manage.py house_map")
            return
        page.write_text(fresh)


def map_of(home: Path) -> str:
    """The rooms with their modules, one line each, as Markdown."""
    lines: list[str] = []
    for room in ROOMS:
        for folder in sorted({path.parent for path in (home / room).rglob("*.py")}):
            if LEFT_OUT & set(folder.relative_to(home).parts):
                continue
            lines += _folder(home, folder)
    return "\n".join(lines) + "\n"


def _folder(home: Path, folder: Path) -> list[str]:
    captions = {path.stem: _caption(path) for path in sorted(folder.glob("*.py"))}
    own = captions.pop("__init__", "")
    shown = [f"| `{name}` | {caption} |" for name, caption in captions.items() if caption]
    if not shown:
        return []
    title = f"\n### {folder.relative_to(home)}/"
    return [title, *([f"\n{own}"] if own else []), "\n| module | |", "|---|---|", *shown]


def _caption(path: Path) -> str:
    docstring = ast.get_docstring(ast.parse(path.read_text())) or ""
    return docstring.partition("\n\n")[0].replace("\n", " ")
