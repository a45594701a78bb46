"""Recover a PostgreSQL to a second from base backup and WAL: `manage.py restore_drill`."""

from __future__ import annotations

import json
import shutil
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config import environment
from config.inputs.paths import file_to_write
from deploy.cluster.opening import play_in_room
from deploy.cluster.room import ClusterOptions, Room
from deploy.drills.point_in_time.drill import RestorePlan, run_restore_drill
from deploy.drills.point_in_time.server import RecoveryFailed
from deploy.embedded.binaries import ServerMissing
from deploy.embedded.program import NotReady

PLAYERS_MIN = 4


class Command(BaseCommand):
    """`manage.py restore_drill [--room]`: on servers of its own; see docs/backup.md."""

    help = "Drop a database, recover it to a second; code 1 when a commit lacks or is too much."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the length of the drill on rows, the field of the one in a room, and the report."""
        parser.add_argument("--seconds", type=float, default=20.0, help="commits before the second")
        parser.add_argument("--writers", type=int, default=2, help="connections that commit")
        parser.add_argument(
            "--room", action="store_true", help="in a room that plays, and plays on"
        )
        parser.add_argument("--players", type=int, default=12, help="bots of that room")
        parser.add_argument("--hands", type=int, default=30, help="hands between its steps")
        parser.add_argument("--within", type=float, default=600.0, metavar="SECONDS")
        parser.add_argument("--report", type=file_to_write, help="file of the report (JSON)")
        parser.add_argument("--data", type=Path, help="folder of the room's files")
        parser.add_argument("--port", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the drill in fresh files and print its findings."""
        if options["seconds"] <= 0 or options["writers"] < 1:
            raise CommandError("--seconds must be more than 0, --writers 1 or more")
        if options["players"] < PLAYERS_MIN or options["hands"] < 1:
            raise CommandError(f"--players must be {PLAYERS_MIN} or more, --hands 1 or more")
        if options["room"]:
            room = ClusterOptions(players=options["players"], seats=3)
            play_in_room("restore_drill", room, partial(_play, options=options))
        home = environment.local() / "restore_drill" / "rows"
        shutil.rmtree(home, ignore_errors=True)
        plan = RestorePlan(home, before_s=options["seconds"], writers=options["writers"])
        try:
            findings = run_restore_drill(plan)
        except (RecoveryFailed, NotReady, ServerMissing, RuntimeError) as problem:
            raise CommandError(str(problem)) from problem
        if _tell(findings, options["report"], self.stdout.write):
            raise SystemExit(1)


def _play(room: Room, options: dict[str, Any]) -> int:
    # Imported once the servers run: this module queries the database.
    from deploy.drills.point_in_time.room_drill import RoomDrill

    room.start_second_workers()
    try:
        findings = RoomDrill(room, options["hands"], options["within"]).run()
    except RecoveryFailed as problem:
        raise CommandError(str(problem)) from problem
    return _tell(findings, options["report"], room.terminal.say)


def _tell(findings: dict[str, Any], report: Path | None, say: Any) -> int:
    text = json.dumps(findings, indent=2)
    if report:
        report.write_text(text + "\n")
    say(text)
    return 1 if findings["violations"] else 0
