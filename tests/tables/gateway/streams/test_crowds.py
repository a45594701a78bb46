"""Crowds on one stream: frames in turns, and every event for everybody all the same."""

from __future__ import annotations

import time

import msgspec
import pytest
from redis import Redis

from config import limits
from tables.gateway.streams import known_kinds
from tests.tables.gateway.socket_site import KIND, site, write
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.sockets import Client, Site

__all__ = ["game", "site"]

NAME = "count:1"
CROWD, EVENTS = 7, 60


def test_a_crowd_gets_every_event_once_in_turns(
    site: Site, room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Events that come while some had their turn reach them with the next one."""
    monkeypatch.setattr(limits, "FRAMES_AT_ONCE_MAX", 2)
    monkeypatch.setattr(limits, "CROWD_FRAMES_PER_S_MAX", 40)
    write(room, NAME)
    clients = [site.client() for _ in range(CROWD)]
    for client in clients:
        client.follow(NAME)
    for _ in range(EVENTS):
        write(room, NAME)
    for client in clients:
        numbers = [event["n"] for event in client.events(NAME, EVENTS)]
        assert numbers == list(range(2, EVENTS + 2))
    assert all(client.silent() for client in clients)


def test_a_follower_that_leaves_during_the_turns_is_sent_nothing_more(
    site: Site, room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FRAMES_AT_ONCE_MAX", 1)
    monkeypatch.setattr(limits, "CROWD_FRAMES_PER_S_MAX", 4)
    write(room, NAME)
    staying, leaving = site.client(), site.client()
    for client in (staying, leaving):
        client.follow(NAME)
    write(room, NAME)
    leaving.say(type="unsubscribe", stream=NAME)
    for _ in range(5):
        write(room, NAME)
    assert [event["n"] for event in staying.events(NAME, 6)] == list(range(2, 8))
    while not leaving.silent():
        pass
    told = [message for message in leaving.heard if message["type"] == "events"]
    assert sum(len(message["events"]) for message in told) <= 1


class _Calm(msgspec.Struct, tag="calm"):
    """Event that a crowd may hear of later."""


@pytest.fixture
def crowd(site: Site, room: Redis, monkeypatch: pytest.MonkeyPatch) -> list[Client]:
    """Followers of a stream of which one in 1,000 s is told of calm events."""
    known_kinds.register_snapshot("slow", known_kinds._kinds[KIND].provider, calm=(_Calm,))
    monkeypatch.setattr(limits, "FRAMES_AT_ONCE_MAX", 1)
    monkeypatch.setattr(limits, "CALM_FRAMES_PER_S_MAX", 0.001)
    write(room, "slow:1")
    clients = [site.client() for _ in range(CROWD)]
    for client in clients:
        client.follow("slow:1")
    return clients


def test_a_crowd_waits_longer_for_calm_events(room: Redis, crowd: list[Client]) -> None:
    """Other events are told to all at once."""
    write(room, "slow:1")
    for client in crowd:
        assert [event["n"] for event in client.events("slow:1", 1)] == [2]
    write(room, "slow:1", type="calm")
    assert sum(not client.silent() for client in crowd) == 1


def test_calm_events_come_at_once_with_what_presses(room: Redis, crowd: list[Client]) -> None:
    write(room, "slow:1", type="calm")
    [first] = [client for client in crowd if not client.silent()]
    write(room, "slow:1")
    for client in crowd:
        awaited = [3] if client is first else [2, 3]
        assert [event["n"] for event in client.events("slow:1", len(awaited))] == awaited


def test_an_event_presses_until_all_of_the_crowd_had_another_turn(
    room: Redis, crowd: list[Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Followers whose turn was over when it came hear of it in the next turns, quick ones too."""
    monkeypatch.setattr(limits, "CROWD_FRAMES_PER_S_MAX", 4)
    write(room, "slow:1")
    time.sleep(0.8)
    write(room, "slow:1")
    for client in crowd:
        assert [event["n"] for event in client.events("slow:1", 2)] == [2, 3]


def test_the_crowd_of_a_table_is_told_in_parts_without_a_pause(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result of a hand is told when its frame is sent: nobody waits for a turn."""
    monkeypatch.setattr(limits, "FRAMES_AT_ONCE_MAX", 2)
    monkeypatch.setattr(limits, "CROWD_FRAMES_PER_S_MAX", 0.001)
    watching = [game.watcher() for _ in range(CROWD)]
    game.play_calmly(1)
    for client in watching:
        while (message := client.next())["type"] != "events":
            pass
        assert message["stream"] == game.stream and message["events"]
