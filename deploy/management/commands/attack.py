"""Attack a room's front door beside its players and judge both: `manage.py attack`."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.inputs.paths import file_to_write
from deploy.cluster.opening import play_in_room
from deploy.cluster.room import ClusterOptions, Room


class Command(BaseCommand):
    """`manage.py attack --players 200 --report out.json`: see docs/drills.md."""

    help = "Run every attack beside players and print p99, memory, connections and refusals."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for players, attacks, duration and size."""
        parser.add_argument("--players", type=int, default=200)
        parser.add_argument("--seats", type=int, default=9)
        parser.add_argument("--faster", type=float, default=2.0, help="pace compared with people")
        parser.add_argument("--only", default="", help="attacks to run, separated by commas")
        parser.add_argument("--seconds", type=float, default=20.0, help="duration of each attack")
        parser.add_argument(
            "--size", type=float, default=1.0, help="size of each attack; 0.1 is a tenth"
        )
        parser.add_argument("--untimed", action="store_true", help="do not judge the p99")
        parser.add_argument("--report", type=file_to_write, help="file of the report (JSON)")
        parser.add_argument("--data", type=Path, help="folder of the room's files")
        parser.add_argument("--port", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        """Choose ports, continue with the addresses in the environment, then attack."""
        for name in ("players", "seconds", "faster", "size"):
            if options[name] <= 0:
                raise CommandError(f"--{name} must be above 0, not {options[name]}")
        if options["size"] > 1:
            raise CommandError("--size is at most 1: the whole of each attack")
        room = ClusterOptions(
            players=options["players"],
            seats=options["seats"],
            think="human",
            report=options["report"],
            fresh=options["data"] is None,
        )
        play_in_room("attack", room, partial(_run, options=options))


def _run(room: Room, options: dict[str, Any]) -> int:
    # Imported once the servers run: these modules query the database.
    from deploy.drills.attack import Attack, AttackPlan, named

    try:
        attacks = named(options["only"])
    except ValueError as wrong:
        raise CommandError(str(wrong)) from wrong
    room.start_second_workers()
    plan = AttackPlan(
        attacks=attacks,
        seconds=options["seconds"],
        size=options["size"],
        faster=options["faster"],
        timed=not options["untimed"],
        report=options["report"],
    )
    return Attack(room, plan).run()
