"""Timers: bells are rung again, but not into a full queue; the heart beats without PostgreSQL."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path

import pytest
from django.db import connection
from redis import Redis

from config import limits, metrics
from config.celery import SETTLE, play_queue
from config.heartbeat import Heartbeat
from tables.store import keys
from tables.workers import bells, recovery, timers
from tables.workers.tasks import advance
from tables.workers.timers import Timer
from tests.tables import playing
from tests.tables.gateway.sockets import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def _due_twice(room: Redis, timer: Timer) -> None:
    """Make a table due again whose first bell was not answered."""
    table = playing.sit_down([1_000] * 3)
    recovery.adopt(room, 0)
    timer.sweep(0)
    member = keys.table(table.pk)
    assert room.hget(keys.state(member, 1), "rings") == b"1"
    room.zadd(keys.wakes(0), {member: int(time.time() * 1_000) - 5})


def test_an_unanswered_bell_is_rung_again(room: Redis, broker: Redis) -> None:
    timer = Timer(room, adopts=False)
    _due_twice(room, timer)
    waiting = broker.llen(SETTLE)
    timer.sweep(0)
    assert broker.llen(SETTLE) == waiting + 1


def test_a_full_queue_is_not_rung_again_until_it_is_drained(room: Redis, broker: Redis) -> None:
    timer = Timer(room, adopts=False)
    _due_twice(room, timer)
    broker.rpush(SETTLE, *["a bell"] * (limits.BELLS_WAITING_MAX + 1))
    waiting = broker.llen(SETTLE)
    assert bells.is_crowded("settle")
    assert not bells.is_crowded(play_queue("table:1"))
    timer.sweep(0)
    assert broker.llen(SETTLE) == waiting
    broker.delete(SETTLE)
    waiting_tables: dict[bytes, float] = dict(room.zscan_iter(keys.wakes(0)))
    room.zadd(keys.wakes(0), dict.fromkeys(waiting_tables, 1))
    timer.sweep(0)
    assert broker.llen(SETTLE) == 1


def test_workers_measure_how_long_a_bell_waited(room: Redis, broker: Redis) -> None:
    def waited_s() -> float:
        return sum(
            sample.value
            for family in metrics.BELL_WAIT_S.collect()
            for sample in family.samples
            if sample.name.endswith("_sum") and sample.labels["desk"] == "play"
        )

    bells.ring("table:77", "play")
    [told] = broker.lrange(play_queue("table:77"), 0, -1)
    rung_ms = json.loads(told)["headers"][bells.RUNG_MS]
    before_s = waited_s()
    advance.apply(args=("table:77",), headers={bells.RUNG_MS: rung_ms - 3_000})
    assert waited_s() - before_s >= 3
    before_s = waited_s()
    advance.apply(args=("table:77",))
    assert waited_s() == before_s, "a bell of the release before tells no time"


def test_a_settle_worker_without_postgresql_goes_on_beating(
    room: Redis, broker: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "alive"
    monkeypatch.setattr(timers, "heart", Heartbeat(str(file)))
    timer = Timer(room, adopts=True, worker="settle0@here", queues=["settle"])
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen: connections are refused
        # Threads of the timer connect anew; the connection of this thread stays where it is.
        with monkeypatch.context() as away:
            away.setitem(connection.settings_dict, "HOST", "127.0.0.1")
            away.setitem(connection.settings_dict, "PORT", str(nobody.getsockname()[1]))
            timer.start()
            try:
                for _ in range(2):
                    wait_for(file.exists)
                    file.unlink()
                assert not timer._begun, "it waits for PostgreSQL"
            finally:
                timer.stop()
