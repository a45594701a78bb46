"""Redis Cluster for tests, in place of the server of the room: three masters, a replica each."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.embedded import ports, program, redis_cluster, servers
from deploy.embedded.valkey import Valkey
from deploy.faults import cluster_slots
from tests.conftest import READY_S
from tests.stopped import stopped
from tests.tables.gateway.sockets import wait_for

MASTERS = 3
SHARDS = 6


class Cluster:
    """Nodes of a cluster by name."""

    def __init__(self, place: Path) -> None:
        names = servers.node_names(MASTERS)
        ports_by_name = [*names, *map(servers.bus_of, names), "postgres", "room", "broker"]
        laid_out = servers.lay_out(
            place,
            place,
            durable=False,
            port=ports.several(dict.fromkeys(ports_by_name)),
            masters=MASTERS,
        )
        self.nodes: tuple[Valkey, ...] = laid_out.nodes
        self.url = redis_cluster.url(self.nodes)
        self._place = laid_out.room.place
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Start all nodes, and wait until they are a whole cluster."""
        programs = redis_cluster.prepare(self.nodes, MASTERS)
        for how in programs:
            self._children[how.name] = program.start(how)
        for how in programs:
            program.wait_ready(how, self._children[how.name], READY_S)

    def stop(self) -> None:
        """Kill all nodes and remove their files."""
        for child in self._children.values():
            program.kill(child)
        shutil.rmtree(self._place, ignore_errors=True)

    def masters(self) -> dict[int, str]:
        """Return the master of each shard."""
        return cluster_slots.masters_of(self.nodes, range(SHARDS))

    def lose(self, name: str) -> None:
        """Kill a master, and wait until its replica has its slots."""
        program.kill(self._children.pop(name))
        wait_for(lambda: name not in self.masters().values())

    @contextmanager
    def frozen(self, master: str, *, alone: bool = False) -> Iterator[None]:
        """Stop a master, and its replicas unless `alone`, as if their machines were cut off."""
        names = [master] if alone else cluster_slots.group_of(self.nodes, master)
        with stopped(self._children[name].pid for name in names):
            yield

    def lose_group(self, master: str) -> list[int]:
        """Kill a master and its replicas, and leave their slots without an owner; return these."""
        for name in cluster_slots.group_of(self.nodes, master):
            program.kill(self._children.pop(name))
        return cluster_slots.give_up_lost(self.nodes)

    def claim(self, slots: list[int], name: str) -> None:
        """Let a master own slots without an owner."""
        cluster_slots.claim(self.nodes, slots, name)

    def move(self, shard: int, target: str) -> None:
        """Move a shard to another master."""
        cluster_slots.move_shard(self.nodes, shard, self.masters()[shard], target)


@contextmanager
def running() -> Iterator[Cluster]:
    """Start a cluster, and stop it at the end of the block."""
    place = Path(tempfile.mkdtemp(prefix="room-cluster-", dir="/dev/shm"))
    place.chmod(0o711)
    made = Cluster(place)
    made.start()
    yield made
    made.stop()
