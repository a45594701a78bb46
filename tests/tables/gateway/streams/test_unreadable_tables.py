"""A table that nobody can read: its followers wait for a snapshot, other tables reach them all."""

from __future__ import annotations

import pytest
from redis import Redis

from tables.store import keys, wakes
from tables.workers import advance, settle
from tests.tables import damage, playing
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.sockets import wait_for

__all__ = ["game", "site"]


@pytest.mark.parametrize("harm", damage.ALL)
def test_a_follower_waits_for_the_rebuilt_table_and_hears_others_meanwhile(
    game: Game, room: Redis, harm: damage.Damage
) -> None:
    sound = Game(game.site, room, [1_000, 1_000])
    before = game.state
    client = sound.follow(game.site.client(game.user(1)))
    harm(room, game.row.pk)
    client.say(type="subscribe", stream=game.stream)
    # 1. The gateway makes the table due, so that a worker rebuilds it at once.
    wait_for(lambda: wakes.due(room, game.stream) == 0)
    # 2. The same socket hears the table that is sound.
    sound.play(1)
    assert client.expect("events", stream=sound.stream)["events"]
    # 3. A worker rebuilds the table: the snapshot comes without another request.
    settle.settle(room, game.row.pk)
    rebuilt = client.expect("snapshot", stream=game.stream)["state"]
    assert rebuilt["epoch"] == before.epoch + 1
    assert [seat["chips"] for seat in rebuilt["seats"]] == [seat.chips for seat in before.seats]
    assert playing.run(room, game.row.pk).phase == "hand"
    assert client.expect("events", stream=game.stream)["events"]


@pytest.mark.parametrize("harm", damage.ALL)
def test_a_table_damaged_under_its_followers_goes_on_after_the_rebuild(
    game: Game, room: Redis, harm: damage.Damage
) -> None:
    sound = Game(game.site, room, [1_000, 1_000])
    player, watcher = game.client(1), game.watcher()
    sound.follow(watcher)
    harm(room, game.row.pk)
    game.site.ask(lambda here: here.compare_soon())
    sound.play(1)
    assert watcher.expect("events", stream=sound.stream)["events"]
    settle.settle(room, game.row.pk)
    for client in (player, watcher):
        assert client.expect("snapshot", stream=game.stream)["state"]["epoch"] > game.state.epoch


def test_damage_beside_the_state_stops_no_other_stream(game: Game, room: Redis) -> None:
    sound = Game(game.site, room, [1_000, 1_000])
    client = game.client(game.actor)
    sound.follow(client)
    damage.beside(room, game.row.pk)
    fold = game.command("fold")
    client.say(**fold)
    wait_for(lambda: room.type(keys.inbox(game.stream, 1)) == b"list")
    game.work()
    assert client.expect("result", id=fold["id"])
    sound.play(1)
    assert client.expect("events", stream=sound.stream)["events"]


def test_garbage_beside_the_state_stops_no_other_stream(game: Game, room: Redis) -> None:
    sound = Game(game.site, room, [1_000, 1_000])
    client = game.client(game.actor)
    sound.follow(client)
    damage.garbage_beside(room, game.row.pk, game.state.at(game.actor).user)
    room.spublish(keys.hints(game.stream, 1), game.stream)
    sound.play(1)
    assert client.expect("events", stream=sound.stream)["events"]
    # The next step drops the garbage and stores the seats anew.
    advance.advance(room, game.row.pk)
    game.play(1)
    assert client.expect("events", stream=game.stream)["events"]


def test_a_damaged_stream_of_facts_stops_no_table(game: Game, room: Redis) -> None:
    client = game.watcher()
    room.set(keys.events("lobby", 1), "damaged")
    client.say(type="subscribe", stream="lobby")
    assert client.expect("snapshot", stream="lobby")
    game.play(1)
    assert client.expect("events", stream=game.stream)["events"]
