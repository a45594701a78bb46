"""Embedded Valkey with a password: for the room with its append-only file, else in memory."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from config import environment
from deploy.embedded import binaries
from deploy.embedded.network import LOCAL
from deploy.embedded.owner import Owner, runnable
from deploy.embedded.program import Program

_NOTHING = '""'


@dataclass(frozen=True, slots=True)
class Valkey:
    """Server; `name` names its folder, log and secret; `keeps` is true with an append-only file."""

    name: str
    place: Path
    secrets: Path
    log: Path
    port: int
    owner: Owner
    keeps: bool
    address: str = LOCAL

    @property
    def url(self) -> str:
        """Return the address of the server."""
        secret = environment.kept_secret(self.secrets / f"{self.name}.password")
        return f"redis://:{secret}@{self.address}:{self.port}/0"


def prepare(server: Valkey) -> Program:
    """Write the server's configuration; return the program."""
    program = runnable(binaries.valkey_server(), server.owner, server.place)
    data = server.place / server.name
    data.mkdir(mode=0o700, exist_ok=True)
    server.owner.own(data)
    configuration = data / "valkey.conf"
    configuration.write_text(_configuration(server, data))
    server.owner.own(configuration)
    return Program(
        name=server.name,
        argv=(str(program), str(configuration)),
        directory=data,
        log=server.log,
        owner=server.owner,
        stop_signal=signal.SIGTERM,
        orphan_signal=signal.SIGTERM,
        ready=lambda: _ready(server),
    )


def _configuration(server: Valkey, data: Path) -> str:
    # The password is in a file of mode 0600, because arguments are readable by all users.
    secret = environment.kept_secret(server.secrets / f"{server.name}.password")
    lines = [
        f"bind {server.address}",
        f"port {server.port}",
        f"requirepass {secret}",
        f'dir "{data}"',
        "daemonize no",
        *(f"{name} {value or _NOTHING}" for name, value in settings(server.keeps).items()),
    ]
    return "\n".join(lines) + "\n"


def settings(keeps: bool) -> dict[str, str]:
    """Return the settings of every Valkey server of a room; `keeps` adds the append-only file."""
    return {
        "save": "",
        "maxmemory-policy": "noeviction",
        "appendonly": "yes" if keeps else "no",
        "appendfsync": "always" if keeps else "no",
        "client-output-buffer-limit": "pubsub 64mb 16mb 60",
    }


def _ready(server: Valkey) -> bool:
    client = Redis.from_url(server.url, socket_timeout=1, socket_connect_timeout=1, retry=None)
    try:
        return bool(client.ping())
    except RedisError:  # not up yet, or still loading its file
        return False
    finally:
        client.close()
