"""Slots of an embedded Redis Cluster: who owns a shard, moving one, taking over lost ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from redis.crc import key_slot
from redis.exceptions import RedisError

from deploy.embedded.redis_cluster import SLOTS, clients, cluster_info, node_id
from deploy.embedded.valkey import Valkey
from tables.store import keys

SLOTS_WITHIN_S = 30.0
"""Longest wait for a change of slots to be seen by every node."""

_ASK_EVERY_S = 0.05


class SlotsUnmoved(Exception):
    """Nodes of a cluster do not agree on a change of slots in time."""


def slot_of(shard: int) -> int:
    """Return the slot of all keys of a shard."""
    return int(key_slot(keys.tag(shard).encode()))


def masters_of(nodes: Sequence[Valkey], shards: Iterable[int]) -> dict[int, str]:
    """Return the name of the node that owns each shard, as the first node that answers sees it."""
    owners = owners_of(nodes)
    return {
        shard: name
        for shard in shards
        for first, last, name in owners
        if first <= slot_of(shard) <= last
    }


def owners_of(nodes: Sequence[Valkey]) -> list[tuple[int, int, str]]:
    """Return first slot, last slot and owner of each range, as the first node that answers sees it.

    Each owner is a master that votes. Raises SlotsUnmoved when no node answers.
    """
    by_port = {node.port: node.name for node in nodes}
    for node in nodes:
        try:
            with clients([node]) as [client]:
                ranges: Any = client.execute_command("CLUSTER SLOTS")
        except RedisError:
            continue
        return [(first, last, by_port[owner[1]]) for first, last, owner, *_ in ranges]
    raise SlotsUnmoved("no node of the cluster answers")


def move_shard(nodes: Sequence[Valkey], shard: int, source: str, target: str) -> float:
    """Move a shard between two masters while it is used; return the seconds it took."""
    began_s, slot = time.monotonic(), slot_of(shard)
    chosen = [node for name in (source, target) for node in nodes if node.name == name]
    with clients(chosen) as [giving, taking]:
        giving.execute_command(
            *("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", node_id(taking))
        )
    wait_until(lambda: masters_of(nodes, [shard])[shard] == target, "the shard did not move")
    return time.monotonic() - began_s


def group_of(nodes: Sequence[Valkey], master: str) -> list[str]:
    """Return the names of a master and its replicas."""
    [node] = [node for node in nodes if node.name == master]
    with clients([node]) as [client]:
        ports = {
            one["port"]
            for name, one in client.info("replication").items()
            if name.startswith("slave") and isinstance(one, dict)
        }
    return [master, *(node.name for node in nodes if node.port in ports)]


def give_up_lost(nodes: Sequence[Valkey]) -> list[int]:
    """Take the slots of servers that are lost for good from them, as an operator would.

    Return first and last slot of each range, flat. No server has these slots until one claims them.
    """
    with clients([node for node in nodes if _lives(node)]) as found:
        wait_until(
            lambda: all(cluster_info(client)["cluster_slots_fail"] != "0" for client in found),
            "some node misses no server",
        )
        slots = _failed_ranges(found[0])
        for client in found:
            client.execute_command("CLUSTER DELSLOTSRANGE", *slots)
    return slots


def claim(nodes: Sequence[Valkey], slots: Sequence[int], name: str) -> None:
    """Let the master `name` own slots without an owner; they are empty."""
    living = [node for node in nodes if _lives(node)]
    with clients(living) as found:
        taker = found[[node.name for node in living].index(name)]
        taker.execute_command("CLUSTER ADDSLOTSRANGE", *slots)
        # A claim with an older epoch than that of the dead owner would not be believed.
        taker.execute_command("CLUSTER BUMPEPOCH")
        wait_until(
            lambda: all(cluster_info(client)["cluster_slots_ok"] == str(SLOTS) for client in found),
            "the nodes do not agree on the lost slots",
        )


def _failed_ranges(client: Any) -> list[int]:
    """Return first and last slot of each range of a failed master, flat."""
    nodes: Mapping[str, Any] = client.execute_command("CLUSTER NODES")
    failed = [one for one in nodes.values() if {"master", "fail"} <= {*one["flags"].split(",")}]
    ranges = [part for one in failed for part in one["slots"]]
    return [int(slot) for part in ranges for slot in (part[0], part[-1])]


def _lives(node: Valkey) -> bool:
    try:
        with clients([node]) as [client]:
            return bool(client.ping())
    except RedisError:
        return False


def wait_until(holds: Callable[[], bool], failure: str) -> None:
    """Return once `holds` is true; raise SlotsUnmoved with `failure` when that takes too long."""
    give_up_s = time.monotonic() + SLOTS_WITHIN_S
    while not holds():
        if time.monotonic() > give_up_s:
            raise SlotsUnmoved(failure)
        time.sleep(_ASK_EVERY_S)
