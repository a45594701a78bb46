"""Losses of a failover drill: how each is done, which shards it may cost, and how it is mended."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import LiteralString

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from psycopg import sql

from deploy.cluster.room import Room
from deploy.embedded.postgres import KEEPER, Postgres
from deploy.embedded.redis_cluster import clients
from deploy.embedded.standbys import SERVICE, promote
from deploy.embedded.valkey import Valkey
from deploy.faults import cluster_slots, power
from tables.models import Hand, Table
from tables.store import keys


@dataclass(slots=True)
class Harmed:
    """Loss that was done: its shards, whose hands may be void, and how the room is whole again."""

    what: str
    shards: frozenset[int] = frozenset()
    mend: Callable[[], None] = field(default=lambda: None)


BEHIND_S = 1.0
"""Time in s that a promoted replica or standby lacks."""

FROZEN_S = 6.0
"""Time in s for which a master is frozen: nodes miss it after two."""

WAITS_S = 3.0
"""Time in s after which the operator of a drill accepts a loss."""

DEAD_WITHIN_S = 5.0

Loss = Callable[[Room, random.Random], Harmed]


def lose_master(room: Room, chance: random.Random) -> Harmed:
    """Kill the master of some shards for good; its replica takes over."""
    name, shards = _some_master(_nodes(room), chance)
    room.supervisor.lose(name)
    # Back for the next drill, as the replica of its successor.
    return Harmed(f"{name} killed", shards, lambda: room.supervisor.revive(name))


def lose_master_behind(room: Room, chance: random.Random) -> Harmed:
    """Kill the master of some shards for good; its replica, which takes over, lacks a second."""
    nodes = _nodes(room)
    name, shards = _some_master(nodes, chance)
    group = [node for node in nodes if node.name in cluster_slots.group_of(nodes, name)]
    with clients(sorted(group, key=lambda node: node.name != name)) as [master, *replicas]:
        # A replica whose log-in is refused follows no longer.
        for replica in replicas:
            secret = replica.config_get("primaryauth")["primaryauth"]
            replica.config_set("primaryauth", "refused")
        master.client_kill_filter(_type="replica", skipme=False)
        time.sleep(BEHIND_S)
        room.supervisor.lose(name)
        for replica in replicas:
            replica.config_set("primaryauth", secret)
    harmed = f"{name} killed {BEHIND_S} s after its replica stopped following"
    return Harmed(harmed, shards, lambda: room.supervisor.revive(name))


def lose_shard(room: Room, chance: random.Random) -> Harmed:
    """Kill a master and its replica for good; another master takes its slots over, empty."""
    nodes = _nodes(room)
    name, shards = _some_master(nodes, chance)
    group = cluster_slots.group_of(nodes, name)
    for lost in group:
        room.supervisor.lose(lost)
    others = [one for one in _masters(nodes).values() if one not in group]
    taker = chance.choice(sorted({*others}))
    cluster_slots.claim(nodes, cluster_slots.give_up_lost(nodes), taker)
    return Harmed(f"{' and '.join(group)} killed, slots to {taker}", shards)


def move_shard(room: Room, chance: random.Random) -> Harmed:
    """Move a shard to another master while its tables play; no hand may be void."""
    nodes = _nodes(room)
    owners = _masters(nodes)
    shard = chance.choice(sorted(owners))
    target = chance.choice(sorted({*owners.values()} - {owners[shard]}))
    took_s = cluster_slots.move_shard(nodes, shard, owners[shard], target)
    return Harmed(f"shard {shard} from {owners[shard]} to {target} in {took_s:.2f} s")


def lose_broker(room: Room, chance: random.Random) -> Harmed:
    """Kill the broker's master for good; its Sentinels promote the standby. Costs bells only."""
    laid_out = room.layout.servers()
    assert laid_out.standbys is not None, "a drill has standbys"
    by_port = {one.port: one.name for one in (laid_out.broker, laid_out.standbys.broker)}
    with clients(laid_out.standbys.sentinels[:1]) as [sentinel]:
        name = by_port[int(sentinel.sentinel_master(SERVICE)["port"])]
    room.supervisor.lose(name)
    return Harmed(f"{name} killed", mend=lambda: room.supervisor.revive(name))


def lose_postgres(room: Room, chance: random.Random) -> Harmed:
    """Kill the primary of PostgreSQL for good, and promote its standby."""
    laid_out = room.layout.servers()
    assert laid_out.standbys is not None, "a drill has standbys"
    room.supervisor.lose(laid_out.postgres.name)
    promote(laid_out.standbys.postgres)
    return Harmed(f"{laid_out.postgres.name} killed, {laid_out.standbys.postgres.name} promoted")


