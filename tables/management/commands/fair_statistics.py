"""Test the decks that the room dealt against chance: `manage.py fair_statistics`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.inputs.paths import file_to_write
from tables.chance.holes import ALARM, NOTICE
from tables.chance.reading import count_decks
from tables.management.whole_hands import whole_hands


class Command(BaseCommand):
    """`manage.py fair_statistics [--day D] [--report FILE]`.

    Exit status 0 without an alarm, 1 with one, 2 when no sealed deck was dealt that can be read.
    """

    help = (
        "Test all decks that the room dealt, whole, by a fixed family of tests: positions, the cut,"
        " two cards by seat and account, equal decks, unopened pledges, void hands."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options: a UTC day beside all hands, and a report."""
        parser.add_argument("--day", type=date.fromisoformat, help="UTC day, as 2026-11-25")
        parser.add_argument(
            "--report", type=file_to_write, help="write the results as JSON to this file"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a line for each test; exit with 1 for an alarm."""
        alarms, report = 0, {}
        with whole_hands():
            counted = count_decks(options["day"])
        for period, counts in counted.items():
            results = list(counts.results())
            self.stdout.write(f"{period}: {counts.decks:,} decks, {counts.void:,} void hands")
            for result in results:
                self.stdout.write(
                    f"  {result.name:<26}{result.cases:>10,}{result.statistic:>14,.4f}"
                    f"  p = {result.chance:.2g}  {result.verdict}"
                )
            alarms += sum(result.verdict == "alarm" for result in results)
            report[period] = {
                "decks": counts.decks,
                "void": counts.void,
                "tests": [one._asdict() | {"verdict": one.verdict} for one in results],
            }
        if options["report"] is not None:
            thresholds = {"notice": NOTICE, "alarm": ALARM}
            whole = {"thresholds": thresholds, "periods": report}
            options["report"].write_text(json.dumps(whole, indent=1) + "\n")
        if alarms:
            raise CommandError(f"{alarms} alarms")
        if not report["all"]["decks"]:
            raise CommandError("no sealed deck was dealt that can be read", returncode=2)
