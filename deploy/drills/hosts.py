"""Play a tournament over several machines on one: web, workers, data and bots in namespaces.

    python -m deploy.drills.hosts --players 24 --report out.json --cut workers-data:15:8

Needs root and iproute2. All options but --subnet and --no-cuts are those of `manage.py cluster
--headless`; see docs/operations.md. The namespaces are removed at the end in any case.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config import environment
from deploy.embedded import program
from deploy.processes import namespaces
from deploy.processes.lock import DataLock, InUse
from deploy.processes.machines import PLAN, Machines
from deploy.processes.namespaces import NamespaceFailed

DEFAULTS = {"--players": "24", "--think": "fast", "--webs": "2"}
CUTS = ("workers-data:15:8", "web-data:45:8")
"""Default cuts."""

LOCK = Path("/run/room-hosts.lock")
"""Lock held while the namespaces exist, because every run uses equal names."""

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> int:
    """Build the machines, play, remove them; return the cluster's exit code, or 2 with the missing
    part.
    """
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--subnet", default=namespaces.SUBNET, help="subnet of the machines")
    parser.add_argument("--no-cuts", action="store_true", help="play without partitions")
    known, asked = parser.parse_known_args()
    for number in STOPS:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        machines = namespaces.plan(known.subnet)
        if os.geteuid() != 0:
            return _refuse("Network namespaces need root: run this as root, or with sudo.")
        with _built(machines, known.subnet):
            return _play(machines, _arguments(asked, cuts=not known.no_cuts))
    except (NamespaceFailed, ValueError) as problem:
        return _refuse(str(problem))
    except InUse:
        return _refuse(f"Another run is under way: process {LOCK.read_text()}")


def _arguments(asked: list[str], *, cuts: bool) -> list[str]:
    named = {argument.partition("=")[0] for argument in asked}
    more = [part for name, value in DEFAULTS.items() if name not in named for part in (name, value)]
    if cuts and "--cut" not in named:
        more += [part for cut in CUTS for part in ("--cut", cut)]
    return ["--headless", *more, *asked]


@contextmanager
def _built(machines: Machines, subnet: str) -> Iterator[None]:
    """Keep the machines for the length of the block; leftovers of a killed run are
    removed first.
    """
    with DataLock(LOCK):
        living = namespaces.inhabitants(machines)
        if living:
            raise NamespaceFailed(
                f"Processes of a killed run still live: {', '.join(map(str, living))}"
            )
        namespaces.clear(machines)
        try:
            namespaces.run(namespaces.build(machines, subnet))
            yield
        finally:
            namespaces.clear(machines)


def _play(machines: Machines, arguments: list[str]) -> int:
    """Run the room in its machines; forward a signal to it, so that it stops in order."""
    command = [sys.executable, "-m", "deploy.cluster", *arguments]
    variables = {**os.environ, PLAN: machines.text()}
    us = os.getpid()
    room = subprocess.Popen(
        command,
        cwd=environment.HOME,
        env=variables,
        start_new_session=True,
        preexec_fn=lambda: program.die_with(us, signal.SIGTERM),
    )
    for number in STOPS:
        signal.signal(number, lambda number, _: room.send_signal(number))
    return room.wait()


def _refuse(why: str) -> int:
    sys.stderr.write(f"Error: {why}\n")
    return 2


if __name__ == "__main__":
    sys.exit(main())
