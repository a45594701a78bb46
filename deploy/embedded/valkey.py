"""Embedded Valkey with a password: for the room with its append-only file, else in memory."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from config import environment, limits
from deploy.embedded import binaries
from deploy.embedded.network import LOCAL
from deploy.embedded.owner import Owner, runnable
from deploy.embedded.program import Program

_NOTHING = '""'


@dataclass(frozen=True, slots=True)
class Valkey:
    """Server; `name` names its folder, log and secret; `keeps` is true with an append-only file.

    Servers of one cluster, and a master with its standby, have the password that `shares` names;
    `bus` is the port by which the nodes of a cluster speak to each other, 0 for a server alone.
    """

    name: str
    place: Path
    secrets: Path
    log: Path
    port: int
    owner: Owner
    keeps: bool
    address: str = LOCAL
    shares: str = ""
    bus: int = 0

    @property
    def secret_file(self) -> Path:
        """Return the file of the server's password."""
        return self.secrets / f"{self.shares or self.name}.password"

    @property
    def url(self) -> str:
        """Return the address of the server."""
        secret = environment.kept_secret(self.secret_file)
        return f"redis://:{secret}@{self.address}:{self.port}/0"


def prepare(server: Valkey, follows: Valkey | None = None) -> Program:
    """Write the server's configuration; return the program, of a standby that `follows` another."""
    program = runnable(binaries.valkey_server(), server.owner, server.place)
    data = server.place / server.name
    data.mkdir(mode=0o700, exist_ok=True)
    server.owner.own(data)
    configuration = data / "valkey.conf"
    following = f"replicaof {follows.address} {follows.port}\n" if follows else ""
    configuration.write_text(_configuration(server, data) + following)
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
    secret = environment.kept_secret(server.secret_file)
    lines = [
        f"bind {server.address}",
        f"port {server.port}",
        f"requirepass {secret}",
        f'dir "{data}"',
        "daemonize no",
        *(f"{name} {value or _NOTHING}" for name, value in settings(server.keeps).items()),
        *([f"primaryauth {secret}", *_with_standby()] if server.shares else []),
        *(_in_cluster(server) if server.bus else []),
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


def _with_standby() -> list[str]:
    """Return the settings of a server that may follow another one and take over from it."""
    return ["repl-diskless-sync-delay 0", "repl-backlog-size 64mb"]


def _in_cluster(server: Valkey) -> list[str]:
    return [
        "cluster-enabled yes",
        f"cluster-port {server.bus}",
        f"cluster-node-timeout {limits.CLUSTER_NODE_TIMEOUT_MS}",
        # One lost shard must not stop the others.
        "cluster-require-full-coverage no",
        "cluster-allow-replica-migration no",
    ]


def _ready(server: Valkey) -> bool:
    client = Redis.from_url(server.url, socket_timeout=1, socket_connect_timeout=1, retry=None)
    try:
        return bool(client.ping())
    except RedisError:  # not up yet, or still loading its file
        return False
    finally:
        client.close()
