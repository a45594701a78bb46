"""Cuts of a headless run over several machines: carried out, reported and judged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings

from deploy.cluster.room import Room
from deploy.faults import cluster_slots
from deploy.faults.partitions import Cut, Partitions, outvoted
from deploy.measuring.pulse import Pulse
from deploy.measuring.void_hands import void_by_shard
from deploy.processes.roster import machine_of


@contextmanager
def partitions(room: Room) -> Iterator[Partitions]:
    """Carry out the requested cuts; nothing stays cut at the end."""
    layout = room.layout
    pulse = Pulse(settings.ROOM_REDIS_URL, shards=settings.SHARDS)
    endangers = (lambda one: _endangered(room, one)) if layout.masters else None
    made = Partitions(
        room.options.cuts, layout.machines, pulse, endangers=endangers, shards=settings.SHARDS
    )
    try:
        yield made
    finally:
        made.finish()
        pulse.close()


def add_partitions(report: dict[str, Any], room: Room, cuts: Partitions) -> None:
    """Add to the report of a tournament how the room came through its cuts.

    With a Redis Cluster only hands of masters that a cut separated from most others may be void,
    unless processes were killed as well.
    """
    report["partitions"] = cuts.report()
    report["violations"] += cuts.violations()
    if room.layout.masters:
        report["void"] = void_by_shard(report["tournament"])
        elsewhere = {*report["void"]} - cuts.endangered
        if elsewhere and not room.options.kills:
            report["violations"].append(f"hands of other shards are void: {sorted(elsewhere)}")


def _endangered(room: Room, cut: Cut) -> frozenset[int]:
    """Return the shards of masters that a cut leaves with half of the masters or fewer."""
    nodes, many = room.layout.servers().nodes, room.layout.masters
    voters = {owner for _, _, owner in cluster_slots.owners_of(nodes)}
    alone = outvoted({name: machine_of(name, many) or "" for name in voters}, cut)
    owners = cluster_slots.masters_of(nodes, range(settings.SHARDS))
    return frozenset(shard for shard, owner in owners.items() if owner in alone)
