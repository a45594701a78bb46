"""A tournament with tables on a silent node of a cluster: none of the others plays on (T-13)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
from pytest_django.fixtures import Settings
from redis import Redis
from redis.exceptions import RedisError

from config import limits
from config import redis as doors
from config.redis import silence
from tables.dealer import director
from tables.dealer.grants import Answer, Grant, Wait
from tables.store import keys, wakes
from tests.tables.gateway.sockets import wait_for
from tests.tables.store.clusters import SHARDS, Cluster, running
from tests.tournaments.cast import started
from tournaments.events import bells
from tournaments.models import Tournament
from tournaments.running import freezing, tick


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Nodes of a cluster."""
    with running() as made:
        yield made


@pytest.fixture
def room_of_nodes(house: Redis, cluster: Cluster, settings: Settings) -> Iterator[None]:
    """The cluster as the room's Redis of this process."""
    settings.ROOM_REDIS_URL, settings.ROOM_REDIS_MODE = cluster.url, "cluster"
    settings.SHARDS = SHARDS
    doors.forget()
    yield
    doors.forget()
    for node in cluster.nodes:
        silence.of_node("127.0.0.1", node.port).end()


def _tables_by_node(cluster: Cluster, made: Tournament) -> dict[str, set[int]]:
    """Tables of a tournament by the master that has them, but for the one with its own wake."""
    masters = cluster.masters()
    own = masters[keys.shard(bells.member(made.pk), SHARDS)]
    found: dict[str, set[int]] = {}
    for table in bells.open_tables(made.pk):
        found.setdefault(masters[keys.shard(keys.table(table), SHARDS)], set()).add(table)
    return {name: tables for name, tables in found.items() if name != own}


def _state_after_ticks(made: Tournament) -> str:
    time.sleep(limits.TOURNAMENT_TICK_MS / 1_000)
    tick.tick(made.pk)
    made.refresh_from_db()
    return str(made.state)


def _answers(shard: int) -> bool:
    with suppress(RedisError):
        return wakes.now_ms(doors.room(), shard) > 0
    return False


@pytest.mark.rule("T-13")
def test_tables_that_cannot_be_read_for_long_freeze_all_others(
    room_of_nodes: None, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TABLE_OVERDUE_MS", 4_000)
    made = started(24, seats_per_table=2, players_max=24)
    assert _state_after_ticks(made) == "running"
    name, lost = next(iter(_tables_by_node(cluster, made).items()))
    with cluster.frozen(name):
        # A node that is silent for a moment is replaced: that stops no tournament.
        assert _state_after_ticks(made) == "running"
        wait_for(lambda: _state_after_ticks(made) == "frozen")
        details = made.audit.get(action="freeze").details
        assert set(details["tables"]) == lost
    wait_for(lambda: all(map(_answers, range(SHARDS))))
    wait_for(lambda: _state_after_ticks(made) == "running")
    assert not doors.room().exists(freezing.unread_key(made.pk))


@pytest.mark.rule("T-13")
def test_tables_stand_while_the_node_with_the_wake_of_their_tournament_is_silent(
    room_of_nodes: None, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TABLE_OVERDUE_MS", limits.TOURNAMENT_GAP_MS + 1_000)
    made = started(24, seats_per_table=2, players_max=24)
    own = cluster.masters()[keys.shard(bells.member(made.pk), SHARDS)]
    first, second = sorted(set.union(*_tables_by_node(cluster, made).values()))[:2]
    tournaments = director.of("tournament")
    with cluster.frozen(own):
        with pytest.raises(RedisError):
            tick.tick(made.pk)
        assert isinstance(tournaments.next(first, 1), Grant)
        wait_for(lambda: freezing.is_untended(made))
        assert _waits(tournaments.next(second, 1))
    wait_for(lambda: all(map(_answers, range(SHARDS))))
    assert _state_after_ticks(made) == "running"
    assert wakes.due(doors.room(), keys.table(second)) == 0
    assert isinstance(tournaments.next(second, 1), Grant)


def _waits(answer: Answer) -> bool:
    return isinstance(answer, Wait) and answer.reason == "paused"


@pytest.mark.rule("L-05")
def test_tables_wake_together_but_for_those_on_a_silent_node(
    room_of_nodes: None, cluster: Cluster
) -> None:
    made = started(24, seats_per_table=2, players_max=24)
    tables = bells.open_tables(made.pk)
    name, lost = next(iter(_tables_by_node(cluster, made).items()))
    with cluster.frozen(name):
        with pytest.raises(RedisError):
            bells.wake_tables([*lost, *tables])
        for table in set(tables) - lost:
            assert wakes.due(doors.room(), keys.table(table)) == 0
    wait_for(lambda: all(map(_answers, range(SHARDS))))
