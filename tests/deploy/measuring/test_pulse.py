"""Cost of a fault, measured at the streams of the tables in play."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from redis import Redis

from deploy.measuring.pulse import Fault, Pulse
from tests.conftest import Running, world
from tests.deploy.measuring import machine


@pytest.fixture
def pulse(room: Redis) -> Iterator[Pulse]:
    made = Pulse(world.servers.room.url)
    yield made
    made.close()


def _open(room: Redis, table: int) -> None:
    room.zadd("{0}:wakes", {f"table:{table}": 1.0})
    room.hset(f"{{0}}:table:{table}", "epoch", 1)
    _tell(room, table, "1-1")


def _tell(room: Redis, table: int, event_id: str) -> None:
    room.xadd(f"{{0}}:table:{table}:events", {"e": "{}"}, id=event_id)


def _until(holds: Callable[[], object]) -> None:
    give_up_s = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < give_up_s, "did not happen in time"
        time.sleep(0.01)


def test_every_table_in_play_is_waited_for(pulse: Pulse, room: Redis) -> None:
    _open(room, 1)
    _open(room, 2)
    with pulse.watching("harm") as fault:
        assert fault.waiting == {"table:1", "table:2"}
        _tell(room, 1, "1-2")
        _until(lambda: fault.waiting == {"table:2"})
        _tell(room, 2, "1-2")
        _until(lambda: fault.over)
    assert fault.next_s.keys() == fault.stood_s.keys() == {"table:1", "table:2"}
    assert all(fault.stood_s[table] >= took_s for table, took_s in fault.next_s.items())


def test_a_table_that_closes_is_waited_for_no_more(pulse: Pulse, room: Redis) -> None:
    _open(room, 1)
    with pulse.watching("harm") as fault:
        room.zrem("{0}:wakes", "table:1")
        _until(lambda: fault.over)
    assert fault.next_s == {}


def test_a_table_that_redis_lost_is_waited_for(
    pulse: Pulse, room: Redis, room_server: Running
) -> None:
    _open(room, 1)
    with pulse.watching("harm") as fault:
        room_server.kill()
        room_server.start()
        assert room.dbsize() == 0
        assert not fault.over
        _open(room, 2)
        room.zadd("{0}:wakes", {"table:1": 1.0})
        room.hset("{0}:table:1", "epoch", 2)
        _tell(room, 1, "2-1")
        _until(lambda: fault.over)
    assert fault.next_s.keys() == {"table:1"}, "only the first table was in play"


def test_silence_counts_from_the_fault_and_between_events() -> None:
    fault = Fault("harm", 10.0, {"a"}, silent_since_s={"a": 10.0})
    fault.grew("a", 10.5)
    assert fault.over
    fault.grew("a", 13.0)
    fault.grew("a", 13.1)
    assert fault.next_s == {"a": 0.5}
    assert fault.stood_s == {"a": 2.5}
    assert fault.steady(13.9, 1.0)
    assert not fault.steady(14.2, 1.0)


def test_limits_hold_exactly_on_a_quiet_machine_and_stretch_on_a_shared_one() -> None:
    assert machine.limit_s(5.0, machine.QUIET_SHARE) == 5.0
    assert machine.limit_s(5.0, 0.5) == 10.0
    assert machine.limit_s(5.0, machine.MOST_SHARE) == pytest.approx(50.0)
    assert 0.0 <= machine.Processors().others() <= machine.MOST_SHARE
