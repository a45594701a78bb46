"""Give a tournament of a research room the seed of its decks: `manage.py deal_seed ID SEED`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.refusals import Refusal
from tables.seeds import marking
from tables.seeds.refusals import NoSuchGame
from tournaments import locks
from tournaments.models import Tournament


class Command(BaseCommand):
    """`manage.py deal_seed TOURNAMENT SEED`: see docs/research.md."""

    help = "Give a tournament of a research room the seed of its decks, before it starts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the tournament and its seed."""
        parser.add_argument("tournament", type=int)
        parser.add_argument("seed", help="whole number from 0 to 2^63 - 1")

    def handle(self, *args: Any, **options: Any) -> None:
        """Give the seed; the same one again changes nothing, another one is refused."""
        try:
            seed = marking.read_seed(options["seed"])
            if not Tournament.objects.filter(pk=options["tournament"]).exists():
                raise NoSuchGame
            marking.give_seed(locks.DIRECTOR, options["tournament"], seed)
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"tournament {options['tournament']} deals from seed {seed}")
