"""Decisions per second through the whole path beside empty Celery tasks: see `make bench`."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic, sleep

from deploy.measuring.processes import Usage, since, usages
from deploy.processes.supervisor import Supervisor
from tests.bench.shared import rooms
from tests.bench.shared.report import note

SENDERS = 2
WARM_UP_S = 4.0
NAMES = ("postgres", "room", "broker", "play0", "play1", "settle0", "settle1")


@dataclass
class Measured:
    """Amount of work, its seconds, and the usage of each process."""

    done: float = 0
    hands: int = 0
    messages: int = 0
    seconds: float = 0
    cpu_s: dict[str, float] = field(default_factory=dict)

    def add_costs(self, costs: Mapping[str, Usage]) -> None:
        """Add the usage of the processes."""
        for name, cost in costs.items():
            self.cpu_s[name] = self.cpu_s.get(name, 0) + cost.cpu_s

    @property
    def per_s(self) -> float:
        """Return the work per second."""
        return self.done / self.seconds

    @property
    def cpu_ms(self) -> float:
        """Return the processor milliseconds of all processes per unit of work."""
        return sum(self.cpu_s.values()) * 1_000 / max(1, self.done)


def main(seconds: float, tables: int, seats: int, rounds: int) -> None:
    """Measure empty tasks and decisions in turn, so that both meet the same machine load."""
    empty, decided = Measured(), Measured()
    with rooms.opened() as (supervisor, layout):
        rooms.start_workers(supervisor, layout)
        for _ in range(rounds):
            measure_empty_tasks(supervisor, seconds, empty)
            started = rooms.seated(tables, seats)
            rooms.await_open(started)
            measure_decisions(supervisor, started, seconds, decided)
            rooms.end_tournaments()
        measure_empty_tasks(supervisor, seconds, empty)
    note(
        {
            "cluster.actions_per_s": round(decided.per_s, 1),
            "cluster.empty_tasks_per_s": round(empty.per_s, 1),
            "cluster.ratio_empty_tasks": round(decided.per_s / empty.per_s, 3),
            "cluster.action_cpu_ms": round(decided.cpu_ms, 3),
            "cluster.empty_task_cpu_ms": round(empty.cpu_ms, 3),
            "cluster.ratio_cpu": round(empty.cpu_ms / decided.cpu_ms, 3),
            "cluster.messages_per_action": round(decided.messages / decided.done, 3),
            "cluster.actions_per_hand": round(decided.done / max(1, decided.hands), 2),
        }
    )
    _print_costs("decision", decided)
    _print_costs("empty task", empty)


def measure_empty_tasks(supervisor: Supervisor, seconds: float, found: Measured) -> None:
    """Measure empty tasks, taken by the same workers from as many senders as there are players."""
    from config.redis import broker
    from tests.bench.shared.empty import waiting

    command = [sys.executable, "-m", "tests.bench.shared.empty", str(seconds + 2 * WARM_UP_S)]
    children = _start([command] * SENDERS)
    sleep(WARM_UP_S)
    leaders = _leaders(supervisor, children)
    cost, sent, waited, began = usages(leaders), messages(), waiting(broker()), monotonic()
    sleep(seconds)
    found.seconds += monotonic() - began
    found.add_costs(since(cost, usages(leaders)))
    found.done += messages() - sent - (waiting(broker()) - waited)
    for child in children:
        child.wait()
    while waiting(broker()):
        sleep(0.1)


def measure_decisions(
    supervisor: Supervisor, tables: Sequence[int], seconds: float, found: Measured
) -> None:
    """Measure decisions of settled hands, from bots that read streams and append commands."""
    command = [sys.executable, "-m", "tests.bench.shared.players", str(seconds + 2 * WARM_UP_S)]
    children = _start([[*command, *map(str, share)] for share in rooms.shares(tables, SENDERS)])
    sleep(WARM_UP_S)
    leaders = _leaders(supervisor, children)
    cost, sent, (acted, hands), began = usages(leaders), messages(), played(), monotonic()
    sleep(seconds)
    found.seconds += monotonic() - began
    found.add_costs(since(cost, usages(leaders)))
    found.messages += messages() - sent
    acted_now, hands_now = played()
    found.done += acted_now - acted
    found.hands += hands_now - hands
    for child in children:
        child.wait()


def messages() -> int:
    """Return the number of Celery messages ever sent to the broker."""
    from config.redis import broker

    stats = broker().info("commandstats")
    return int(stats.get("cmdstat_lpush", {"calls": 0})["calls"])


def played() -> tuple[int, int]:
    """Return the decisions in settled hands, and the settled hands, from PostgreSQL."""
    from django.db.models import Count, Sum

    from tables.models import Hand

    found = Hand.objects.aggregate(actions=Sum("actions"), hands=Count("pk"))
    return int(found["actions"] or 0), int(found["hands"])


def _start(commands: Sequence[Sequence[str]]) -> list[subprocess.Popen[bytes]]:
    return [
        subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        for command in commands
    ]


def _leaders(supervisor: Supervisor, children: Sequence[subprocess.Popen[bytes]]) -> dict[str, int]:
    leaders = {name: pid for name in NAMES if (pid := supervisor.pid(name)) is not None}
    return leaders | {f"bots{number}": child.pid for number, child in enumerate(children)}


def _print_costs(what: str, found: Measured) -> None:
    print(f"\n  {'process':<10} {'CPU ms for one ' + what:>26} {'of two cores':>14}")
    for name, cpu_s in found.cpu_s.items():
        share = cpu_s / found.seconds / 2
        print(f"  {name:<10} {cpu_s * 1_000 / max(1, found.done):>26.3f} {share:>14.1%}")


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seats", type=int, default=9)
    asked = parser.parse_args()
    main(asked.seconds, asked.tables, asked.seats, asked.rounds)
