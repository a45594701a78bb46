"""Write the hands of tournaments of bots as a data set: `manage.py dataset --out DIR`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.management.whole_hands import whole_hands
from tournaments.bot_ladder import dataset
from tournaments.monitor import hand_files


class Command(BaseCommand):
    """`manage.py dataset --out DIR [--tournament ID ...]`: see docs/research.md."""

    help = "Write hands of finished tournaments of bots as PHH and JSON lines with a data card."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the directory and the tournaments."""
        parser.add_argument("--out", type=Path, required=True, metavar="DIRECTORY")
        parser.add_argument(
            "--tournament", type=int, nargs="*", default=[], metavar="ID", help="none: all"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the files; refuse tournaments of people, and a directory with content."""
        try:
            tournaments = dataset.chosen(options["tournament"])
            hand_files.prepare(options["out"])
            with whole_hands():
                made = dataset.write(tournaments, options["out"])
        except (dataset.NotInDatasets, hand_files.DirectoryInUse) as refused:
            raise CommandError(str(refused)) from refused
        except OSError as failed:
            raise CommandError(f"Cannot write to {options['out']}: {failed.strerror}") from failed
        self.stdout.write(f"{made.hands} hands of {made.tournaments} tournaments written")
