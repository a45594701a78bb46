"""Play tournaments and ring games in a whole room under constant faults: `manage.py chaos`."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.inputs.paths import file_to_write
from deploy.cluster.opening import play_in_room
from deploy.cluster.room import ClusterOptions, Room
from deploy.management.commands.cluster import offer_of
from tables.bots.ways import add_way


class Command(BaseCommand):
    """`manage.py chaos --minutes 5 --report out.json`: see docs/drills.md."""

    help = "Play tournaments while processes are killed, frozen and cut off; report what it did."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for duration, intensity and field."""
        parser.add_argument("--minutes", type=float, default=5.0, help="duration of the faults")
        parser.add_argument("--report", type=file_to_write, help="file of the report (JSON)")
        parser.add_argument("--seed", type=int, default=1, help="seed of the schedule of faults")
        parser.add_argument(
            "--faults-per-minute", type=float, default=20.0, help="faults of all kinds"
        )
        parser.add_argument(
            "--worker-kills-per-s", type=float, default=0.0, help="kills of workers beside them"
        )
        parser.add_argument("--tournaments", type=int, default=3, help="tournaments in parallel")
        parser.add_argument("--players", type=int, default=12, help="players of each tournament")
        parser.add_argument(
            "--ring", type=int, default=12, metavar="BOTS", help="bots in ring games beside them"
        )
        parser.add_argument("--seats", type=int, default=6, help="seats at a table")
        parser.add_argument(
            "--offer",
            type=offer_of,
            metavar="JSON",
            default={},
            help="tournaments to play: their fields as JSON, or @FILE",
        )
        add_way(parser, "browsers")
        parser.add_argument("--history", type=Path, help="folder of the bots' histories")
        parser.add_argument(
            "--cut-servers",
            action="store_true",
            help="also cut connections of web and workers to the servers",
        )
        parser.add_argument(
            "--redis-cluster",
            type=int,
            default=0,
            metavar="MASTERS",
            help="a Redis Cluster for the room; then nodes are also lost for a while",
        )
        parser.add_argument(
            "--within",
            type=float,
            default=300.0,
            help="s to wait for the end of the last tournaments",
        )
        parser.add_argument(
            "--recovers", type=float, default=60.0, help="s a table may be silent after a fault"
        )
        parser.add_argument("--data", type=Path, help="folder of the room's files")
        parser.add_argument("--port", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        """Choose ports, continue with the addresses in the environment, then harm the room."""
        if options["minutes"] <= 0 or options["tournaments"] < 1 or options["players"] < 2:
            raise CommandError("--minutes must be above 0, --tournaments 1 and --players 2 or more")
        if options["recovers"] <= 0 or options["ring"] < 0:
            raise CommandError("--recovers must be above 0, --ring must be 0 or more")
        if options["redis_cluster"] and options["cut_servers"]:
            raise CommandError(
                "--cut-servers cuts no connections to a cluster, whose nodes name their addresses:"
                " give one of it and --redis-cluster"
            )
        play_in_room("chaos", _room(options), partial(_play, options=options))


def _room(options: dict[str, Any]) -> ClusterOptions:
    said = {name: options[name] for name in ("players", "seats", "report", "history", "offer")}
    return ClusterOptions(**said, fresh=options["data"] is None, within_s=options["within"])


def _play(room: Room, options: dict[str, Any]) -> int:
    # Imported once the servers run: these modules query the database.
    from accounts.refusals import line_of
    from config.refusals import Refusal
    from deploy.drills.chaos import Chaos
    from deploy.drills.chaos_plan import ChaosPlan

    room.start_second_workers()
    wanted = ChaosPlan(
        minutes=options["minutes"],
        seed=options["seed"],
        per_minute=options["faults_per_minute"],
        worker_kills_per_s=options["worker_kills_per_s"],
        tournaments=options["tournaments"],
        players=options["players"],
        report=options["report"],
        history=options["history"] or room.layout.home / "history",
        within_s=options["within"],
        recovers_s=options["recovers"],
        ring=options["ring"],
        way=options["way"],
    )
    try:
        return Chaos(room, wanted).run()
    except Refusal as refusal:
        raise CommandError(f"--offer: {line_of(refusal)}") from refusal
