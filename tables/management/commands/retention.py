"""Tell and prune everything that ages in the room, and archive old hands: `manage.py retention`."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

import structlog
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.retention import kinds
from accounts.retention.kinds import AgingKind, KindSurvey
from tables.models import HandArchive
from tables.records.archiving import fault_of
from tables.records.old_hands import MONTHS_MAX, MONTHS_MIN, OldHands

AT_ONCE = 1_000
"""Items taken away between two words of progress."""

COLUMNS = ("kind", "kept", "setting", "now", "oldest", "past", "MB")

log = structlog.get_logger(__name__)


class Command(BaseCommand):
    """`manage.py retention [--dry-run] [--older MONTHS] [--only KIND ...]`, also during play."""

    help = "Tell what ages in this room and how much is past its time; prune that in batches."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option that only tells, and the choice of kinds."""
        parser.add_argument("--dry-run", action="store_true", help="tell, change nothing")
        parser.add_argument(
            "--check-files",
            action="store_true",
            help="compare each file of archived hands with its digest; change nothing",
        )
        parser.add_argument(
            "--older",
            type=int,
            metavar="MONTHS",
            help="put the records of hands older than so many whole months into stored files",
        )
        parser.add_argument(
            "--only", action="append", default=[], metavar="KIND", help="this kind; may be repeated"
        )

    def handle(
        self, *args: Any, dry_run: bool, older: int | None, only: list[str], **options: Any
    ) -> None:
        """Tell each kind; without --dry-run prune it by the rule of the room.

        A kind that cannot be asked, such as one in a Redis that is away, holds up no other one.
        """
        if older is not None and not MONTHS_MIN <= older <= MONTHS_MAX:
            raise CommandError(
                f"--older is {MONTHS_MIN} to {MONTHS_MAX} months: younger hands are in use."
            )
        if options["check_files"]:
            if dry_run or only or older is not None:
                raise CommandError("--check-files goes alone: it compares, and prunes nothing.")
            self._check_files()
            return
        chosen, now = _chosen(only, OldHands(older)), timezone.now()
        self._tell(COLUMNS)
        surveys = {kind.name: self._survey(kind, now) for kind in chosen}
        failed = [name for name, found in surveys.items() if found is None]
        if dry_run:
            self.stdout.write("Nothing was changed.")
        else:
            for kind in chosen:
                found = surveys[kind.name]
                if found is not None and found.going and not self._prune(kind, found.going, now):
                    failed.append(kind.name)
        if failed:
            raise CommandError(f"Not done: {', '.join(failed)}.")

    def _check_files(self) -> None:
        faults = files = hands = 0
        for made in HandArchive.objects.order_by("pk").iterator(AT_ONCE):
            files, hands = files + 1, hands + made.hands
            if fault := fault_of(made):
                faults += 1
                self.stderr.write(fault)
        if faults:
            raise CommandError(f"{faults} of {files} files of archived hands are not as stored.")
        self.stdout.write(f"{files} files with {hands} hands are as they were stored.")

    def _survey(self, kind: AgingKind, now: datetime) -> KindSurvey | None:
        try:
            found = kind.survey(now)
        except Exception as error:  # servers and storages fail with errors of their own
            log.exception("retention not surveyed", kind=kind.name)
            self.stderr.write(f"{kind.name} cannot be looked at: {error}")
            return None
        size = "" if found.size is None else f"{found.size / 1e6:.1f}"
        told = (found.items, found.oldest, found.going, size)
        self._tell((kind.name, kind.kept, kind.setting, *map(str, told)))
        return found

    def _prune(self, kind: AgingKind, going: int, now: datetime) -> bool:
        gone = 0
        try:
            while some := kind.prune(now, AT_ONCE):
                gone += some
                self.stdout.write(f"{kind.name}: {gone} of {max(going, gone)} {kind.unit}")
        except Exception as error:  # servers and storages fail with errors of their own
            log.exception("retention not finished", kind=kind.name, gone=gone)
            self.stderr.write(f"{kind.name} stopped after {gone}: {error}")
            return False
        return True

    def _tell(self, row: tuple[str, ...]) -> None:
        widths = (20, 29, 22, 10, 11, 9, 9)
        aligned = [
            cell.rjust(width) if at in (3, 5, 6) else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        self.stdout.write(" ".join(aligned).rstrip())


def _chosen(only: list[str], hands: OldHands) -> list[AgingKind]:
    every = {kind.name: kind for kind in (*kinds.registered(), hands)}
    if unknown := sorted(set(only) - set(every)):
        raise CommandError(f"No such kind: {', '.join(unknown)}. Kinds: {', '.join(every)}.")
    return [kind for name, kind in every.items() if not only or name in only]
