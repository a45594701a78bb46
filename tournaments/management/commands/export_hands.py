"""Export the finished hands of a tournament as files."""

from __future__ import annotations

from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.history.exports import files
from tables.management.whole_hands import whole_hands
from tournaments.models import Tournament
from tournaments.models.tournament import State
from tournaments.monitor import hand_files

OVER = (State.FINISHED, State.CANCELLED)


class Command(BaseCommand):
    """`manage.py export_hands --tournament ID --format phh --out DIRECTORY`."""

    help = "Write the finished hands of a tournament as files, one a table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the tournament, the format, the directory, and the cards to name."""
        parser.add_argument("--tournament", type=int, required=True, metavar="ID")
        parser.add_argument("--format", choices=sorted(files.FORMATS), default="phh")
        parser.add_argument("--out", type=Path, required=True, metavar="DIRECTORY")
        parser.add_argument(
            "--cards",
            choices=["public", "all"],
            default="public",
            help="public: as spectators saw the hands; all: once the tournament is over",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the files; refuse a directory with content, and all cards of a running game."""
        tournament = Tournament.objects.filter(pk=options["tournament"]).first()
        if tournament is None:
            raise CommandError("There is no such tournament.")
        everything = options["cards"] == "all"
        if everything and tournament.state not in OVER:
            raise CommandError("All cards are exported once the tournament is over.")
        try:
            hand_files.prepare(options["out"])
            with whole_hands() if everything else nullcontext():
                total = hand_files.write(
                    tournament.pk,
                    options["out"],
                    options["format"],
                    all_cards=everything,
                    progress=lambda hands: self.stderr.write(f"{hands} hands"),
                )
        except hand_files.DirectoryInUse as used:
            raise CommandError(str(used)) from used
        except OSError as failed:
            raise CommandError(f"Cannot write to {options['out']}: {failed.strerror}") from failed
        self.stdout.write(f"{total} hands written to {options['out']}")
