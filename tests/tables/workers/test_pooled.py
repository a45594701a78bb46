"""Game and adoption over a pooler that gives each transaction another session of PostgreSQL."""

from __future__ import annotations

import itertools
import os
import random
import signal
import threading
from collections.abc import Iterator

import pytest
from django.db import connection
from redis import Redis

from config.postgres import databases
from config.postgres.exclusive import exclusively
from tables.models import Hand, Seat, Table
from tables.store import fenced
from tables.workers import advance, recovery
from tests.config.postgres.rotating_pooler import RotatingPooler
from tests.conftest import world
from tests.tables import playing

pytestmark = pytest.mark.django_db(transaction=True)

SESSIONS = 3


@pytest.fixture
def pooler() -> Iterator[RotatingPooler]:
    """Let Django's connection go through a pooler, with the settings of DATABASE_POOLED=1."""
    before = dict(connection.settings_dict)
    name = str(before["NAME"])
    url = world.servers.postgres.owner_url.rpartition("/")[0] + f"/{name}"
    made = RotatingPooler(url, SESSIONS)
    pooled = databases.parse(
        f"postgresql://room:any@127.0.0.1:{made.port}/{name}", name="test", kept_s=600, pooled=True
    )
    connection.close()
    connection.settings_dict.update(pooled)
    yield made
    connection.close()
    connection.settings_dict.update(before)
    for key in pooled.keys() - before.keys():
        del connection.settings_dict[key]
    made.close()


def _own_session() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_each_transaction_has_another_session(pooler: RotatingPooler) -> None:
    pids = [_own_session() for _ in range(2 * SESSIONS)]
    assert len(set(pids)) == SESSIONS
    assert all(one != other for one, other in itertools.pairwise(pids))
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '7s'")
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() != ("7s",), "what a session was told is gone"


def test_a_game_is_played_to_its_end_without_a_session(room: Redis, pooler: RotatingPooler) -> None:
    table = playing.sit_down([1_000] * 3)
    assert recovery.adopt(room, 0)
    chance, number = random.Random(3), 0
    state = playing.run(room, table.pk)
    while state.phase == "hand":
        number += 1
        playing.send(room, state, chance, number)
        advance.advance(room, table.pk, chance)
        now = fenced.peek(room, table.pk)
        assert now is not None
        state = playing.run(room, table.pk) if now.phase == "finished" else now
        assert number < 2_000
    assert Table.objects.get(pk=table.pk).status == Table.Status.CLOSED
    hands = Hand.objects.filter(table=table).count()
    assert hands >= 1
    assert sum(Seat.objects.filter(table=table).values_list("chips", flat=True)) == 3_000
    assert pooler.transactions > 3 * hands


def test_an_adoption_locks_its_shard_without_a_session(room: Redis, pooler: RotatingPooler) -> None:
    playing.sit_down([1_000] * 3)
    with exclusively(recovery.ADOPTION_LOCK, 0) as is_mine:
        assert is_mine
        assert [_own_session() for _ in range(SESSIONS)], "transactions beside it"
        assert not recovery.adopt(room, 0), "another process waits for it"
    assert recovery.adopt(room, 0)


def test_the_lock_of_an_adoption_is_free_as_soon_as_it_is_over(room: Redis) -> None:
    with exclusively(recovery.ADOPTION_LOCK, 0) as is_mine:
        assert is_mine
        [pid] = _holders()
        # A busy machine: the session of the lock runs again in a moment, also when it is closed.
        os.kill(pid, signal.SIGSTOP)
        threading.Timer(0.5, os.kill, (pid, signal.SIGCONT)).start()
    with exclusively(recovery.ADOPTION_LOCK, 0) as is_mine:
        assert is_mine, "the one before is over"


def test_work_that_is_complete_does_not_fail_with_the_connection_of_its_lock(room: Redis) -> None:
    with exclusively(recovery.ADOPTION_LOCK, 0) as is_mine:
        assert is_mine
        [pid] = _holders()
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
            assert cursor.fetchone() == (True,)


def _holders() -> list[int]:
    """Return the sessions of PostgreSQL that hold the lock of an adoption."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = %s",
            [recovery.ADOPTION_LOCK],
        )
        return [pid for (pid,) in cursor.fetchall()]
