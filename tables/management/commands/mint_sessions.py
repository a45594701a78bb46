"""Create bots and a file of their log-in sessions, thousands at once."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.logins import minting
from accounts.users import bots
from config import limits
from tables.bots.client.connection import Identity
from tables.bots.client.sessions import write

HOURS = 24.0
HOURS_MAX = 366 * 24


class Command(BaseCommand):
    """`manage.py mint_sessions --players 3000 --out sessions.jsonl`."""

    help = "Make bots with play money and write their sessions, one JSON object a line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Number of bots, file to write, and lifetime of the sessions."""
        parser.add_argument("--players", type=int, required=True, help="how many bots")
        parser.add_argument("--out", type=Path, required=True, help="the file to write")
        parser.add_argument("--hours", type=float, default=HOURS, help="lifetime of the sessions")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file and report how many sessions it holds; refuse before any bot is made."""
        if not 1 <= options["players"] <= limits.BOTS_MAX:
            raise CommandError(f"--players is from 1 to {limits.BOTS_MAX}")
        if not 0 < options["hours"] <= HOURS_MAX:
            raise CommandError(f"--hours is more than 0 and at most {HOURS_MAX}")
        if options["out"].is_dir() or not options["out"].absolute().parent.is_dir():
            raise CommandError(f"--out is no file in a folder that is there: {options['out']}")
        minted = minting.mint(bots.create(options["players"]), options["hours"])
        identities = [Identity(user=user.pk, name=user.name, session=key) for user, key in minted]
        count = write(options["out"], identities)
        self.stdout.write(f"{count} sessions in {options['out']}")
