"""Replay a file of real hands through the engine; report those that are not exact, and why."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.inputs.paths import file_to_write
from tables.history.real_hands.report import report

EXPLAINED = Path(__file__).with_name("real_hands_explained.json")
"""Hand number -> reason why the record, not the engine, is odd."""


class Command(BaseCommand):
    """Exit status 1 when a hand is not exact and not explained, or cannot be read."""

    help = "Replay a file of real hands (one JSON object a line) through the hand engine."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """File to read, and file for the report as JSON."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--report", type=file_to_write, metavar="OUT.json")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print each hand that is not exact with the reason, then the counts."""
        try:
            with options["file"].open("rb") as lines:
                found = report(lines, json.loads(EXPLAINED.read_text()))
        except OSError as failed:
            raise CommandError(f"{options['file']} cannot be read: {failed.strerror}") from failed
        for odd in found.odd:
            self.stdout.write(odd.line())
        self.stdout.write(found.summary())
        if options["report"]:
            options["report"].write_text(json.dumps(found.as_json(), indent=2) + "\n")
        if found.unexplained:
            sys.exit(1)
