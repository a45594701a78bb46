"""Windows that play when Redis forgets that they took their tables: they go on playing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis

from tables.gateway.streams.reader import Reader, RedisRun
from tables.store import fenced, keys
from tables.workers.timers import Timer
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game
from tests.tables.gateway.sockets import Client, Site, wait_for
from tests.tables.gateway.streams.power import DurableRedis, durable, game

__all__ = ["durable", "game", "site"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def other_site(site: Site) -> Iterator[Site]:
    """Second web process."""
    made = Site()
    made.start()
    yield made
    made.stop()


def _plays(game: Game, client: Client) -> bool:
    """Return whether a command of a client takes effect."""
    command = game.command("fold")
    client.say(**command)
    wait_for(lambda: game.waiting() == 1)
    game.work()
    return bool(client.expect("result", id=command["id"])["ok"])


def _loads(game: Game) -> bool:
    """Return whether the run of Redis is adopted."""
    try:
        return fenced.load(game.room, game.row.pk) is not None
    except fenced.NotAdopted:
        return False


@pytest.mark.parametrize("asks", [False, True])
def test_window_plays_on_when_redis_forgets_that_it_took_the_table(
    game: Game, other_site: Site, room: Redis, durable: DurableRedis, asks: bool
) -> None:
    first = game.client(game.actor, window="a")
    wait_for(lambda: room.hlen(keys.tabs(game.stream, 1)))
    before = durable.size()
    second = other_site.client(game.user(game.actor))
    game.follow(second, window="a", ask=asks)
    first.expect("taken_over")
    wait_for(lambda: durable.size() > before)
    durable.come_back(cut_to=before)
    timer = Timer(room, adopts=True)
    wait_for(lambda: timer.sweep(0) and _loads(game))
    second.expect("snapshot")
    assert _plays(game, second)
    assert "taken_over" not in {message["type"] for message in second.heard}


def test_server_that_was_not_met_takes_no_table_from_a_window(
    game: Game, room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client of a cluster reads from a promoted replica before it hears of the promotion."""
    playing = game.client(game.actor, window="a")
    tabs, user = keys.tabs(game.stream, 1), str(game.user(game.actor).pk)
    wait_for(lambda: room.hget(tabs, user))
    own, asked = room.hget(tabs, user), []

    async def promoted(reader: Reader, shard: int) -> RedisRun:
        asked.append(shard)
        return RedisRun("promoted", 0)

    monkeypatch.setattr(Reader, "server", promoted)
    room.hset(tabs, mapping={user: "older000" + "1" * 32, "mark": "older"})
    wait_for(lambda: room.hget(tabs, user) == own)
    assert asked
    playing.expect("snapshot")
    assert playing.silent(0.5)
    assert "taken_over" not in {message["type"] for message in playing.heard}
