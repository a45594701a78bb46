"""Embedded standbys: a second PostgreSQL that streams, and a second broker watched by Sentinels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg
from redis import Redis
from redis.exceptions import RedisError

from config import environment, limits
from deploy.embedded import base_backup, postgres, valkey
from deploy.embedded.postgres import KEEPER, Postgres
from deploy.embedded.program import Program
from deploy.embedded.valkey import Valkey

SERVICE = "broker"
"""Name under which the Sentinels know the broker's master."""

SENTINELS = 3
QUORUM = 2

STANDBY_ASKS_AGAIN = "200ms"
"""Pause of a standby of PostgreSQL that lost its primary; its own default is five seconds."""


@dataclass(frozen=True, slots=True)
class Standbys:
    """Standbys of the broker and of PostgreSQL, and the Sentinels of the broker."""

    postgres: Postgres
    broker: Valkey
    sentinels: tuple[Valkey, ...]

    def broker_url(self) -> str:
        """Return the address of the broker by its Sentinels."""
        secret = environment.kept_secret(self.broker.secret_file)
        hosts = ",".join(f"{one.address}:{one.port}" for one in self.sentinels)
        return f"redis+sentinel://:{secret}@{hosts}/{SERVICE}?sentinel_password={secret}"


def prepare(standbys: Standbys, primary: Postgres, broker: Valkey) -> list[Program]:
    """Copy the primary, and return the programs of all standbys; both servers must run."""
    second = prepare_watched(standbys.broker, standbys.sentinels, broker)
    return [prepare_postgres(standbys.postgres, primary), *second]


def prepare_postgres(standby: Postgres, primary: Postgres) -> Program:
    """Copy a running primary where there is no copy yet; return the program of its standby."""
    if not (standby.data / "PG_VERSION").is_file():
        base_backup.copy_server(primary, standby, "-R")
    settings = {
        # Alone after its promotion, it has nobody to wait for.
        "synchronous_standby_names": "",
        # A primary that restarted answers no commit before its standby is back.
        "wal_retrieve_retry_interval": STANDBY_ASKS_AGAIN,
    }
    return postgres.prepare(standby, settings)


def prepare_watched(standby: Valkey, sentinels: Sequence[Valkey], master: Valkey) -> list[Program]:
    """Return the programs of a standby and of the Sentinels that watch it and its master."""
    watching = [_prepare_sentinel(one, master) for one in sentinels]
    return [valkey.prepare(standby, follows=master), *watching]


def wait_for_copies(primary: Postgres) -> None:
    """Let the primary answer a commit only once its standby has it, so that none is lost."""
    with psycopg.connect(primary.url_of(KEEPER, "postgres"), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        connection.execute("SELECT pg_reload_conf()")


def promote(standby: Postgres) -> None:
    """Make a standby the primary; the operator has made sure that the old one is gone."""
    with psycopg.connect(standby.url_of(KEEPER, "postgres"), autocommit=True) as connection:
        connection.execute("SELECT pg_promote(true, 30)")


def _prepare_sentinel(sentinel: Valkey, master: Valkey) -> Program:
    """Write the configuration of a Sentinel, which it rewrites itself from then on."""
    program = valkey.prepare(sentinel)
    configuration = Path(program.argv[1])
    secret = environment.kept_secret(sentinel.secret_file)
    lines = [
        f"bind {sentinel.address}",
        f"port {sentinel.port}",
        f"requirepass {secret}",
        f'dir "{program.directory}"',
        "daemonize no",
        f"sentinel monitor {SERVICE} {master.address} {master.port} {QUORUM}",
        f"sentinel auth-pass {SERVICE} {secret}",
        f"sentinel sentinel-pass {secret}",
        f"sentinel down-after-milliseconds {SERVICE} {limits.CLUSTER_NODE_TIMEOUT_MS}",
        f"sentinel failover-timeout {SERVICE} 10000",
    ]
    configuration.write_text("\n".join(lines) + "\n")
    argv = (*program.argv, "--sentinel")
    return replace(program, argv=argv, ready=lambda: _knows_others(sentinel))


def _knows_others(sentinel: Valkey) -> bool:
    """Return whether a Sentinel knows the other ones and the standby."""
    try:
        with Redis.from_url(sentinel.url, socket_timeout=1, retry=None) as client:
            known = client.sentinel_master(SERVICE)
    except RedisError:
        return False
    return int(known["num-other-sentinels"]) >= SENTINELS - 1 and int(known["num-slaves"]) >= 1
