"""Machines of a room: this one, or one namespace for each machine of a plan."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deploy.embedded.network import LOCAL
from deploy.processes.roster import machine_of

PLAN = "ROOM_MACHINES"
"""Environment variable of the plan, as `Machines.text` writes it."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Machine of processes: its address, its network namespace, and the port that leads there.

    Namespace and port are None for this machine.
    """

    address: str
    network: Path | None = None
    port: str | None = None


HERE = Machine(LOCAL)


@dataclass(frozen=True, slots=True)
class Machines:
    """Machines by name; a room on one machine has none."""

    named: Mapping[str, Machine] = field(default_factory=dict)

    def of(self, kind: str, masters: int = 0) -> Machine:
        """Return the machine of a kind of process, e.g. of "web" or "postgres".

        A node of a Redis Cluster has one where the cluster has `masters`.
        """
        return self.named.get(machine_of(kind, masters) or "", HERE)

    def text(self) -> str:
        """Return all machines as JSON, for the environment."""
        return json.dumps(
            {
                name: [one.address, str(one.network) if one.network else None, one.port]
                for name, one in self.named.items()
            }
        )


def read(text: str) -> Machines:
    """Return the machines of a `text`; an empty one is one machine."""
    found = json.loads(text) if text else {}
    return Machines(
        {
            name: Machine(address, Path(network) if network else None, port)
            for name, (address, network, port) in found.items()
        }
    )
