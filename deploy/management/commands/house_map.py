"""Write the map of the project in docs/architecture.md from the modules' docstrings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from deploy.documents.house_map import map_of

START, END = "<!-- map -->", "<!-- end of map -->"


class Command(BaseCommand):
    """Rewrite the map, or only check that it is current."""

    help = "Writes the map in docs/architecture.md from the modules' docstrings."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the option to only check."""
        parser.add_argument(
            "--check", action="store_true", help="fail when the page is not current"
        )

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
