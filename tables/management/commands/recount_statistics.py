"""Count the statistics of all players anew from the records of the hands."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.records.archive import ArchiveAway
from tables.statistics import recount

SHOWN_MAX = 20


class Command(BaseCommand):
    """`manage.py recount_statistics [--check]`."""

    help = "Replace all counters by those of the hands; --check only compares, and exits with 1."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option to compare only."""
        parser.add_argument("--check", action="store_true", help="compare, and change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare or rewrite the counters."""
        try:
            if not options["check"]:
                self.stdout.write(f"{recount.rewrite()} rows counted anew")
                return
            found = recount.differences()
        except ArchiveAway as away:
            raise CommandError(f"nothing was counted: {away}") from away
        for one in found[:SHOWN_MAX]:
            self.stderr.write(f"{one.key}: stored {one.stored}, counted {one.recounted}")
        if found:
            raise CommandError(f"{len(found)} rows differ from their hands")
        self.stdout.write("counted equals recounted")
