"""An embedded Valkey with a password: for the room with its append-only file, else in memory."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from config import environment
from config.embedded import binaries
from config.embedded.owner import Owner, runnable
from config.embedded.program import Program


@dataclass(frozen=True, slots=True)
class Valkey:
    """One server: `name` names its folder, log and secret; `keeps` whether it writes its file."""

    name: str
    place: Path
    secrets: Path
    log: Path
    port: int
    owner: Owner
    keeps: bool

    @property
    def url(self) -> str:
        """The address of the server, for the environment."""
        secret = environment.kept_secret(self.secrets / f"{self.name}.password")
        return f"redis://:{secret}@127.0.0.1:{self.port}/0"


def prepare(server: Valkey) -> Program:
    """Write the server's configuration; answer how to run it."""
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
    # The password stands in a file of mode 0600, because arguments are readable by everybody.
    secret = environment.kept_secret(server.secrets / f"{server.name}.password")
    lines = [
        "bind 127.0.0.1",
        f"port {server.port}",
        f"requirepass {secret}",
        f'dir "{data}"',
        "daemonize no",
        'save ""',
        "maxmemory-policy noeviction",
        f"appendonly {'yes' if server.keeps else 'no'}",
        "appendfsync everysec",
        "client-output-buffer-limit pubsub 64mb 16mb 60",
    ]
    return "\n".join(lines) + "\n"


def _ready(server: Valkey) -> bool:
    client = Redis.from_url(server.url, socket_timeout=1, socket_connect_timeout=1, retry=None)
    try:
        return bool(client.ping())
    except RedisError:  # not up yet, or still loading its file
        return False
    finally:
        client.close()
