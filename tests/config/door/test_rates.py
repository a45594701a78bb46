"""Rates count tries over all processes of a room, or per process while Redis is away."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import pytest
from redis import Redis

from config import redis
from config.door import rates
from config.door.rates import Rate
from tests.conftest import Running

SLOW = Rate("try", burst=5, per_minute=0.001)


def test_a_burst_is_free_and_the_next_try_waits(room: Redis) -> None:
    assert [SLOW.take("ann") for _ in range(5)] == [0.0] * 5
    assert SLOW.take("ann") > 60
    assert SLOW.take("ben") == 0.0


def test_tries_are_earned_back(room: Redis) -> None:
    quick = Rate("quick", burst=1, per_minute=600_000)
    taken = [quick.take("ann") for _ in range(200)]
    assert taken.count(0.0) > 1


def test_a_refused_try_costs_nothing(room: Redis) -> None:
    for _ in range(5):
        SLOW.take("ann")
    waits = []
    for _ in range(20):
        rates._refused.clear()  # as in a process that has not refused this subject yet
        waits.append(SLOW.take("ann"))
    assert max(waits) == waits[0]


def test_the_subject_is_not_readable_in_redis(room: Redis) -> None:
    SLOW.take("203.0.113.7")
    assert not any(b"203.0.113.7" in key for key in room.scan_iter())
    assert all(room.pttl(key) > 0 for key in room.scan_iter(f"{rates.PREFIX}*"))


def _spend(prefix: str) -> int:
    rates.PREFIX = prefix
    return sum(SLOW.take("everybody") == 0.0 for _ in range(5))


def test_all_processes_of_a_room_share_the_tries(room: Redis) -> None:
    redis.forget()
    with ProcessPoolExecutor(3, multiprocessing.get_context("fork")) as processes:
        granted = list(processes.map(_spend, [rates.PREFIX] * 3))
    assert sum(granted) == 5


def test_without_redis_a_process_counts_alone(room: Redis, room_server: Running) -> None:
    room_server.kill()
    assert [SLOW.take("ann") for _ in range(5)] == [0.0] * 5
    assert SLOW.take("ann") > 60
    assert SLOW.take("ben") == 0.0


def test_counts_kept_without_redis_stay_bounded(
    room: Redis, room_server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    room_server.kill()
    monkeypatch.setattr(rates, "LOCAL_SUBJECTS_MAX", 10)
    for number in range(50):
        SLOW.take(str(number))
    assert len(rates._local) <= 10
