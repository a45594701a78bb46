"""Say whether this is a research room, or mark it as one for good: `manage.py research_mark`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.research.mark import is_marked
from config.refusals import Refusal
from tables.seeds import marking


class Command(BaseCommand):
    """`manage.py research_mark [--yes]`: see docs/research.md."""

    help = "Print whether this is a research room; with --yes mark a new room as one, for good."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the confirmation."""
        parser.add_argument("--yes", action="store_true", help="mark this room; nothing undoes it")

    def handle(self, *args: Any, **options: Any) -> None:
        """Mark the room when that is confirmed, and print what it is; refuse a room in use."""
        if options["yes"]:
            try:
                marking.mark_room()
            except Refusal as refusal:
                raise CommandError(str(refusal)) from refusal
        if is_marked():
            self.stdout.write("This is a research room: bots alone, decks from seeds, no proofs.")
        else:
            self.stdout.write("This is no research room; --yes makes a new room one, for good.")
