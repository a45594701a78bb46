"""Play a tournament over several machines on one: web, workers, data and bots in namespaces.

    python -m deploy.drills.hosts --players 24 --report out.json --cut workers-data:15:8

Needs root and iproute2. All options but --subnet and --no-cuts are those of `manage.py cluster
--headless`; see docs/machines.md. The nodes of a Redis Cluster (`--redis-cluster 3`) are spread
over machines of their own. The namespaces are removed at the end in any case.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
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
CLUSTER_DEFAULTS = {**DEFAULTS, "--seats": "3"}
CLUSTER_CUTS = ("data3:10:8", "data2-data1:30:8")
"""Default cuts with a Redis Cluster, whose tables of three are in shards of data2 and data3.

The first gives the shards of data3 to data1. The master on data2, which workers and web still
reach in the second, then is without most of the others.
"""

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
    parser.add_argument(
        "--redis-cluster",
        type=int,
        default=0,
        metavar="MASTERS",
        help="a Redis Cluster of so many masters and replicas on machines data1, data2 and on",
    )
    known, asked = parser.parse_known_args()
    for number in STOPS:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        machines = namespaces.plan(known.subnet, known.redis_cluster)
        if os.geteuid() != 0:
            return _refuse("Network namespaces need root: run this as root, or with sudo.")
        with _built(machines, known.subnet):
            cuts, defaults = CUTS, DEFAULTS
            if known.redis_cluster:
                cuts, defaults = CLUSTER_CUTS, CLUSTER_DEFAULTS
                asked += ["--redis-cluster", str(known.redis_cluster)]
            return _play(machines, _arguments(asked, defaults, () if known.no_cuts else cuts))
    except (NamespaceFailed, ValueError) as problem:
        return _refuse(str(problem))
    except InUse:
        return _refuse(f"Another run is under way: process {LOCK.read_text()}")


def _arguments(asked: list[str], defaults: Mapping[str, str], cuts: Sequence[str]) -> list[str]:
    named = {argument.partition("=")[0] for argument in asked}
    more = [part for name, value in defaults.items() if name not in named for part in (name, value)]
    if "--cut" not in named:
        more += [part for cut in cuts for part in ("--cut", cut)]
    return ["--headless", *more, *asked]


@contextmanager
def _built(machines: Machines, subnet: str) -> Iterator[None]:
    """Keep the machines for the length of the block; leftovers of a killed run are
    removed first.
    """
    with DataLock(LOCK):
        old = namespaces.leftovers()
        living = namespaces.inhabitants(old)
        if living:
            raise NamespaceFailed(
                f"Processes of a killed run still live: {', '.join(map(str, living))}"
            )
        namespaces.clear(old)
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
