"""Sockets during faults: PostgreSQL hangs, Redis is frozen, the broker is away."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from redis import Redis
from websockets.exceptions import InvalidStatus

from accounts.logins.minting import mint
from config.celery import play_queue
from tables.workers import advance
from tests.conftest import Running, world
from tests.stopped import stopped
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.sockets import Site, users, wait_for

__all__ = ["game", "site"]

pytestmark = [pytest.mark.alone, pytest.mark.sample]


@contextmanager
def _frozen(server: Running) -> Iterator[None]:
    assert server.child is not None
    with stopped(_family(server.child.pid)):
        yield


def _family(parent: int) -> list[int]:
    """Return a process and all its descendants, by `ps`, which every system has."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
    ).stdout
    parents = [tuple(map(int, line.split())) for line in listed.splitlines()]
    family = [parent]
    for member in family:
        family.extend(pid for pid, its_parent in parents if its_parent == member)
    return family


def test_play_goes_on_while_postgresql_hangs(game: Game) -> None:
    actor, watcher = game.client(game.actor), game.watcher()
    command = game.command("call")
    with _frozen(world.server("postgres")):
        actor.say(**command)
        wait_for(game.waiting)
        advance.advance(game.room, game.row.pk)
        actor.expect("result", id=command["id"])
        assert "called" in [event["type"] for event in watcher.expect("events")["events"]]
        actor.say(type="unsubscribe", stream=game.stream)
        actor.follow(game.stream)


def test_streams_go_on_after_redis_was_frozen(game: Game, room_server: Running) -> None:
    actor, watcher = game.client(game.actor), game.watcher()
    command = game.command("call")
    with _frozen(room_server):
        actor.say(**command)
        assert actor.silent(1.5)
    game.work()
    actor.expect("result", id=command["id"])
    assert "called" in [event["type"] for event in watcher.expect("events")["events"]]


def test_without_redis_a_command_is_refused_without_effect(
    game: Game, room_server: Running
) -> None:
    actor = game.client(game.actor)
    command = game.command("call")
    room_server.kill()
    actor.say(**command)
    assert actor.expect("refused", id=command["id"])["code"] == "unavailable"
    actor.say(type="ping", sent_ms=1)
    actor.expect("pong")


def test_without_the_broker_a_command_still_reaches_its_table(
    game: Game, broker_server: Running
) -> None:
    actor = game.client(game.actor)
    command = game.command("call")
    broker_server.kill()
    actor.say(**command)
    game.work()
    actor.expect("result", id=command["id"])


def test_a_command_rings_its_table_once(game: Game, broker: Redis) -> None:
    actor = game.client(game.actor)
    for number in range(3):
        actor.say(**game.command("call", id=f"n{number}"))
    wait_for(lambda: game.waiting() == 3)
    queue = play_queue(game.stream)
    wait_for(lambda: broker.llen(queue))
    (bell,) = broker.lrange(queue, 0, -1)
    assert json.loads(bell)["headers"]["task"] == "tables.advance"


def test_nobody_gets_in_while_the_database_is_down_and_watching_goes_on(site: Site) -> None:
    (ann,) = users("ann")
    key = mint([ann], 1)[0][1]
    site.client(key=key).close()
    server = world.server("postgres")
    server.stop()
    try:
        with pytest.raises(InvalidStatus) as refused:
            site.client(key=key)
        assert refused.value.response.status_code == 503
        assert site.client().welcome["user"] is None
    finally:
        server.start()
        connection.close()
    assert site.client(key=key).welcome["user"] == ann.pk
