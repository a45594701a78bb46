"""Runs a whole room on this machine: servers, web, workers and bots, from one command."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.cluster import layout as layouts
from config.cluster.__main__ import go_on, go_on_in
from config.cluster.killing import KINDS, Every, every
from config.cluster.layout import PortTaken
from config.cluster.lock import InUse
from config.cluster.room import Interrupted, Options, Room
from config.cluster.terminal import Terminal
from config.embedded.binaries import ServerMissing
from config.embedded.program import NotReady


class Command(BaseCommand):
    """`manage.py cluster`: see docs/operations.md."""

    help = "Run a whole room on this machine: servers, web, workers, bots."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Everything has a default that a stranger wants."""
        parser.add_argument("--data", type=Path, help="where the room keeps its files")
        parser.add_argument("--port", type=int, help="port of the web pages")
        parser.add_argument("--players", type=int, default=24, help="how many bots")
        parser.add_argument("--seats", type=int, default=6, help="seats per table, headless")
        parser.add_argument("--think", choices=["human", "fast"], default="human")
        parser.add_argument("--no-bots", action="store_true")
        parser.add_argument("--headless", action="store_true", help="one tournament of bots")
        parser.add_argument("--until-finished", action="store_true", help="end with it (default)")
        parser.add_argument("--report", type=Path, help="where to write the report, headless")
        parser.add_argument(
            "--offer",
            type=_offer,
            metavar="JSON",
            default={},
            help="what is played headless: fields of a tournament, or @FILE with them",
        )
        parser.add_argument("--kill-worker-every", type=float, metavar="SECONDS")
        parser.add_argument(
            "--kill",
            action="append",
            default=[],
            metavar="KIND:SECONDS",
            help=f"kill -9 one of {', '.join(KINDS)} this often; may be given several times",
        )
        parser.add_argument("--history", type=Path, help="folder for what each bot sent and got")
        parser.add_argument("--within", type=float, default=3600.0, metavar="SECONDS")

    def handle(self, *args: Any, **options: Any) -> None:
        """Choose ports, go on with the addresses in the environment, then run the room."""
        wanted = _options(options)
        if layouts.PORTS not in os.environ:
            go_on(sys.argv[2:])
        room = Room(layouts.given(os.environ), wanted, Terminal(sys.stdout))
        try:
            with room.opened():
                code = _play(room)
        except PortTaken as problem:
            room.terminal.say(f"{problem}; choosing another")
            go_on_in(layouts.moved(room.layout, problem.name), sys.argv[2:])
        except Interrupted:
            code = 130 if options["headless"] else 0
        except (InUse, NotReady, ServerMissing) as problem:
            raise CommandError(str(problem)) from problem
        sys.exit(code)


def _offer(text: str) -> dict[str, Any]:
    """The JSON object of `--offer`, written there or in a file; what it says is checked later."""
    try:
        offer = json.loads(Path(text[1:]).read_text() if text.startswith("@") else text)
    except (OSError, ValueError) as wrong:
        raise ArgumentTypeError(f"this is no JSON object: {wrong}") from wrong
    if not isinstance(offer, dict):
        raise ArgumentTypeError("this is no JSON object of fields and values")
    return offer


def _options(options: dict[str, Any]) -> Options:
    return Options(
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
    )


def _kills(asked: list[str], worker_every_s: float | None) -> tuple[Every, ...]:
    if worker_every_s is not None:
        asked = [*asked, f"worker:{worker_every_s}"]
    try:
        return tuple(every(text) for text in asked)
    except ValueError as problem:
        raise CommandError(str(problem)) from None


def _play(room: Room) -> int:
    # Imported once the servers run: these modules ask the database.
    if room.options.headless:
        from config.cluster import headless
        from tournaments.refusals import REFUSALS

        try:
            return headless.play(room)
        except REFUSALS as refusal:
            raise CommandError(f"--offer: {refusal.message}") from refusal
    from config.cluster import interactive

    return interactive.play(room)
