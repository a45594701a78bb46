"""Audit finished hands from their secrets to a second engine: `manage.py fair_audit`."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.inputs.paths import file_to_write
from tables.dealer.record import HandRecord
from tables.fairaudit import running
from tables.fairaudit.hands import RoomNames
from tables.fairlog import log_keys
from tables.fairness.encoding import HASH_SIZE
from tables.management.whole_hands import whole_hands
from tables.models import CallKey

UNUSABLE = 2
"""Exit status when there is nothing to compare, or the second engine is not installed."""


class Command(BaseCommand):
    """`manage.py fair_audit [--day D] [--report FILE] [--call-key HEX --log-key HEX]`.

    Exit status 0 without a difference, 1 with one, 2 when it could not run.
    """

    help = (
        "Check every finished hand of a database, for example of a restored dump: its secret makes"
        " its seal, seal and cut make its deck, its record has this deck, and its log tells the"
        " same; then play it again in pokerkit."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options: a day, a report, keys and origin from outside, no second engine."""
        parser.add_argument("--day", type=date.fromisoformat, help="UTC day, as 2026-11-25")
        parser.add_argument(
            "--report", type=file_to_write, help="write the report as JSON to this file"
        )
        parser.add_argument(
            "--call-key", type=_key, action="append", help="public call key from outside"
        )
        parser.add_argument(
            "--log-key", type=_key, action="append", help="public log key from outside"
        )
        parser.add_argument(
            "--record-key", type=Path, metavar="FILE", help="file of the room's record key"
        )
        parser.add_argument(
            "--auditor-key",
            type=_private_key,
            metavar="FILE",
            help="file of the auditor's private key: open the escrow of every deck",
        )
        parser.add_argument("--origin", help="name of the log: host of PUBLIC_URL and /fair")
        parser.add_argument(
            "--one-engine", action="store_true", help="do not play the hands again in pokerkit"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print counts and findings; exit with 1 when there is a finding."""
        call_keys = options["call_key"] or [bytes(key.public) for key in CallKey.objects.all()]
        told = options["log_key"] or [keys.log for keys in reversed(log_keys.told_keys())]
        auditor = options["auditor_key"] or b""
        names = RoomNames(options["origin"] or settings.FAIR_ORIGIN, call_keys, auditor)
        play_again = None if options["one_engine"] else _second_engine()
        with whole_hands(options["record_key"]):
            found = running.run(names, told, day=options["day"], play_again=play_again)
        if options["report"] is not None:
            options["report"].write_text(json.dumps(found.as_json(), indent=1) + "\n")
        for name, count in sorted(found.counts.items()):
            self.stdout.write(f"{name.replace('_', ' ')}: {count}")
        for reason, count in found.named.most_common():
            self.stdout.write(f"second engine, {reason}: {count}")
        for finding in found.findings:
            self.stderr.write(finding.text())
        if not found.counts["hands"]:
            raise CommandError("no finished hand is there to audit", returncode=UNUSABLE)
        if found.findings:
            raise CommandError(f"{len(found.findings)} differences")
        self.stdout.write("no differences")


def _key(text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError as error:
        raise ArgumentTypeError("a key has 64 hexadecimal digits") from error
    if len(key) != HASH_SIZE:
        raise ArgumentTypeError("a key has 64 hexadecimal digits")
    return key


def _private_key(path: str) -> bytes:
    try:
        return _key(Path(path).read_text().strip())
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentTypeError(f"{path} cannot be read") from error


def _second_engine() -> running.PlayAgain:
    try:
        from tables.second_opinion.comparing import compare_recorded
    except ImportError as error:
        raise CommandError(
            "the second engine is not installed: pip install pokerkit, or use --one-engine",
            returncode=UNUSABLE,
        ) from error

    def play_again(kept: HandRecord) -> str | None:
        return compare_recorded(kept.setup, [played.action for played in kept.actions]).parted

    return play_again
