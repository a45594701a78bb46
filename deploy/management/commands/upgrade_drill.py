"""Replace every process of a playing room by the next release, and back again."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.inputs.paths import file_to_write
from deploy.cluster.opening import play_in_room
from deploy.cluster.room import ClusterOptions, Room
from deploy.drills.upgrade import releases, verdict
from deploy.drills.upgrade.mixed_room import MixedRoom
from deploy.drills.upgrade.releases import UnfitReleases


class Command(BaseCommand):
    """`manage.py upgrade_drill --from v0.1 --report out.json`: see docs/servers.md."""

    help = "Replace all processes of a playing room one by one; code 1 when that lost something."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for the releases, the field and the report."""
        parser.add_argument(
            "--from",
            metavar="REVISION",
            help="release that plays first; default: the newest tag, else the oldest of the last"
            " commits from which this is possible",
        )
        parser.add_argument(
            "--to", metavar="REVISION", help="release that replaces it; default: the working tree"
        )
        parser.add_argument(
            "--with-venv",
            action="store_true",
            help="install the libraries of each revision (needs the network)",
        )
        parser.add_argument("--players", type=int, default=12, help="players of each tournament")
        parser.add_argument("--seats", type=int, default=3, help="seats at a table")
        parser.add_argument("--at-once", type=int, default=2, help="tournaments in play at once")
        parser.add_argument("--webs", type=int, default=2, help="web processes")
        parser.add_argument("--report", type=file_to_write, help="file of the report (JSON)")
        parser.add_argument("--history", type=Path, help="folder of the bots' histories")
        parser.add_argument("--within", type=float, default=900.0, metavar="SECONDS")
        parser.add_argument("--data", type=Path, help="folder of the room's files")
        parser.add_argument("--port", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        """Choose releases and ports, go on with the addresses in the environment, then upgrade."""
        if options["players"] < 4 or options["at_once"] < 1 or options["webs"] < 1:
            raise CommandError("--players must be 4 or more, --at-once and --webs 1 or more")
        try:
            pair = releases.choose(options["from"], options["to"], options["with_venv"])
            play_in_room(
                "upgrade_drill",
                _room(options),
                partial(_play, options=options),
                make=partial(MixedRoom, pair),
            )
        except UnfitReleases as problem:
            raise CommandError(str(problem)) from problem


def _room(options: dict[str, Any]) -> ClusterOptions:
    said = {name: options[name] for name in ("players", "seats", "webs", "report", "history")}
    return ClusterOptions(**said, fresh=options["data"] is None, within_s=options["within"])


def _play(room: Room, options: dict[str, Any]) -> int:
    # Imported once the servers run: these modules query the database.
    from deploy.drills.upgrade.drill import UpgradePlan, run_upgrade

    assert isinstance(room, MixedRoom)
    history = options["history"] or room.layout.home / "history"
    report = run_upgrade(room, UpgradePlan(options["within"], history, options["at_once"]))
    if options["report"]:
        options["report"].write_text(json.dumps(report, indent=2) + "\n")
    room.terminal.say(verdict.table(report))
    return 1 if report["violations"] else 0
