"""Check a running room against every invariant."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.ledger import seals
from config.clock import monotonic_ms
from config.process import metrics_listener, server_checks
from tournaments.models import Tournament
from tournaments.monitor import audit_watch
from tournaments.monitor.audit_memory import WAKE_LOST_AFTER_S, AuditMemory

EVERY_MAX_S = 86_400


class Command(BaseCommand):
    """`manage.py audit [--tournament ID] [--every SECONDS] [--since MARK] | --watch | --marks`."""

    help = "Check the invariants of the room; exits with code 1 at the first violation."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options: tournament, repetition and marks."""
        parser.add_argument("--tournament", type=int, help="number of a tournament (default: all)")
        parser.add_argument("--every", type=float, metavar="S", help="check again every S seconds")
        parser.add_argument(
            "--marks", action="store_true", help="print the newest seals to store, then exit"
        )
        parser.add_argument("--since", metavar="MARK", default="", help="a stored seal to verify")
        parser.add_argument(
            "--watch", action="store_true", help="run until stopped, logging violations"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Check twice, because some violations are transient, or repeat on request."""
        _check(options)
        if options["marks"]:
            for chain, mark in seals.marks().items():
                self.stdout.write(f"{chain} {mark}")
            return
        if options["watch"]:
            server_checks.verify_role_or_exit("auditor")
            metrics_listener.start()
            audit_watch.watch()
        self._refuse(seals.verify_seals(options["since"]))
        course = AuditMemory(options["tournament"])
        every_s = options["every"]
        looks = 0
        while True:
            self._refuse(course.violations(monotonic_ms() / 1_000))
            looks += 1
            if every_s is None and looks == 2:
                self.stdout.write("no violation")
                return
            time.sleep(WAKE_LOST_AFTER_S if every_s is None else every_s)

    def _refuse(self, violations: list[str]) -> None:
        if violations:
            for line in violations:
                self.stderr.write(line)
            raise CommandError(violations[0], returncode=1)


def _check(options: dict[str, Any]) -> None:
    """Refuse what would be left unchecked: of an unknown tournament no violation is ever found."""
    if options["every"] is not None and not 0 < options["every"] <= EVERY_MAX_S:
        raise CommandError(f"--every must be above 0 and at most {EVERY_MAX_S} seconds.")
    alone = [name for name in ("watch", "marks") if options[name]]
    others = [name for name in ("tournament", "every", "since") if options[name] not in (None, "")]
    if alone and (len(alone) > 1 or others):
        raise CommandError(f"--{alone[0]} goes without --{[*alone[1:], *others][0]}.")
    known = Tournament.objects.filter(pk=options["tournament"])
    if options["tournament"] is not None and not known.exists():
        raise CommandError("There is no such tournament.")