def freeze_master(room: Room, chance: random.Random) -> Harmed:
    """Freeze the master of some shards until its replica took over, then let it come back.

    To all others it is cut off; once it is back it takes itself for the master for a moment.
    """
    nodes = _nodes(room)
    name, shards = _some_master(nodes, chance)
    room.supervisor.signal(name, signal.SIGSTOP)
    time.sleep(FROZEN_S)
    room.supervisor.signal(name, signal.SIGCONT)
    return Harmed(f"{name} frozen for {FROZEN_S} s, then back", shards)


def lose_power(room: Room, chance: random.Random) -> Harmed:
    """Kill all servers and processes but the bots at once, as a loss of power of their machine.

    What the files of the room's Redis hold and no sync has reached is cut off.
    """
    supervisor = room.supervisor
    victims = [name for name in supervisor.restarts() if not name.startswith("swarm")]
    pids = [pid for name in victims if (pid := supervisor.pid(name)) is not None]
    for name in victims:
        supervisor.kill(name)
    give_up_s = time.monotonic() + DEAD_WITHIN_S
    while any(map(_lives, pids)) and time.monotonic() < give_up_s:
        time.sleep(0.01)
    cut = sum(power.lose_unsynced(node.place / node.name) for node in _nodes(room))
    every = frozenset(range(settings.SHARDS))
    return Harmed(f"{len(pids)} processes killed at once, the end of {cut} files cut", every)


def lose_postgres_behind(room: Room, chance: random.Random) -> Harmed:
    """Kill PostgreSQL's primary for good, and promote a standby that lacks the last moments.

    The room must wait for the operator, who accepts the loss here.
    """
    laid_out = room.layout.servers()
    assert laid_out.standbys is not None, "a drill has standbys"
    standby = laid_out.standbys.postgres
    _set(laid_out.postgres, "synchronous_standby_names")
    _set(standby, "primary_conninfo")
    time.sleep(BEHIND_S)
    room.supervisor.lose(laid_out.postgres.name)
    promote(standby)
    connection.close()
    waited = _waits_for_operator()
    told = StringIO()
    call_command("database_run", accept_loss=True, stdout=told)
    signs = [line for line in told.getvalue().splitlines() if line.startswith("- ")]
    harmed = f"{standby.name} promoted {BEHIND_S} s behind, {waited}, told {signs}"
    return Harmed(harmed, frozenset(range(settings.SHARDS)))


def _waits_for_operator() -> str:
    """Return what was settled by a room that waits for its operator: it must be nothing."""
    before = Hand.objects.count()
    time.sleep(WAITS_S)
    settled = Hand.objects.count() - before
    return f"{settled} hands settled in the {WAITS_S} s before the operator accepted it"


def _set(server: Postgres, name: LiteralString) -> None:
    """Set a setting of a server to nothing."""
    keeper = server.url_of(KEEPER, "postgres")
    with psycopg.connect(keeper, autocommit=True) as asked:
        asked.execute(sql.SQL("ALTER SYSTEM SET {} = ''").format(sql.Identifier(name)))
        asked.execute("SELECT pg_reload_conf()")


def _lives(pid: int) -> bool:
    """Return whether a process runs; one that is dead and not yet collected does not."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


LOSSES: dict[str, Loss] = {
    "move": move_shard,
    "master": lose_master,
    "behind": lose_master_behind,
    "frozen": freeze_master,
    "broker": lose_broker,
    "power": lose_power,
    "postgres": lose_postgres,
    "stale": lose_postgres_behind,
    "shard": lose_shard,
}
"""Losses by name, in their order: what leaves fewer servers comes last."""

ONCE = frozenset({"postgres", "stale", "shard"})
"""Losses that a room can have once: what is lost has no standby any more."""

INSTEAD = frozenset({"stale"})
"""Losses of what another one loses, too: they are played only where they are named."""


def _nodes(room: Room) -> Sequence[Valkey]:
    return room.layout.servers().nodes


def _masters(nodes: Sequence[Valkey]) -> dict[int, str]:
    return cluster_slots.masters_of(nodes, range(settings.SHARDS))


def _some_master(nodes: Sequence[Valkey], chance: random.Random) -> tuple[str, frozenset[int]]:
    """Return a master that has open tables, and its shards."""
    owners = _masters(nodes)
    rows = Table.objects.filter(status=Table.Status.OPEN)
    members = map(keys.table, rows.values_list("pk", flat=True))
    name = chance.choice(sorted({owners[keys.shard(one, settings.SHARDS)] for one in members}))
    return name, frozenset(shard for shard, owner in owners.items() if owner == name)
