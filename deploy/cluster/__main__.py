"""Choose the addresses of a local room before Django reads its settings, then run `cluster`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import NoReturn

from config.environment import HOME, local
from deploy.embedded import ports
from deploy.embedded.binaries import ServerMissing
from deploy.processes import layout as layouts
from deploy.processes import machines
from deploy.processes.layout import Layout, PlayersNetworkMissing
from deploy.processes.machines import PLAN
from deploy.processes.roster import cluster_machines

MASTERS_MIN = 3
"""Least number of masters: a majority of them must see that one is gone."""


def go_on(arguments: list[str], command: str = "cluster") -> NoReturn:
    """Replace this process by a command of manage.py, with the room's addresses in its environment.

    Settings are read once, so the addresses must be there first. Exits when a server is missing.
    """
    known, _ = _parser(MASTERS_MIN if command == "failover" else 0).parse_known_args(arguments)
    headless = "hosts" if os.environ.get(PLAN) else "headless"
    own = command if command != "cluster" else headless if known.headless else ""
    detours = ["web"] if command == "chaos" else []
    detours += layouts.SERVERS if known.cut_servers else ()
    try:
        home = known.data or local() / own
        layout, said = layouts.choose(
            home,
            known.port,
            detours,
            lan=known.lan,
            masters=_masters(known.redis_cluster),
            standbys=command == "failover",
        )
    except (ServerMissing, PlayersNetworkMissing) as problem:
        sys.exit(f"Error: {problem}")
    for line in said:
        print(line, flush=True)  # noqa: T201
    go_on_in(layout, arguments, command)


def go_on_in(layout: Layout, arguments: list[str], command: str = "cluster") -> NoReturn:
    """Replace this process by a command of manage.py for this layout."""
    try:
        added = {**layout.environment(), **layout.marks()}
    except ServerMissing as problem:
        sys.exit(f"Error: {problem}")
    line = [sys.executable, str(HOME / "manage.py"), command, *arguments]
    os.execve(sys.executable, line, {**os.environ, **added})


def _masters(asked: int) -> int:
    """Return the number of masters; exit when a cluster could not elect among them."""
    if asked and os.environ.get("ROOM_REDIS_URL"):
        sys.exit(
            "Error: --redis-cluster starts a cluster, but ROOM_REDIS_URL names servers already"
        )
    if asked and asked < MASTERS_MIN:
        sys.exit(f"Error: --redis-cluster needs {MASTERS_MIN} masters or more")
    planned = machines.read(os.environ.get(PLAN, "")).named
    if planned and not {*cluster_machines(asked)} <= {*planned}:
        sys.exit(f"Error: --redis-cluster needs {asked} machines more: make hosts builds them")
    return asked


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:6]) <= ports.MAX):
        raise argparse.ArgumentTypeError(f"{text} is no port: 1 to {ports.MAX}")
    return int(text)


def _parser(masters: int = 0) -> argparse.ArgumentParser:
    """Return a parser of the address options only; the command itself checks the others."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--port", type=_port)
    parser.add_argument("--lan", action="store_true")
    parser.add_argument("--headless", action="store_true")
    parser.add_argument("--cut-servers", action="store_true")
    parser.add_argument("--redis-cluster", type=int, default=masters)
    return parser


if __name__ == "__main__":
    go_on(sys.argv[1:])
