"""Play every format and ring game once in a whole room and judge it: `manage.py formats`."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.cluster.opening import play_in_room
from deploy.cluster.room import ClusterOptions, Room


class Command(BaseCommand):
    """`manage.py formats --reports DIR`: see docs/tournaments.md."""

    help = "Play every format and ring game once with bots; code 1 when one is not right."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for the runs, their concurrency and their reports."""
        parser.add_argument("--only", help="runs to play, by name, separated by commas")
        parser.add_argument("--side-by-side", type=int, default=4)
        parser.add_argument("--seed", type=int, default=1, help="seed of the bots' decisions")
        parser.add_argument("--reports", type=Path, help="folder of the reports")
        parser.add_argument(
            "--export", type=Path, metavar="DIR", help="write every hand as PHH, a folder a run"
        )
        parser.add_argument(
            "--within", type=float, default=240.0, metavar="SECONDS", help="limit of a run"
        )
        parser.add_argument(
            "--starts-after",
            type=float,
            default=30.0,
            metavar="SECONDS",
            help="time for bots to register for a scheduled run; more on a busy machine",
        )
        parser.add_argument("--data", type=Path, help="folder of the room's files")
        parser.add_argument("--port", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        """Choose ports, continue with the addresses in the environment, then play."""
        if options["side_by_side"] < 1 or min(options["within"], options["starts_after"]) <= 0:
            raise CommandError(
                "--side-by-side must be 1 or more, --within and --starts-after above 0"
            )
        if options["export"] is not None:
            _prepare(options["export"])
        names = [name.strip() for name in (options["only"] or "").split(",") if name.strip()]
        tournaments, rings = _runs(names)
        asked = ClusterOptions(fresh=options["data"] is None, within_s=options["within"])
        play_in_room(
            "formats", asked, partial(_play, tournaments=tournaments, rings=rings, options=options)
        )


def _prepare(directory: Path) -> None:
    """Make the directory of the export, before a long run is played for it."""
    from tournaments.monitor import hand_files

    try:
        hand_files.prepare(directory)
    except hand_files.DirectoryInUse as used:
        raise CommandError(str(used)) from used
    except OSError as failed:
        raise CommandError(f"Cannot write to {directory}: {failed.strerror}") from failed


def _runs(names: list[str]) -> tuple[list[Any], list[Any]]:
    """Return the runs of these names, tournaments and ring games; all for no names."""
    from deploy.drills.formats import ring_runs, runs

    rings = ring_runs.by_name(names)
    others = set(names) - {ring.name for ring in rings}
    try:
        return runs.by_name(sorted(others)) if others or not names else [], rings
    except ValueError as unknown:
        raise CommandError(f"--only: {unknown}") from unknown


def _play(room: Room, tournaments: list[Any], rings: list[Any], options: dict[str, Any]) -> int:
    # Imported once the servers run: these modules query the database.
    from deploy.drills.formats.drill import Formats

    folder = options["reports"] or room.layout.home / "reports"
    drill = Formats(
        room,
        tournaments,
        rings,
        options["side_by_side"],
        folder,
        options["seed"],
        export=options["export"],
        starts_after_s=options["starts_after"],
    )
    return drill.run()
