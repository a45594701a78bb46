"""Export the finished hands of a tournament as files."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.history.exports import files
from tables.history.exports.hand import ExportedHand
from tables.history.exports.rows import ROWS_AT_ONCE, all_exported
from tables.history.released import released_hands
from tournaments.models import Tournament
from tournaments.models.tournament import State

PROGRESS_HANDS = 1_000
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
        hands = _hands(tournament, all_cards=everything)
        total = 0
        try:
            _prepare(options["out"])
            for total in files.write_files(hands, options["out"], options["format"]):
                if total % PROGRESS_HANDS == 0:
                    self.stderr.write(f"{total} hands")
        except OSError as failed:
            raise CommandError(f"Cannot write to {options['out']}: {failed.strerror}") from failed
        self.stdout.write(f"{total} hands written to {options['out']}")


def _prepare(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    if any(directory.iterdir()):
        raise CommandError(f"{directory} is not empty.")


def _hands(tournament: Tournament, *, all_cards: bool) -> Iterator[ExportedHand]:
    """Yield the released hands by table, never holding more than a few rows in memory."""
    rows = released_hands().filter(table__director="tournament", table__game=tournament.pk)
    return all_exported(rows.iterator(chunk_size=ROWS_AT_ONCE), None, all_cards=all_cards)
