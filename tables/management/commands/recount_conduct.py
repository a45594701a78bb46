"""Count the figures of conduct anew from the records of the hands."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.conduct import recount
from tables.management.whole_hands import whole_hands
from tables.records.archive import ArchiveAway
from tables.records.month_keys import own_keys

SHOWN_MAX = 20


class Command(BaseCommand):
    """`manage.py recount_conduct [--check]`."""

    help = "Replace all figures by those of the hands; --check only compares, and exits with 1."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option to compare only."""
        parser.add_argument("--check", action="store_true", help="compare, and change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare or rewrite the figures."""
        try:
            with whole_hands():
                own_keys.load_file()
                if not options["check"]:
                    self._rewrite()
                    return
                found = recount.differences()
        except ArchiveAway as away:
            raise CommandError(f"nothing was counted: {away}") from away
        for one in found[:SHOWN_MAX]:
            self.stderr.write(f"{one.key}: stored {one.stored}, counted {one.recounted}")
        if found:
            raise CommandError(f"{len(found)} rows differ from their hands")
        self.stdout.write("counted equals recounted")

    def _rewrite(self) -> None:
        hands = recount.rewrite()
        self.stdout.write(f"{hands.counted} hands counted anew")
        if hands.passed_over:
            self.stdout.write(
                f"{hands.passed_over} passed over: damaged, or their keys are deleted"
            )
