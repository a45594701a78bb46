"""Let thousands of players join at once and measure the room: `manage.py load`."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.inputs.paths import file_to_write
from deploy.cluster.opening import play_in_room
from deploy.cluster.room import ClusterOptions, Room
from tables.bots.ways import add_way

RING_SHARE_MOST = 0.9
"""Largest share of the players at ring tables: the others fill the tournament."""
API_RATE_MOST = 1_000
"""Most requests in a second that one process of clients sends in time."""


class Command(BaseCommand):
    """`manage.py load --players 3000 --report out.json`: see docs/capacity.md."""

    help = "Play with thousands of bots over sockets and report what it cost."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for number, pace and duration."""
        parser.add_argument("--players", type=int, default=3_000)
        parser.add_argument("--seats", type=int, default=9)
        parser.add_argument(
            "--ring", type=float, default=0.0, help="share of the players at ring tables, to 0.9"
        )
        parser.add_argument(
            "--pool", type=int, default=0, help="players of ring games in one rapid pool, at least"
        )
        add_way(parser, "browsers")
        parser.add_argument("--think", choices=["human", "fast"], default="human")
        parser.add_argument("--faster", type=float, default=1.0, help="pace compared with people")
        parser.add_argument("--join", type=float, default=240.0, help="s in which all players join")
        parser.add_argument(
            "--steady", type=float, default=100.0, help="s of play before measuring"
        )
        parser.add_argument("--seconds", type=float, default=60.0, help="s of each measurement")
        parser.add_argument("--swarms", type=int, default=2, help="processes of bots")
        parser.add_argument("--webs", type=int, default=1, help="web processes on one address")
        parser.add_argument(
            "--spectators", type=int, default=0, help="sockets at one table, afterwards"
        )
        parser.add_argument(
            "--chats", type=int, default=0, help="players write after so many of 100 hands"
        )
        parser.add_argument(
            "--api", type=float, default=0.0, help="requests to the API in a second, with tokens"
        )
        parser.add_argument(
            "--research", action="store_true", help="deal from a seed, without fair dealing"
        )
        parser.add_argument(
            "--cancel", action="store_true", help="cancel in the end, measured to the last refund"
        )
        parser.add_argument("--knee", action="store_true", help="raise the pace to the limit")
        parser.add_argument("--report", type=file_to_write, help="file of the report (JSON)")
        parser.add_argument("--data", type=Path, help="folder of the room's files")
        parser.add_argument("--port", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        """Choose ports, continue with the addresses in the environment, then let players join."""
        for name in ("players", "swarms", "webs", "join", "seconds", "faster"):
            if options[name] <= 0:
                raise CommandError(f"--{name} must be above 0, not {options[name]}")
        if not 0 <= options["chats"] <= 100:
            raise CommandError(f"--chats must be from 0 to 100, not {options['chats']}")
        if not 0 <= options["api"] <= API_RATE_MOST:
            raise CommandError(f"--api must be from 0 to {API_RATE_MOST}, not {options['api']}")
        if not 0 <= options["ring"] <= RING_SHARE_MOST:
            raise CommandError(f"--ring must be from 0 to {RING_SHARE_MOST}, not {options['ring']}")
        if options["research"] and options["ring"]:
            raise CommandError("--research has no ring games: only tournaments are given a seed")
        in_ring = int(options["players"] * options["ring"])
        if not 0 <= options["pool"] <= in_ring:
            raise CommandError(
                f"--pool must be from 0 to the {in_ring} players of ring games,"
                f" not {options['pool']}"
            )
        play_in_room("load", _room(options), partial(_run, options=options))


def _room(options: dict[str, Any]) -> ClusterOptions:
    said = {name: options[name] for name in ("players", "seats", "think", "report", "webs")}
    return ClusterOptions(**said, fresh=options["data"] is None)


def _run(room: Room, options: dict[str, Any]) -> int:
    # Imported once the servers run: these modules query the database.
    from deploy.drills.load import Load, LoadPlan

    room.start_second_workers()
    wanted = LoadPlan(
        swarms=options["swarms"],
        join_s=options["join"],
        steady_s=options["steady"],
        seconds=options["seconds"],
        faster=options["faster"],
        knee=options["knee"],
        spectators=options["spectators"],
        report=options["report"],
        way=options["way"],
        ring=int(options["players"] * options["ring"]),
        pool=options["pool"],
        chats=options["chats"],
        api=options["api"],
        research=options["research"],
        cancel=options["cancel"],
    )
    return Load(room, wanted).run()
