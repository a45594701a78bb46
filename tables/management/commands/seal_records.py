"""Box the cards of finished hands that releases before kept in plain: `manage.py seal_records`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.environment import KeyFileMissing
from tables.records import boxing, holding
from tables.records.month_keys import NoMonthKey


class Command(BaseCommand):
    """`manage.py seal_records [--count]`; run it where a settle worker runs, also during play."""

    help = "Box the folded cards and decks of finished hands that are still in plain."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option that only counts."""
        parser.add_argument("--count", action="store_true", help="count the hands, change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Box batch by batch, telling each; a run that was stopped is continued by the next."""
        hands = boxing.left()
        self.stdout.write(f"{hands} hands in plain")
        if options["count"]:
            return
        try:
            holding.hold_all()
            done = unreadable = 0
            for batch in boxing.box_all():
                done, unreadable = done + batch.boxed, unreadable + batch.unreadable
                self.stdout.write(f"{done} of {hands} boxed")
        except (KeyFileMissing, NoMonthKey) as missing:
            raise CommandError(str(missing)) from missing
        if unreadable:
            raise CommandError(f"{unreadable} records cannot be read and were left as they are")
        self.stdout.write("Their old rows go with VACUUM FULL tables_hand; dumps keep them.")
