"""Print the report of a tournament as JSON."""

from __future__ import annotations

import json
from argparse import ArgumentParser, FileType
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.models import Tournament
from tournaments.monitor import report


class Command(BaseCommand):
    """`manage.py report ID [--swarm FILE]`."""

    help = "Print a tournament's report; exits with code 1 on a violation in it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the tournament and the bots' report."""
        parser.add_argument("tournament", type=int)
        parser.add_argument(
            "--swarm", type=FileType(), help="path of the report of manage.py swarm"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Build the report and print it."""
        try:
            seen = json.load(options["swarm"]) if options["swarm"] else None
        except ValueError as wrong:
            raise CommandError(f"--swarm is no report of manage.py swarm: {wrong}") from wrong
        try:
            built = report.build(options["tournament"], swarm_report=seen)
        except Tournament.DoesNotExist as unknown:
            raise CommandError("There is no such tournament.") from unknown
        self.stdout.write(json.dumps(built, indent=2))
        if built["violations"]:
            raise CommandError(built["violations"][0], returncode=1)
