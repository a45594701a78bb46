"""Play a ladder of bundled bots in this process and rate them: `manage.py ladder`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.inputs.paths import file_to_write
from tables.bots.playing.kinds import KINDS
from tournaments.bot_ladder.agreement import compare
from tournaments.bot_ladder.contestants import contestants
from tournaments.bot_ladder.ladder import Ladder

GAMES_MAX = 1_000_000
SEATS = range(2, 10)


class Command(BaseCommand):
    """`manage.py ladder --games 300 --bots 20 --kinds solid,pusher`: see docs/research.md."""

    help = "Play Sit & Gos of bundled bots in this process, rate them, and write a report."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for the bots, the games and the report."""
        parser.add_argument("--games", type=int, default=300)
        parser.add_argument("--bots", type=int, default=20)
        parser.add_argument("--kinds", default="solid,pusher", help=", ".join(KINDS))
        parser.add_argument("--seats", type=int, default=6)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--compare", type=int, metavar="SEED", help="play once more with it, compare the orders"
        )
        parser.add_argument(
            "--duplicate", action="store_true", help="play each deal from every seat"
        )
        parser.add_argument("--report", type=file_to_write, metavar="OUT.json")

    def handle(self, *args: Any, **given: Any) -> None:
        """Refuse what cannot be played, play, print the table, write the report."""
        kinds = [kind.strip() for kind in given["kinds"].split(",")]
        if unknown := [kind for kind in kinds if kind not in KINDS]:
            raise CommandError(f"--kinds: {unknown[0]!r} is none of {', '.join(KINDS)}")
        if given["seats"] not in SEATS or given["bots"] < given["seats"]:
            raise CommandError("--seats is from 2 to 9, and --bots not below it")
        if not 1 <= given["games"] <= GAMES_MAX:
            raise CommandError(f"--games is from 1 to {GAMES_MAX}")
        if given["compare"] is not None and given["compare"] == given["seed"]:
            raise CommandError("--compare is another seed than --seed")
        ladder = _played(kinds, given, given["seed"])
        report = ladder.report()
        for line in table(report):
            self.stdout.write(line)
        if given["compare"] is not None:
            self._compare(ladder, _played(kinds, given, given["compare"]), report)
        if given["report"]:
            given["report"].write_text(json.dumps(report, indent=2) + "\n")
        if given["compare"] is not None and not report["agreement"]["stable"]:
            raise CommandError("the orders of the two seeds differ")

    def _compare(self, ladder: Ladder, other: Ladder, report: dict[str, Any]) -> None:
        """Print another ladder and its agreement with the first, and add both to the report."""
        found = compare(
            [{bot.name: one.ratings.of(bot.name) for bot in one.bots} for one in (ladder, other)],
            {bot.name: bot.kind for bot in ladder.bots},
        )
        report["other"] = other.report()
        report["agreement"] = {**found._asdict(), "stable": found.is_stable}
        for line in table(report["other"]):
            self.stdout.write(line)
        orders = " / ".join(" > ".join(order) for order in found.kinds)
        self.stdout.write(
            f"kinds: {orders}, {found.against_kinds} pairs of bots against it;"
            f" {found.pairs} pairs of bots differ with both seeds,"
            f" {found.reversed_pairs} of them in another order"
        )


def _played(kinds: list[str], given: dict[str, Any], seed: int) -> Ladder:
    ladder = Ladder(
        contestants(kinds, given["bots"]),
        seats=given["seats"],
        seed=seed,
        duplicate=given["duplicate"],
    )
    ladder.run(given["games"])
    return ladder


def table(report: dict[str, Any]) -> list[str]:
    """Return the lines of a ladder, the strongest bot first."""
    head = f"{'bot':<14}{'mu':>8}{'sigma':>8}{'games':>8}{'wins':>7}{'place':>8}{'crashes':>9}"
    rows = [
        f"{row['bot']:<14}{row['mu']:>8.2f}{row['sigma']:>8.2f}{row['games']:>8}{row['wins']:>7}"
        f"{row['mean_place']:>8.2f}{row['crashes']:>9}"
        for row in report["ladder"]
    ]
    return [head, *rows, f"{report['games']} games, {report['hands']} hands, seed {report['seed']}"]
