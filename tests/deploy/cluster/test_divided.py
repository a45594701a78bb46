"""Void hands of a run with cuts: allowed in the shards of outvoted masters only."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings
from redis import Redis

from deploy.cluster import divided
from deploy.cluster.room import ClusterOptions, Room
from deploy.faults.killing import every
from deploy.faults.partitions import Cut, Partitions
from deploy.measuring.pulse import Pulse
from deploy.processes import namespaces
from deploy.processes.layout import Layout
from deploy.processes.terminal import Terminal
from tables.fairness.leaves import Fate
from tables.models import SealedDeck, Table
from tables.store import keys
from tests.conftest import world
from tournaments.locks import DIRECTOR

GAME, SHARDS = 7, 6


def _void_hands(*fates: Fate) -> list[int]:
    """Make a table with one sealed hand for each fate; return the shards of the tables."""
    made = []
    for number, fate in enumerate(fates, 1):
        table = Table.objects.create(director=DIRECTOR, game=GAME, number=number, seats_max=6)
        SealedDeck.objects.create(
            table=table, epoch=1, hand=1, seal=b"%d" % number, sealed_ms=1, fate=fate.value
        )
        made.append(keys.shard(keys.table(table.pk), SHARDS))
    return made


def _report(
    redis: Redis, place: Path, masters: int, endangered: set[int], **options: Any
) -> dict[str, Any]:
    """Return the report of a run whose one table ends during a cut that endangers these shards."""
    redis.zadd("{0}:wakes", {"table:999": 1.0})
    planned = namespaces.plan(masters=masters)
    layout = Layout(place, {}, frozenset(), planned, masters=masters)
    room = Room(layout, ClusterOptions(**options), Terminal(StringIO()))
    pulse = Pulse(world.servers.room.url)
    cuts = Partitions(
        [Cut(("data",), (), 0.0, 1.0)],
        planned,
        pulse,
        divide=lambda _: None,
        endangers=lambda _: frozenset(endangered),
    )
    while not cuts.endangered:
        cuts.cut_and_heal()
    redis.zrem("{0}:wakes", "table:999")
    cuts.finish()
    pulse.close()
    report: dict[str, Any] = {"tournament": GAME, "violations": []}
    divided.add_partitions(report, room, cuts)
    return report


@pytest.fixture
def playing(room: Redis, db: None, settings: Settings) -> Redis:
    settings.SHARDS = SHARDS
    room.hset("{0}:table:999", "epoch", 1)
    room.xadd("{0}:table:999:events", {"e": "{}"}, id="1-1")
    return room


def test_void_hands_are_counted_by_shard_and_allowed_where_a_master_was_outvoted(
    playing: Redis, place: Path
) -> None:
    void, _ = _void_hands(Fate.VOID_IN_PLAY, Fate.PLAYED)
    report = _report(playing, place, 3, {void})
    assert report["void"] == {void: 1}
    assert report["violations"] == []


def test_void_hand_of_another_shard_is_a_violation_unless_processes_were_killed(
    playing: Redis, place: Path
) -> None:
    [void] = _void_hands(Fate.VOID_IN_PLAY)
    other = (void + 1) % SHARDS
    wrong = f"hands of other shards are void: [{void}]"
    assert _report(playing, place, 3, {other})["violations"] == [wrong]
    assert _report(playing, place, 3, {other}, kills=(every("room:5"),))["violations"] == []


def test_room_of_one_server_is_reported_as_before(playing: Redis, place: Path) -> None:
    _void_hands(Fate.VOID_IN_PLAY)
    report = _report(playing, place, 0, {1})
    assert "void" not in report
    assert report["violations"] == []
