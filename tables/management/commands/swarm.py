"""Play with many bots on any server, over HTTP and WebSocket only."""

from __future__ import annotations

import asyncio
import json
import signal
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Coroutine
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from config.inputs.paths import file_to_write
from config.process import garbage, open_files
from tables.bots import habits, tally_file
from tables.bots.client.connection import Site
from tables.bots.client.sessions import Credentials, identify, read
from tables.bots.crowd import CONNECTS_PER_S, Crowd, SwarmPlan
from tables.bots.onlookers import Onlookers
from tables.bots.ways import add_way


class Command(BaseCommand):
    """`manage.py swarm --players 60 --think human --url http://localhost:8000 --sessions FILE`."""

    help = "Play with bots against a server; ends with a report and, on violations, with code 1."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Bots, server, pace, and end of the run."""
        parser.add_argument("--players", type=int, required=True, help="how many bots")
        parser.add_argument("--think", choices=["human", "fast"], default="human")
        parser.add_argument("--url", required=True, help="address of the room")
        parser.add_argument("--sessions", type=Path, help="identities of the bots; not for --watch")
        where = parser.add_mutually_exclusive_group()
        where.add_argument("--tournament", type=int, help="tournament to play")
        where.add_argument("--watch", type=int, metavar="TABLE", help="only watch this table")
        where.add_argument("--any", action="store_true", help="play every open tournament")
        parser.add_argument(
            "--ring",
            type=_share,
            nargs="?",
            const="100%",
            default="0",
            metavar="BOTS",
            help="bots that sit at ring tables, a number or a share like 50%%; all without a value",
        )
        add_way(parser, "sockets")
        parser.add_argument("--leave", type=int, default=1, help="seats left to people")
        parser.add_argument("--report", type=file_to_write, help="file for the report (JSON)")
        parser.add_argument("--duration", type=float, help="seconds; default: no limit")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--connects", type=float, default=CONNECTS_PER_S, metavar="PER_S")
        parser.add_argument("--course", help="file for one JSON line of counts per second")
        parser.add_argument("--tally", help="file that keeps the counts over a kill")
        parser.add_argument("--orders", help="file with the factor by which bots think faster")
        parser.add_argument(
            "--habits",
            type=_habits,
            metavar="JSON",
            default=habits.Habits(),
            help="how they enter, buy and deal, as JSON; the names are those of Habits",
        )
        parser.add_argument(
            "--address", type=_local_address, help="local address of the bots' sockets"
        )
        parser.add_argument("--history", help="folder where each bot logs what it sent and got")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the swarm, then write its report."""
        places = (options["tournament"], options["watch"], options["any"] or None)
        if all(place is None for place in places) and options["ring"] != "100%":
            raise CommandError("say where to play: --tournament, --any, --watch or --ring")
        open_files.allow_many()
        if options["watch"] is not None:
            report = asyncio.run(_watch(options))
        else:
            report = asyncio.run(_play(options["url"], *self._players(options)))
        text = json.dumps(report, indent=2)
        if options["report"]:
            tally_file.write_whole(options["report"], text + "\n")
        self.stdout.write(text)
        if report["violations"]:
            raise CommandError(f"{report['violations_seen']} violations", returncode=1)

    def _players(self, options: dict[str, Any]) -> tuple[list[Credentials], SwarmPlan]:
        if options["sessions"] is None:
            raise CommandError("--sessions is required, except with --watch")
        found = read(options["sessions"], options["players"])
        if len(found) < options["players"]:
            raise CommandError(f"{options['sessions']} has only {len(found)} sessions")
        share: str = options["ring"]
        ring = len(found) * int(share[:-1]) // 100 if share.endswith("%") else int(share)
        if ring > len(found):
            raise CommandError(f"--ring {ring} is more than {len(found)} players")
        plan = SwarmPlan(
            pace=options["think"],
            tournament=options["tournament"],
            duration_s=options["duration"],
            leave_seats=options["leave"],
            seed=options["seed"],
            connects_per_s=options["connects"],
            course=options["course"],
            tally=options["tally"],
            orders=options["orders"],
            history=options["history"],
            habits=options["habits"],
            ring=ring,
            browsers=options["way"] == "browsers",
            address=options["address"],
        )
        return found, plan


def _share(text: str) -> str:
    """Return a number of bots, or a share of them up to 100%; refuse anything else."""
    number = text.removesuffix("%")
    if not number.isdecimal() or (text.endswith("%") and int(number) > 100):
        raise ArgumentTypeError(f"{text} is neither a number of bots nor a share up to 100%")
    return text


def _habits(text: str) -> habits.Habits:
    """Return the habits of `--habits`; refuse invalid ones with the reason."""
    try:
        return habits.decode(text)
    except msgspec.DecodeError as wrong:
        raise ArgumentTypeError(f"invalid habits: {wrong}") from wrong


def _local_address(text: str) -> str:
    """Return an address of IPv4 or IPv6; refuse anything else."""
    try:
        return str(ip_address(text))
    except ValueError as wrong:
        raise ArgumentTypeError(str(wrong)) from wrong


async def _watch(options: dict[str, Any]) -> dict[str, Any]:
    site = Site(options["url"])
    try:
        crowd = Onlookers(
            site, options["players"], options["watch"], connects_per_s=options["connects"]
        )
        return await _until_told(crowd.run(options["course"]), crowd.stop)
    finally:
        await site.close()


async def _until_told(run: Coroutine[Any, Any, dict[str, Any]], stop: Any) -> dict[str, Any]:
    running = asyncio.create_task(run)
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, stop)
    # A full collection among the objects of all bots would delay them by 200 to 400 ms.
    collecting = asyncio.create_task(garbage.collect_sparingly())
    try:
        return await running
    finally:
        collecting.cancel()


async def _play(url: str, found: list[Credentials], plan: SwarmPlan) -> dict[str, Any]:
    site = Site(url)
    try:
        crowd = Crowd(site, await identify(site, found), plan)
        return await _until_told(crowd.run(), crowd.stop)
    finally:
        await site.close()
