"""Streams arrive complete: every missed event once and in order, or a snapshot."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.conf import settings
from redis import Redis

from config import limits
from tables.gateway.streams import reader
from tables.store import keys, streams
from tests.conftest import Running
from tests.tables.gateway.socket_site import lose, site, told, write
from tests.tables.gateway.sockets import Site, wait_for

__all__ = ["site"]

NAME = "count:1"


def _numbers(events: list[dict[str, Any]]) -> list[int]:
    assert [event["id"] for event in events] == [f"0-{event['n']}" for event in events]
    return [event["n"] for event in events]


def test_a_snapshot_then_every_event_once(site: Site, room: Redis) -> None:
    for _ in range(3):
        write(room, NAME)
    client = site.client()
    snapshot = client.follow(NAME)
    assert (snapshot["id"], snapshot["state"]["count"]) == ("0-3", 3)
    for _ in range(50):
        write(room, NAME)
    assert _numbers(client.events(NAME, 50)) == list(range(4, 54))
    assert client.silent()


def test_a_stream_may_be_empty_at_first(site: Site, room: Redis) -> None:
    told[NAME] = 0
    client = site.client()
    assert client.follow(NAME)["id"] == "0-0"
    write(room, NAME)
    assert _numbers(client.events(NAME, 1)) == [1]


def test_after_a_cut_the_events_after_the_last_one_seen_come_exactly_once(
    site: Site, room: Redis
) -> None:
    write(room, NAME)
    client, witness = site.client(), site.client()
    client.follow(NAME)
    witness.follow(NAME)
    write(room, NAME)
    assert _numbers(client.events(NAME, 1)) == [2]
    client.cut()
    for _ in range(5):
        write(room, NAME)
    again = site.client()
    again.say(type="subscribe", stream=NAME, after="0-2")
    for _ in range(3):
        write(room, NAME)
    assert _numbers(again.events(NAME, 8)) == list(range(3, 11))
    assert again.silent()
    assert _numbers(witness.events(NAME, 9)) == list(range(2, 11))


def test_a_stream_without_other_followers_can_be_resumed(site: Site, room: Redis) -> None:
    for _ in range(20):
        write(room, NAME)
    client = site.client()
    client.say(type="subscribe", stream=NAME, after="0-15")
    assert _numbers(client.events(NAME, 5)) == list(range(16, 21))


def test_a_resume_without_missed_events_is_confirmed(site: Site, room: Redis) -> None:
    write(room, NAME)
    client = site.client()
    client.say(type="subscribe", stream=NAME, after="0-1")
    assert client.next() == {"type": "events", "stream": NAME, "events": []}
    write(room, NAME)
    assert _numbers(client.events(NAME, 1)) == [2]


def test_an_unknown_last_event_gets_a_snapshot(site: Site, room: Redis) -> None:
    for _ in range(5):
        write(room, NAME)
    for after in ("0-9", "7-1", "0-99999"):
        client = site.client()
        assert client.follow(NAME, after=after)["id"] == "0-5"
        client.close()


def test_a_client_that_was_away_too_long_gets_a_snapshot(site: Site, room: Redis) -> None:
    for _ in range(limits.TAIL_EVENTS_MAX + 5):
        write(room, NAME)
    client = site.client()
    last = limits.TAIL_EVENTS_MAX + 5
    assert client.follow(NAME, after="0-2")["id"] == f"0-{last}"
    again = site.client()
    again.say(type="subscribe", stream=NAME, after="0-5")
    assert _numbers(again.events(NAME, limits.TAIL_EVENTS_MAX))[-1] == last


def test_a_trimmed_stream_gives_a_snapshot(site: Site, room: Redis) -> None:
    for _ in range(10):
        write(room, NAME)
    room.xtrim(keys.events(NAME, settings.SHARDS), maxlen=3, approximate=False)
    assert site.client().follow(NAME, after="0-5")["id"] == "0-10"
    client = site.client()
    client.say(type="subscribe", stream=NAME, after="0-7")
    assert _numbers(client.events(NAME, 3)) == [8, 9, 10]


def test_a_gap_gives_a_snapshot_and_nothing_in_between(site: Site, room: Redis) -> None:
    write(room, NAME)
    client = site.client()
    client.follow(NAME)
    told[NAME] += 1  # a row whose event never reaches Redis
    write(room, NAME)
    snapshot = client.next()
    assert (snapshot["type"], snapshot["id"]) == ("snapshot", "0-3")
    write(room, NAME)
    assert _numbers(client.events(NAME, 1)) == [4]


def test_lost_hints_are_recovered_by_comparing_stream_heads(site: Site, room: Redis) -> None:
    write(room, NAME)
    client = site.client()
    client.follow(NAME)
    for _ in range(3):
        lose(room, NAME)
    assert _numbers(client.events(NAME, 3)) == [2, 3, 4], "only a sweep can find these events"


def test_an_event_published_twice_is_delivered_once(site: Site, room: Redis) -> None:
    write(room, NAME)
    client = site.client()
    client.follow(NAME)
    for _ in range(3):
        assert not streams.publish(room, NAME, 1, b'{"type":"counted","n":1}')
    write(room, NAME)
    assert _numbers(client.events(NAME, 1)) == [2]


def test_no_event_arrives_after_unsubscribing(site: Site, room: Redis) -> None:
    write(room, NAME)
    write(room, "count:2")
    client = site.client()
    client.follow(NAME)
    client.follow("count:2")
    client.say(type="unsubscribe", stream=NAME)
    wait_for(lambda: site.ask(lambda here: NAME not in here._feeds))
    write(room, NAME)
    write(room, "count:2")
    assert _numbers(client.events("count:2", 1)) == [2]
    assert client.silent()


def test_spectators_get_few_frames_for_many_events(site: Site, room: Redis) -> None:
    write(room, NAME)
    client = site.client()
    client.follow(NAME)
    began = time.monotonic()
    for _ in range(200):
        write(room, NAME)
    frames, seen = 0, 0
    while seen < 200:
        message = client.next()
        frames += 1
        seen += len(message["events"])
    took_s = time.monotonic() - began
    assert frames <= took_s * 1_000 / limits.SPECTATOR_FRAME_MS + 2


def test_a_slow_client_restarts_from_a_snapshot_and_delays_no_other(
    site: Site, room: Redis
) -> None:
    write(room, NAME)
    slow, quick = site.client(lazy=True), site.client()
    slow.follow(NAME)
    quick.follow(NAME)
    heard, batch, total = [1], 50, limits.SOCKET_QUEUE_MESSAGES_MAX // 50 * 50 + 500
    while heard[-1] < total + 1:
        for _ in range(batch):
            write(room, NAME, pad="x" * 60_000)
        heard += _numbers(quick.events(NAME, batch))
    assert heard == list(range(1, total + 2))
    last, snapshots = 1, 0
    while last < total + 1:
        message = slow.next()
        if message["type"] == "snapshot":
            snapshots += 1
            last = int(message["id"].partition("-")[2])
        for event in message.get("events", ()):
            assert event["n"] == last + 1
            last += 1
    assert snapshots >= 1
    assert slow.silent()


def test_lost_hints_are_recovered_in_every_slice_of_a_round(
    site: Site, room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "PART_STREAMS_MIN", 1)
    names, client = [f"count:{number}" for number in range(1, 6)], site.client()
    for name in names:
        write(room, name)
        client.follow(name)
    for name in names:
        lose(room, name)
    heard: dict[str, list[int]] = {}
    while len(heard) < len(names):  # a round may begin with any slice
        message = client.expect("events")
        heard.setdefault(message["stream"], []).extend(_numbers(message["events"]))
    assert heard == {name: [2] for name in names}


def test_streams_restart_after_redis_is_killed_and_empty(
    site: Site, room: Redis, room_server: Running
) -> None:
    write(room, NAME)
    client = site.client()
    client.follow(NAME)
    room_server.kill()
    time.sleep(0.5)
    told[NAME] += 1  # published during the outage of Redis, and lost with it
    room_server.start()
    room.flushall()
    snapshot = client.expect("snapshot")
    assert snapshot["id"] == "0-2"
    write(room, NAME)
    assert _numbers(client.events(NAME, 1)) == [3]


def test_a_socket_opened_during_an_outage_of_redis_is_served_afterwards(
    site: Site, room: Redis, room_server: Running
) -> None:
    write(room, NAME)
    room_server.kill()
    client = site.client()
    client.say(type="subscribe", stream=NAME)
    assert client.silent(0.5)
    room_server.start()
    assert client.expect("snapshot")["id"] == "0-1"
