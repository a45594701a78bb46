"""Two rooms on one Redis or broker: the second does not start, and the first loses nothing."""

from __future__ import annotations

import time

import pytest
from django.conf import settings
from redis import Redis

from config import clock, limits
from config.process import server_checks
from config.process.server_checks import WrongServer
from tables.store import keys
from tables.workers import other_rooms, presence, timers
from tables.workers.presence import Worker
from tables.workers.timers import Timer
from tests.redis_answers import keys_of
from tests.tables.gateway.sockets import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def _contents(room: Redis) -> dict[bytes, object]:
    return {key: room.dump(key) for key in keys_of(room)}


def test_a_second_room_on_one_redis_does_not_start(room: Redis, broker: Redis) -> None:
    now_ms = clock.redis_now_ms(room)
    presence.note(room, Worker("settle0@there", ("settle",), now_ms, "room of PostgreSQL 7"))
    before = _contents(room)
    with pytest.raises(WrongServer, match="its worker settle0@there keeps room of PostgreSQL 7"):
        server_checks.verify_servers()
    assert _contents(room) == before


def test_a_room_that_ended_and_the_own_one_stop_no_start(room: Redis, broker: Redis) -> None:
    now_ms = clock.redis_now_ms(room)
    ended_ms = now_ms - limits.OTHER_ROOM_SILENT_MS
    presence.note(room, Worker("settle0@there", ("settle",), ended_ms, "room of PostgreSQL 7"))
    presence.note(room, Worker("play0@here", ("play.0",), now_ms))
    presence.note(room, Worker("settle0@here", ("settle",), now_ms, other_rooms.own_name()))
    server_checks.verify_servers()


@pytest.mark.parametrize(("name", "told"), [("SHARDS", (6, 4)), ("PLAY_QUEUES", (1, 16))])
def test_a_process_with_another_division_than_living_workers_does_not_start(
    room: Redis, broker: Redis, name: str, told: tuple[int, int]
) -> None:
    now_ms = clock.redis_now_ms(room)
    presence.note(room, Worker("play0@there", ("play.0",), now_ms, "", *told))
    before = _contents(room)
    with pytest.raises(WrongServer, match=rf"{name} is \d+ here, and \d+ in .*play0@there"):
        server_checks.verify_servers()
    assert _contents(room) == before
    ended_ms = now_ms - limits.OTHER_ROOM_SILENT_MS
    presence.note(room, Worker("play0@there", ("play.0",), ended_ms, "", *told))
    server_checks.verify_servers()


def test_workers_that_adopt_name_their_room(room: Redis, broker: Redis) -> None:
    timer = Timer(room, adopts=True, worker="settle0@here", queues=["settle"])
    timer.start()
    wait_for(lambda: room.hlen(keys.workers(0)) == 1)
    [report] = presence.workers(room, clock.redis_now_ms(room))
    assert report.room == other_rooms.own_name() != ""
    assert (report.shards, report.play_queues) == (settings.SHARDS, settings.PLAY_QUEUES)
    timer.stop()
    assert presence.workers(room, clock.redis_now_ms(room)) == [], "who stops leaves the list"


def test_a_second_room_on_one_broker_does_not_start(room: Redis, broker: Redis) -> None:
    other_rooms.mark_broker("room of PostgreSQL 7")
    before = _contents(broker)
    with pytest.raises(WrongServer, match=r"BROKER_URL: .* of room of PostgreSQL 7, this one is"):
        server_checks.verify_servers()
    assert _contents(broker) == before
    assert 0 < broker.pttl(other_rooms.BROKER_KEY) <= limits.OTHER_ROOM_SILENT_MS
    other_rooms.mark_broker(other_rooms.own_name())
    server_checks.verify_servers()


def test_workers_that_adopt_name_their_room_in_the_broker(
    room: Redis, broker: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timers, "PRESENCE_MS", 20)
    timer = Timer(room, adopts=True, worker="settle0@here", queues=["settle"])
    timer.start()
    wait_for(lambda: broker.get(other_rooms.BROKER_KEY) == other_rooms.own_name().encode())
    timer.stop()
    player = Timer(room, adopts=False, worker="play0@here", queues=["play.0"])
    broker.delete(other_rooms.BROKER_KEY)
    player.start()
    wait_for(lambda: room.hlen(keys.workers(0)) == 1)
    time.sleep(0.3)  # fifteen times as long as the first mark of the other took
    player.stop()
    assert broker.get(other_rooms.BROKER_KEY) is None, "others do not ask who they are"


def test_a_worker_that_was_killed_long_ago_is_forgotten_for_good(
    room: Redis, broker: Redis
) -> None:
    now_ms = clock.redis_now_ms(room)
    for number, age_ms in enumerate((presence.FORGOTTEN_MS, presence.FORGOTTEN_MS - 60_000)):
        presence.note(room, Worker(f"play-{number}@pod", ("play.0",), now_ms - age_ms))
    timer = Timer(room, adopts=True, worker="settle0@here", queues=["settle"])
    timer.start()
    wait_for(lambda: room.hexists(keys.workers(0), "settle0@here"))
    timer.stop()
    assert room.hkeys(keys.workers(0)) == [b"play-1@pod"], "RoomWorkerAway still tells that one"
