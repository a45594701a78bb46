"""Delete the keys of months that are long over: `manage.py burn_records --older 90`."""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config import limits
from config.environment import KeyFileMissing
from tables.conduct import counting
from tables.dealt import merging
from tables.records import burning
from tables.records.month_keys import own_keys, record_keys, text_of

OLDER_DAYS_MIN, OLDER_DAYS_MAX = 30, 36_500
"""Least days, as younger hands are still counted, told again and looked at by staff; most days."""


class Command(BaseCommand):
    """`manage.py burn_records --older DAYS [--yes]`; run it on each machine with key files."""

    help = "Delete the keys of the months that ended more than so many days ago."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the age of months, and the confirmation."""
        parser.add_argument("--older", type=int, required=True, help="days since a month's end")
        parser.add_argument("--yes", action="store_true", help="delete; else only tell what would")

    def handle(self, *args: Any, **options: Any) -> None:
        """Tell the months and the number of their hands; with --yes delete their keys."""
        if not OLDER_DAYS_MIN <= options["older"] <= OLDER_DAYS_MAX:
            raise CommandError(
                f"--older is {OLDER_DAYS_MIN} to {OLDER_DAYS_MAX} days: younger hands are in use."
            )
        for keys in (record_keys, own_keys):
            if os.environ.get(keys.variable):
                raise CommandError(
                    f"{keys.variable} is set in the environment: put its text into a file, name it"
                    f" by {keys.variable}_FILE, burn there, and set the variable to what is left."
                )
        try:
            found = burning.due(options["older"])
            months = ", ".join(map(text_of, found.months))
            if not found.months:
                self.stdout.write("No month is that old, or its keys are gone already.")
                return
            self.stdout.write(f"{months}: {found.hands} hands")
            if not options["yes"]:
                self.stdout.write(
                    "Nothing was changed. --yes deletes these keys for ever: folded cards and decks"
                    " of these hands are gone then, also for their players; their sums by day"
                    " become sums by month."
                )
                return
            own_keys.load_file()
            # A hand that is counted between the two would have figures under a key that goes.
            with counting.nobody_counts():
                merged = merging.merge_before(burning.kept_from(options["older"]))
                self.stdout.write(f"{merged.rows} days of dealt cards became {merged.left} months")
                burning.burn(options["older"])
                # Workers that hold the keys forget them before they count again.
                time.sleep(limits.KEY_FILES_READ_MS / 1_000)
        except (KeyFileMissing, OSError) as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(
            f"The keys of {months} are deleted here. Do the same on other machines, and replace the"
            " backups of the key files: whoever has an old one still opens these hands."
        )
