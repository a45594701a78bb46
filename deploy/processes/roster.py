"""Roster of a room's processes: the one list behind every way to start it.

The cluster, the Procfile, the systemd units, the compose file and the Kubernetes manifests all run
these commands; a test compares them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from deploy.embedded.servers import node_names

NUMBER = "{number}"
"""Placeholder of the number (from 0) of a process among its kind."""

LISTENS = "{listens}"
"""Placeholder of the address of the web process."""

CONNECTION_KEPT = {"DATABASE_CONNECTION_AGE_S": "600"}


@dataclass(frozen=True, slots=True)
class Role:
    """Kind of process: its machine, its command after `python`, and its number of processes.

    `environment` is added to the addresses, which are equal for all.
    """

    kind: str
    machine: str
    command: tuple[str, ...]
    many: int
    environment: Mapping[str, str] = field(default_factory=dict)

    def line(self, **values: str) -> list[str]:
        """Return the command with its number or its address filled in."""
        return [part.format(**values) for part in self.command]


WEB = Role("web", "web", ("-m", "config.serve", LISTENS), 1)
PLAY = Role("play", "workers", ("-m", "config.worker", "play", NUMBER), 2, CONNECTION_KEPT)
SETTLE = Role("settle", "workers", ("-m", "config.worker", "settle", NUMBER), 2, CONNECTION_KEPT)
AUDITOR = Role("auditor", "workers", ("manage.py", "audit", "--watch"), 1, CONNECTION_KEPT)
DELIVERIES = Role("deliveries", "workers", ("manage.py", "deliveries"), 1, CONNECTION_KEPT)
CARDS_UP = Role("cardsup", "workers", ("manage.py", "cards_up"), 1, CONNECTION_KEPT)

ROLES = (WEB, PLAY, SETTLE, AUDITOR, DELIVERIES, CARDS_UP)

SERVERS = ("postgres", "room", "broker")
"""Servers that these processes need, on the machine called data."""

ON = {role.kind: role.machine for role in ROLES} | dict.fromkeys(SERVERS, "data")
ON["swarm"] = "bots"
TWIN = "twin"
"""Second web host of a drill over several machines: as `web`, on a machine of its own."""
ON[TWIN] = "web2"
MACHINES = tuple(dict.fromkeys(ON.values()))


def cluster_machines(masters: int) -> list[str]:
    """Return the machines of the nodes of a Redis Cluster with `masters`: data1, data2 and on."""
    return [f"data{number + 1}" for number in range(masters)]


def machine_of(process: str, masters: int = 0) -> str | None:
    """Return the machine of a kind of process, or of a node of a cluster with `masters`.

    A master and its replica, which is `masters` nodes later, never share a machine.
    """
    hosts = cluster_machines(masters)
    spread = [*hosts, *hosts[1:], *hosts[:1]]
    return ON.get(process) or dict(zip(node_names(masters), spread, strict=True)).get(process)
