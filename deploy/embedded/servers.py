"""Three servers of a room on one machine: PostgreSQL, the room's Redis and the broker's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deploy.embedded.network import LOCAL
from deploy.embedded.owner import ground, server_owner
from deploy.embedded.postgres import Postgres
from deploy.embedded.valkey import Valkey


@dataclass(frozen=True, slots=True)
class Servers:
    """Three servers with their files and their addresses."""

    postgres: Postgres
    room: Valkey
    broker: Valkey

    def addresses(self) -> dict[str, str]:
        """Return the environment with the addresses of these servers."""
        return {
            "DATABASE_URL": self.postgres.url,
            "ROOM_REDIS_URL": self.room.url,
            "BROKER_URL": self.broker.url,
        }


def lay_out(
    data: Path, logs: Path, durable: bool, port: Mapping[str, int], address: str = LOCAL
) -> Servers:
    """Return servers with files under `data`, at one address, each on the port of its name."""
    owner = server_owner()
    data.mkdir(parents=True, exist_ok=True)
    place = ground(data / "servers", owner)
    secrets = data / "secrets"
    secrets.mkdir(mode=0o700, exist_ok=True)

    def redis(name: str, keeps: bool) -> Valkey:
        log = logs / f"{name}.log"
        return Valkey(name, place, secrets, log, port[name], owner, keeps, address)

    return Servers(
        postgres=Postgres(
            place, secrets, logs / "postgres.log", port["postgres"], owner, durable, address
        ),
        room=redis("room", durable),
        broker=redis("broker", False),
    )
