"""Create bots and a file of their log-in sessions, thousands at once."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from accounts.logins import minting
from accounts.users import bots
from tables.bots.client.connection import Identity
from tables.bots.client.sessions import write

HOURS = 24.0


class Command(BaseCommand):
    """`manage.py mint_sessions --players 3000 --out sessions.jsonl`."""

    help = "Make bots with play money and write their sessions, one JSON object a line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Number of bots, file to write, and lifetime of the sessions."""
        parser.add_argument("--players", type=int, required=True, help="how many bots")
        parser.add_argument("--out", type=Path, required=True, help="the file to write")
        parser.add_argument("--hours", type=float, default=HOURS, help="lifetime of the sessions")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file and report how many sessions it holds."""
        minted = minting.mint(bots.create(options["players"]), options["hours"])
        identities = [Identity(user=user.pk, name=user.name, session=key) for user, key in minted]
        count = write(options["out"], identities)
        self.stdout.write(f"{count} sessions in {options['out']}")
