"""Lose servers for good while bots play, and judge what it cost: `manage.py failover`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.inputs.paths import file_to_write
from deploy.cluster.__main__ import MASTERS_MIN
from deploy.cluster.opening import play_in_room
from deploy.cluster.room import ClusterOptions, Room

WENT_ON_WITHIN_S = 15.0
"""Time within which the slowest table of a drill should go on."""


class Command(BaseCommand):
    """`manage.py failover --redis-cluster 3 --report out.json`: see docs/standbys.md."""

    help = "Lose servers for good while bots play; code 1 when that broke a rule or took too long."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for the losses, the field and the report."""
        parser.add_argument("--only", help="losses, by name, separated by commas")
        parser.add_argument(
            "--times", type=int, default=1, help="drills of each loss that a room can have twice"
        )
        parser.add_argument("--seed", type=int, default=1, help="seed of what is lost")
        parser.add_argument("--players", type=int, default=18, help="players of each tournament")
        parser.add_argument("--seats", type=int, default=3, help="seats at a table")
        parser.add_argument("--redis-cluster", type=int, default=3, metavar="MASTERS")
        parser.add_argument("--report", type=file_to_write, help="file of the report (JSON)")
        parser.add_argument("--history", type=Path, help="folder of the bots' histories")
        parser.add_argument("--within", type=float, default=300.0, metavar="SECONDS")
        parser.add_argument("--data", type=Path, help="folder of the room's files")
        parser.add_argument("--port", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        """Choose ports, continue with the addresses in the environment, then lose servers."""
        if options["times"] < 1 or options["players"] < 4:
            raise CommandError("--times must be 1 or more, --players 4 or more")
        if options["redis_cluster"] < MASTERS_MIN:
            raise CommandError(f"--redis-cluster must be {MASTERS_MIN} or more")
        play_in_room("failover", _room(options), partial(_play, options=options))


def _room(options: dict[str, Any]) -> ClusterOptions:
    said = {name: options[name] for name in ("players", "seats", "report", "history")}
    return ClusterOptions(**said, fresh=options["data"] is None, within_s=options["within"])


def _play(room: Room, options: dict[str, Any]) -> int:
    # Imported once the servers run: these modules query the database.
    from deploy.drills.failover.drill import DrillPlan, run_drill
    from deploy.drills.failover.losses import INSTEAD, LOSSES, ONCE

    names = options["only"].split(",") if options["only"] else [*{*LOSSES} - INSTEAD]
    if unknown := {*names} - {*LOSSES}:
        raise CommandError(f"--only: {', '.join(sorted(unknown))}; there are {', '.join(LOSSES)}")
    room.start_second_workers()
    plan = DrillPlan(options["within"], options["history"] or room.layout.home / "history")
    drills = []
    for name in [name for name in LOSSES if name in names]:
        for number in range(1 if name in ONCE else options["times"]):
            found = run_drill(room, name, LOSSES[name], plan, options["seed"] + number)
            drills.append({"name": name, **found})
            room.terminal.say(_line(drills[-1]))
    if options["report"]:
        options["report"].write_text(json.dumps(drills, indent=2) + "\n")
    return 1 if any(_is_wrong(found) for found in drills) else 0


def _is_wrong(found: dict[str, Any]) -> bool:
    return bool(found["violations"]) or (found["went_on_s"] or 0.0) > WENT_ON_WITHIN_S


def _line(found: dict[str, Any]) -> str:
    wrong = "".join(f"\n  {line}" for line in found["violations"][:10])
    return (
        f"{found['name']}: {found['loss']}; {found['tables']} tables, the last went on after"
        f" {found['went_on_s']} s, void {found['void']}, hands {found['hands']}{wrong}"
    )
