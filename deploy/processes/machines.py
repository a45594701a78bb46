"""The machines of a room: all processes on this one, or each where a plan of namespaces puts it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deploy.embedded.network import LOCAL
from deploy.processes.roster import ON

PLAN = "ROOM_MACHINES"
"""Names the variable with the plan, as `Machines.text` writes it."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Where a process is: its address, its network namespace, the port that leads there.

    The latter two are None for this machine.
    """

    address: str
    network: Path | None = None
    port: str | None = None


HERE = Machine(LOCAL)


@dataclass(frozen=True, slots=True)
class Machines:
    """Machines by name; a room of one machine has none."""

    named: Mapping[str, Machine] = field(default_factory=dict)

    def of(self, kind: str) -> Machine:
        """The machine of a kind of process, e.g. of "web" or "postgres"."""
        return self.named.get(ON.get(kind, ""), HERE)

    def text(self) -> str:
        """All of it as JSON, for the environment."""
        return json.dumps(
            {
                name: [one.address, str(one.network) if one.network else None, one.port]
                for name, one in self.named.items()
            }
        )


def read(text: str) -> Machines:
    """What `text` wrote; nothing is one machine."""
    found = json.loads(text) if text else {}
    return Machines(
        {
            name: Machine(address, Path(network) if network else None, port)
            for name, (address, network, port) in found.items()
        }
    )
