"""Count the hands that players cut, by kind of game: `manage.py fair_shares`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.chance.cut_shares import CutShares, count_shares

COLUMNS = ("hands", "with a cut", "called", "in time", "seats", "with a cut", "unsealed")


class Command(BaseCommand):
    """`manage.py fair_shares [--day D] [--report FILE]`; needs no key and changes nothing.

    Exit status 0, or 2 when no hand was dealt from a sealed deck.
    """

    help = (
        "Count settled hands by kind of game (tournament, ring, rapid): hands with at least one"
        " cut, called pledges, pledges opened in time, dealt seats, and their shares."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options: a UTC day instead of all hands, and a report."""
        parser.add_argument("--day", type=date.fromisoformat, help="UTC day, as 2026-11-25")
        parser.add_argument("--report", type=Path, help="write the counts as JSON to this file")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a line for each kind of game; write the report first if one is wanted."""
        counted = count_shares(options["day"])
        if options["report"] is not None:
            figures = {kind: shares.figures() for kind, shares in counted.items()}
            try:
                options["report"].write_text(json.dumps(figures, indent=1) + "\n")
            except OSError as failed:
                raise CommandError(f"--report: {options['report']}: {failed.strerror}") from failed
        self.stdout.write(_line("game", COLUMNS))
        for kind, shares in counted.items():
            self.stdout.write(_line(kind, _cells(shares)))
            if shares.unread:
                self.stderr.write(_unread(kind, shares.unread))
        if not any(shares.hands for shares in counted.values()):
            raise CommandError("no hand was dealt from a sealed deck", returncode=2)


def _line(kind: str, cells: tuple[str, ...]) -> str:
    return f"{kind:<12}" + "".join(f"{cell:>19}" for cell in cells)


def _cells(shares: CutShares) -> tuple[str, ...]:
    return (
        f"{shares.hands:,}",
        _of(shares.hands_cut, shares.hands),
        f"{shares.called:,}",
        _of(shares.in_time, shares.called),
        f"{shares.seats:,}",
        _of(shares.in_time, shares.seats),
        f"{shares.unsealed:,}",
    )


def _of(part: int, whole: int) -> str:
    return f"{part:,} ({part / whole:.2%})" if whole else f"{part:,}"


def _unread(kind: str, count: int) -> str:
    return f"{kind}: {count:,} record{'s' * (count > 1)} cannot be read"
