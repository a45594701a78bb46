"""Play a tournament or ring games in this process under a virtual clock, without any server."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.refusals import line_of
from config.inputs.paths import file_to_write
from config.refusals import Refusal
from tables.ring.simulation.report import build_report
from tables.ring.simulation.run import RingSimulation
from tournaments.schedule import simulated
from tournaments.simulation import report
from tournaments.simulation.simulation_run import SimulationRun


class Command(BaseCommand):
    """`manage.py simulate --format spin --seed 7`: see docs/tournaments.md.

    `manage.py simulate --ring --hands 1000 --seed 7` plays ring games, see docs/engine.md.
    """

    help = "Simulate a tournament or ring games: same rules and engine, no servers, by seed."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the format, the field, any option by its name, and the seed."""
        parser.add_argument(
            "--format", default="freezeout", help="format: freezeout, spin, shootout ..."
        )
        parser.add_argument(
            "--players", default="0", help="number of players; 0: usual for the format"
        )
        parser.add_argument(
            "--options",
            nargs="*",
            default=[],
            metavar="NAME=VALUE",
            help="fields of a tournament, see docs/tournaments.md",
        )
        parser.add_argument("--ring", action="store_true", help="ring games, not a tournament")
        parser.add_argument("--hands", type=int, default=1_000, help="hands of ring games")
        parser.add_argument("--seed", type=int, default=1, help="decides everything")
        parser.add_argument("--report", type=file_to_write, help="path for the report (JSON)")

    def handle(self, *args: Any, **given: Any) -> None:
        """Play, write the report, and fail on any violation."""
        if given["ring"]:
            self._play_ring_games(given["hands"], given["seed"], given["report"])
            return
        try:
            options = simulated.read(
                given["options"], {"format": given["format"], "players": given["players"]}
            )
        except Refusal as refusal:
            raise CommandError(line_of(refusal)) from refusal
        course, began_s = SimulationRun(options, given["seed"]), time.monotonic()
        violations: list[str] = []
        broken: Exception | None = None
        try:
            course.run()
        except Exception as wrong:  # the report has one line of it, --traceback the place
            broken, violations = wrong, [_said(wrong)]
        findings = report.build(course, given["seed"], violations)
        if given["report"]:
            given["report"].write_text(json.dumps(findings, indent=2) + "\n")
        keys = ("players", "entries", "hands", "moves", "pool", "paid", "bounties", "duration_s")
        self.stdout.write("  ".join(f"{key} {findings[key]}" for key in keys))
        self.stdout.write(f"took {time.monotonic() - began_s:.1f} s")
        if violations:
            raise CommandError(f"seed {given['seed']}: {violations[0]}") from broken

    def _play_ring_games(self, hands: int, seed: int, report_path: Path | None) -> None:
        if hands < 1:
            raise CommandError("--hands: at least 1")
        run, began_s = RingSimulation(seed), time.monotonic()
        violations: list[str] = []
        broken: Exception | None = None
        try:
            run.play(hands)
        except Exception as wrong:  # the report has one line of it, --traceback the place
            broken, violations = wrong, [_said(wrong)]
        findings = build_report(run, violations)
        if report_path:
            report_path.write_text(json.dumps(findings, indent=2) + "\n")
        rake = findings["rake"]
        falls = sum(pool["falls"] for pool in findings["jackpots"].values())
        self.stdout.write(
            f"hands {findings['hands']}  rake {rake['taken']} of {rake['expected']} expected  "
            f"jackpots {falls}  ledger_sum {findings['ledger_sum']}"
        )
        self.stdout.write(f"took {time.monotonic() - began_s:.1f} s")
        if violations:
            raise CommandError(f"seed {seed}: {violations[0]}") from broken


def _said(wrong: Exception) -> str:
    """Return the error in one line: the sentence of an invariant, else the kind of the error."""
    if isinstance(wrong, AssertionError):
        return str(wrong) or "an invariant was violated"
    return f"{type(wrong).__name__}: {wrong}"
