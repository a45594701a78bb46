"""Three servers of a room on one machine: PostgreSQL, the room's Redis and the broker's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from deploy.embedded import redis_cluster
from deploy.embedded.network import LOCAL
from deploy.embedded.owner import ground, server_owner
from deploy.embedded.postgres import Postgres
from deploy.embedded.standbys import SENTINELS, Standbys
from deploy.embedded.valkey import Valkey


@dataclass(frozen=True, slots=True)
class Servers:
    """Three servers with their files and their addresses.

    With `nodes` the room has a cluster in place of one server: `masters` of them, then as many
    replicas.
    """

    postgres: Postgres
    room: Valkey
    broker: Valkey
    nodes: tuple[Valkey, ...] = ()
    standbys: Standbys | None = None

    @property
    def masters(self) -> int:
        """Return the number of masters of the cluster."""
        return len(self.nodes) // 2

    def addresses(self) -> dict[str, str]:
        """Return the environment with the addresses of these servers."""
        also = self.standbys
        return {
            "DATABASE_URL": self.postgres.url_with(also.postgres if also else None),
            "ROOM_REDIS_URL": redis_cluster.url(self.nodes) if self.nodes else self.room.url,
            "BROKER_URL": also.broker_url() if also else self.broker.url,
        }


def lay_out(
    data: Path,
    logs: Path,
    durable: bool,
    port: Mapping[str, int],
    address: str = LOCAL,
    masters: int = 0,
    standbys: bool = False,
    nodes_at: Sequence[str] = (),
) -> Servers:
    """Return servers with files under `data`, at one address, each on the port of its name.

    The room has a cluster of `masters`, each with a replica, or one server when there are none; its
    nodes are at the addresses `nodes_at`, else at `address`.
    With `standbys` a second broker and a second PostgreSQL take over.
    """
    owner, names = server_owner(), node_names(masters)
    data.mkdir(parents=True, exist_ok=True)
    place = ground(data / "servers", owner)
    secrets = data / "secrets"
    secrets.mkdir(mode=0o700, exist_ok=True)

    def redis(name: str, keeps: bool) -> Valkey:
        log = logs / f"{name}.log"
        return Valkey(name, place, secrets, log, port[name], owner, keeps, address)

    def database(name: str) -> Postgres:
        log = logs / f"{name}.log"
        return Postgres(place, secrets, log, port[name], owner, durable, address, name)

    def second(name: str) -> Valkey:
        return replace(redis(name, False), shares="broker")

    return Servers(
        postgres=database("postgres"),
        room=redis("room", durable),
        broker=second("broker") if standbys else redis("broker", False),
        standbys=Standbys(
            database("postgres1"), second("broker1"), tuple(map(second, SENTINEL_NAMES))
        )
        if standbys
        else None,
        nodes=tuple(
            replace(redis(name, durable), shares="room", bus=port[bus_of(name)], address=there)
            for name, there in zip(names, nodes_at or [address] * len(names), strict=True)
        ),
    )


SENTINEL_NAMES = tuple(f"sentinel{number}" for number in range(SENTINELS))
STANDBY_NAMES = ("postgres1", "broker1", *SENTINEL_NAMES)
"""Names of the processes and ports of all standbys."""


def node_names(masters: int) -> list[str]:
    """Return the names of a cluster's nodes: its masters, then a replica of each."""
    return [f"room{number}" for number in range(2 * masters)]


def more_ports(masters: int, standbys: bool) -> list[str]:
    """Return the names of the ports of a cluster of `masters` and of the standbys."""
    nodes = node_names(masters)
    return [*nodes, *map(bus_of, nodes), *(STANDBY_NAMES if standbys else ())]


def bus_of(node: str) -> str:
    """Return the name of the port by which a node speaks to the other nodes."""
    return f"{node}_bus"
