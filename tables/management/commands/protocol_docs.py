"""Write protocol.md, protocol.d.ts and asyncapi.yaml of docs/ from the wire, or check them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from tables.management import protocol_asyncapi, protocol_python
from tables.management.protocol_page import PAGE, page
from tables.management.protocol_types import TYPES, types


class Command(BaseCommand):
    """`manage.py protocol_docs [--check]`."""

    help = "Write protocol.md, .d.ts and asyncapi.yaml of docs/; with --check only compare them."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add `--check`."""
        parser.add_argument("--check", action="store_true")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        """Write the page and the types, or compare them."""
        with translation.override("en"):
            texts = {
                PAGE: page(),
                TYPES: types(),
                protocol_asyncapi.DOCUMENT: protocol_asyncapi.text(),
                **protocol_python.texts(),
            }
        for path, text in texts.items():
            if not check:
                path.write_text(text)
                self.stdout.write(f"written: {path.name}")
            elif not path.exists() or path.read_text() != text:
                raise CommandError(f"{path.name} is out of date: run manage.py protocol_docs")
