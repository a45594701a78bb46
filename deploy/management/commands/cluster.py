"""Run a whole room on this machine: servers, web, workers and bots, from one command."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.inputs.paths import file_to_write
from deploy.cluster.opening import INTERRUPTED, play_in_room
from deploy.cluster.room import ClusterOptions, Room
from deploy.faults.killing import KINDS, Every, every
from deploy.faults.partitions import Cut, cut, in_order
from deploy.processes import machines
from deploy.processes.machines import PLAN
from tables.history.exports.files import FORMATS


class Command(BaseCommand):
    """`manage.py cluster`: see docs/operations.md."""

    help = "Run a whole room on this machine: servers, web, workers, bots."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options, all with defaults for a first start."""
        parser.add_argument("--data", type=Path, help="folder of the room's files")
        parser.add_argument("--port", type=int, help="port of the web pages")
        parser.add_argument(
            "--lan",
            action="store_true",
            help="also serve phones and computers of this network, without encryption",
        )
        parser.add_argument("--players", type=int, default=24, help="number of bots")
        parser.add_argument("--seats", type=int, default=6, help="seats per table, headless")
        parser.add_argument(
            "--think", choices=["human", "fast"], default="human", help="pace of the bots"
        )
        parser.add_argument("--no-bots", action="store_true", help="a room without bots")
        parser.add_argument(
            "--headless", action="store_true", help="play one tournament of bots and end"
        )
        parser.add_argument(
            "--until-finished", action="store_true", help="end with the tournament (default)"
        )
        parser.add_argument("--report", type=file_to_write, help="file of the report, headless")
        parser.add_argument(
            "--offer",
            type=offer_of,
            metavar="JSON",
            default={},
            help="tournament to play headless: its fields as JSON, or @FILE",
        )
        parser.add_argument("--kill-worker-every", type=float, metavar="SECONDS")
        parser.add_argument(
            "--kill",
            action="append",
            default=[],
            metavar="KIND:SECONDS",
            help=f"kill -9 one of {', '.join(KINDS)} this often; may be given several times",
        )
        parser.add_argument(
            "--export", type=Path, metavar="DIR", help="new folder for all hands, headless"
        )
        parser.add_argument("--export-format", choices=sorted(FORMATS), default="phh")
        parser.add_argument("--history", type=Path, help="folder of the bots' histories")
        parser.add_argument("--webs", type=int, default=1, help="web processes on one address")
        parser.add_argument(
            "--cut",
            action="append",
            default=[],
            metavar="MACHINE-MACHINE:AFTER:SECONDS",
            help="cut two machines off from each other, headless (make hosts); > for one way, one"
            " machine alone for all others, + between machines of one side",
        )
        parser.add_argument(
            "--redis-cluster",
            type=int,
            default=0,
            metavar="MASTERS",
            help="a Redis Cluster of so many masters, each with a replica, in place of one server",
        )
        parser.add_argument("--within", type=float, default=3600.0, metavar="SECONDS")

    def handle(self, *args: Any, **options: Any) -> None:
        """Choose ports, continue with the addresses in the environment, then run the room."""
        if options["lan"] and machines.read(os.environ.get(PLAN, "")).named:
            raise CommandError("--lan is for a room on one machine, this one has several")
        _check_export(options)
        interrupted = INTERRUPTED if options["headless"] else 0
        play_in_room("cluster", _options(options), _play, interrupted=interrupted)


def _check_export(options: dict[str, Any]) -> None:
    """Refuse an export that could not be written after hours of play."""
    directory = options["export"]
    if directory is None:
        return
    if not options["headless"]:
        raise CommandError("--export is for a headless run")
    try:
        if directory.exists() and any(directory.iterdir()):
            raise CommandError(f"--export: {directory} is not empty")
    except OSError as failed:
        raise CommandError(f"--export: {directory}: {failed.strerror}") from failed


def offer_of(text: str) -> dict[str, Any]:
    """Return the JSON object of `--offer`, inline or from a file; its fields are checked later."""
    try:
        offer = json.loads(Path(text[1:]).read_text() if text.startswith("@") else text)
    except (OSError, ValueError) as wrong:
        raise ArgumentTypeError(f"this is no JSON object: {wrong}") from wrong
    if not isinstance(offer, dict):
        raise ArgumentTypeError("this is no JSON object of fields and values")
    return offer


def _options(options: dict[str, Any]) -> ClusterOptions:
    return ClusterOptions(
        headless=options["headless"],
        players=options["players"],
        seats=options["seats"],
        think=options["think"],
        until_finished=options["until_finished"],
        report=options["report"],
        kills=_kills(options["kill"], options["kill_worker_every"]),
        history=options["history"],
        bots=not options["no_bots"],
        fresh=options["headless"] and options["data"] is None,
        within_s=options["within"],
        offer=options["offer"],
        webs=_webs(options["webs"]),
        cuts=_cuts(options["cut"]),
        export=options["export"],
        export_format=options["export_format"],
    )


def _webs(asked: int) -> int:
    if asked < 1:
        raise CommandError(f"--webs must be 1 or more, not {asked}")
    return asked


def _cuts(asked: list[str]) -> tuple[Cut, ...]:
    named = machines.read(os.environ.get(PLAN, "")).named
    if asked and not named:
        raise CommandError(
            "--cut needs a room over several machines: deploy/drills/hosts.py makes one"
        )
    try:
        return in_order([cut(text, named) for text in asked])
    except ValueError as problem:
        raise CommandError(f"--cut: {problem}") from None


def _kills(asked: list[str], worker_every_s: float | None) -> tuple[Every, ...]:
    if worker_every_s is not None:
        asked = [*asked, f"worker:{worker_every_s}"]
    try:
        return tuple(every(text) for text in asked)
    except ValueError as problem:
        raise CommandError(str(problem)) from None


def _play(room: Room) -> int:
    # Imported once the servers run: these modules query the database.
    if room.options.headless:
        from accounts.refusals import line_of
        from config.refusals import Refusal
        from deploy.cluster import headless

        try:
            return headless.play(room)
        except Refusal as refusal:
            raise CommandError(f"--offer: {line_of(refusal)}") from refusal
    from deploy.cluster import interactive

    return interactive.play(room)
