"""Write docs/protocol.md from the structs of the wire, or check that it is current."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from tables.management.protocol_page import PAGE, page


class Command(BaseCommand):
    """`manage.py protocol_docs [--check]`."""

    help = "Write docs/protocol.md; with --check only say whether it is current."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add `--check`."""
        parser.add_argument("--check", action="store_true")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        """Write the page, or compare it."""
        with translation.override("en"):
            text = page()
        if not check:
            PAGE.write_text(text)
            self.stdout.write(f"written: {PAGE.name}")
        elif not PAGE.exists() or PAGE.read_text() != text:
            raise CommandError("docs/protocol.md is out of date: run manage.py protocol_docs")
