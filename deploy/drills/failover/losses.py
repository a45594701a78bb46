"""Losses of a failover drill: how each is done, which shards it may cost, and how it is mended."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django.conf import settings

from deploy.cluster.room import Room
from deploy.embedded.redis_cluster import clients
from deploy.embedded.standbys import SERVICE, promote
from deploy.embedded.valkey import Valkey
from deploy.faults import cluster_slots
from tables.models import Table
from tables.store import keys


@dataclass(slots=True)
class Harmed:
    """Loss that was done: its shards, whose hands may be void, and how the room is whole again."""

    what: str
    shards: frozenset[int] = frozenset()
    mend: Callable[[], None] = field(default=lambda: None)


BEHIND_S = 1.0
"""Time in s that a promoted replica lacks."""

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


LOSSES: dict[str, Loss] = {
    "move": move_shard,
    "master": lose_master,
    "behind": lose_master_behind,
    "broker": lose_broker,
    "postgres": lose_postgres,
    "shard": lose_shard,
}
"""Losses by name, in their order: what leaves fewer servers comes last."""

ONCE = frozenset({"postgres", "shard"})
"""Losses that a room can have once: what is lost has no standby any more."""


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
