"""Embedded Redis Cluster: masters that share the slots evenly, each with one replica."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

from redis import Redis
from redis.exceptions import RedisError, ResponseError

from config import environment
from deploy.embedded import valkey
from deploy.embedded.program import Program
from deploy.embedded.valkey import Valkey

SLOTS = 16_384


def url(nodes: Sequence[Valkey]) -> str:
    """Return the address of a cluster by all of its nodes."""
    secret = environment.kept_secret(nodes[0].secret_file)
    hosts = ",".join(f"{node.address}:{node.port}" for node in nodes)
    return f"redis+cluster://:{secret}@{hosts}"


def prepare(nodes: Sequence[Valkey], masters: int) -> list[Program]:
    """Return the programs of all nodes; the last one is ready when the cluster is complete."""
    *others, last = [valkey.prepare(node) for node in nodes]
    return [*others, replace(last, ready=lambda: is_joined(nodes, masters))]


def is_joined(nodes: Sequence[Valkey], masters: int) -> bool:
    """Return whether the cluster is complete; do the next step of joining it when it is not.

    The first `masters` nodes own the slots, node `masters + n` is the replica of node `n`.
    """
    try:
        with clients(nodes) as found:
            if all(_is_complete(client, len(nodes)) for client in found):
                return True
            _join(nodes, found, masters)
    except RedisError:  # not up yet, or not known to each other yet
        pass
    return False


@contextmanager
def clients(nodes: Sequence[Valkey]) -> Iterator[list[Any]]:
    """Yield a client of each node, which speaks to that node alone."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                Redis.from_url(node.url, socket_timeout=1, socket_connect_timeout=1, retry=None)
            )
            for node in nodes
        ]


def _is_complete(client: Any, nodes: int) -> bool:
    info = cluster_info(client)
    replication = client.info("replication")
    if replication["role"] == "master":
        follows = replication["connected_slaves"] > 0
    else:
        follows = replication["master_link_status"] == "up"
    whole = info["cluster_known_nodes"] == str(nodes) and info["cluster_slots_ok"] == str(SLOTS)
    return follows and whole and info["cluster_state"] == "ok"


def _join(nodes: Sequence[Valkey], found: Sequence[Any], masters: int) -> None:
    # 1. Nodes find each other by gossip; a repeated meeting changes nothing.
    for client in found[1:]:
        client.execute_command("CLUSTER MEET", nodes[0].address, nodes[0].port, nodes[0].bus)
    # 2. Masters take their slots, unless an earlier run gave them away.
    fresh = cluster_info(found[0])["cluster_slots_assigned"] != str(SLOTS)
    for number, client in enumerate(found[:masters] if fresh else ()):
        first, end = number * SLOTS // masters, (number + 1) * SLOTS // masters
        try:
            client.execute_command("CLUSTER ADDSLOTSRANGE", first, end - 1)
        except ResponseError as taken:
            if "already busy" not in str(taken):
                raise
    # 3. Each node without slots follows a master, once it knows that one.
    for number, client in enumerate(found[masters:]):
        if client.info("replication")["role"] == "master":
            client.execute_command("CLUSTER REPLICATE", node_id(found[number]))


def cluster_info(client: Any) -> dict[str, str]:
    """Return the fields of CLUSTER INFO as one node sees the cluster."""
    raw = client.execute_command("CLUSTER INFO")
    if isinstance(raw, dict):
        return {str(name): str(value) for name, value in raw.items()}
    pairs = (line.partition(":") for line in raw.decode().splitlines())
    return {name: value.strip() for name, _, value in pairs}


def node_id(client: Any) -> str:
    """Return the id of a node in its cluster."""
    raw = client.execute_command("CLUSTER MYID")
    return raw.decode() if isinstance(raw, bytes) else str(raw)
