"""Floods of anonymous sockets and streams: limited by address, without effect on players."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from itertools import takewhile
from typing import Any

import pytest
from pytest_django.fixtures import Settings
from redis import Redis
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from accounts.logins.minting import mint
from config import limits
from tables.gateway import database
from tables.gateway.hub import Gateway
from tables.gateway.streams import known_kinds
from tables.store import keys
from tests.conftest import Running
from tests.redis_answers import keys_of, monitored
from tests.tables.gateway.socket_site import site, told, write
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.sockets import ORIGIN, PATIENCE_S, Site, users, wait_for

PLACES = "}:sockets:"
"""Part of the keys that count sockets."""

__all__ = ["game", "site"]


HANDSHAKE = (
    b"GET /ws/v1/ HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    b"Origin: " + ORIGIN.encode() + b"\r\n\r\n"
)
DENIED = {"status": 429, "again_s": str(limits.BUSY_RETRY_S)}


class Stranger:
    """Socket from a chosen address, with or without a session."""

    def __init__(self, site: Site, source: str, session: str = "", forwarded: str = "") -> None:
        line = socket.create_connection(("127.0.0.1", site.port), PATIENCE_S, (source, 0))
        headers = {"Cookie": f"sessionid={session}"} if session else {}
        headers |= {"X-Forwarded-For": forwarded} if forwarded else {}
        try:
            self.line = connect(
                f"ws://127.0.0.1:{site.port}/ws/v1/",
                origin=Origin(ORIGIN),
                additional_headers=headers,
                compression=None,
                sock=line,
                open_timeout=PATIENCE_S,
            )
        except InvalidStatus as refused:
            answer = refused.response
            again = answer.headers.get("Retry-After")
            self.first: dict[str, Any] = {"status": answer.status_code, "again_s": again}
        else:
            self.first = json.loads(self.line.recv(PATIENCE_S))

    def ask(self, **message: Any) -> None:
        self.line.send(json.dumps(message))

    def hear(self) -> dict[str, Any]:
        return dict(json.loads(self.line.recv(PATIENCE_S)))


@pytest.fixture
def three(settings: Settings) -> None:
    """Limit each address to three anonymous sockets."""
    settings.SOCKETS_PER_ADDRESS = 3


def test_anonymous_sockets_of_an_address_are_limited_apart_from_players(
    site: Site, room: Redis, three: None
) -> None:
    strangers = [Stranger(site, "127.0.0.2") for _ in range(3)]
    assert [one.first["type"] for one in strangers] == ["welcome"] * 3
    assert Stranger(site, "127.0.0.2").first == DENIED
    assert Stranger(site, "127.0.0.2", session="q" * 32).first == DENIED, "made up"
    assert Stranger(site, "127.0.0.3").first["type"] == "welcome"
    people = users(*(f"player{number}" for number in range(20)))
    for user, key in mint(people, 1):
        assert Stranger(site, "127.0.0.2", session=key).first["user"] == user.pk
    strangers[0].line.close()
    wait_for(lambda: site.ask(lambda here: here.sockets._places.own("127.0.0.2")) == 2)
    wait_for(lambda: "type" in Stranger(site, "127.0.0.2").first)


def test_behind_a_proxy_addresses_are_the_clients_and_ipv6_counts_by_network(
    site: Site, room: Redis, three: None, settings: Settings
) -> None:
    settings.PROXIES = 1
    for number in range(3):
        seen = f"198.51.100.1, 2001:db8:1:2::{number}"
        assert Stranger(site, "127.0.0.1", forwarded=seen).first["type"] == "welcome"
    assert Stranger(site, "127.0.0.1", forwarded="2001:db8:1:2:ffff::").first == DENIED
    assert Stranger(site, "127.0.0.1", forwarded="2001:db8:1:3::1").first["type"] == "welcome"


def test_a_refused_anonymous_socket_reaches_neither_database_nor_redis(
    site: Site, room: Redis, three: None
) -> None:
    for _ in range(3):
        Stranger(site, "127.0.0.2")
    with monitored(room) as commands:
        for _ in range(5):
            assert Stranger(site, "127.0.0.2").first == DENIED
        room.echo("over")
        told = list(takewhile(lambda told: told["command"] != "ECHO over", commands))
    assert not [one for one in told if PLACES in one["command"]]
    assert database._reading._threads is None, "no thread of the database was ever started"


def test_an_aborted_handshake_releases_its_place(site: Site, room: Redis, three: None) -> None:
    took = site.ask(lambda here: here.sockets._places.take)

    async def slowly(*args: Any) -> bool:
        free = await took(*args)
        await asyncio.get_running_loop().run_in_executor(None, left.wait)
        return bool(free)

    left = threading.Event()
    site.ask(lambda here: setattr(here.sockets._places, "take", slowly))
    line = socket.create_connection(("127.0.0.1", site.port), PATIENCE_S, ("127.0.0.2", 0))
    line.sendall(HANDSHAKE)
    wait_for(lambda: site.ask(lambda here: here.sockets._places.own("127.0.0.2")) == 1)
    line.close()
    time.sleep(0.2)
    left.set()
    wait_for(lambda: site.ask(lambda here: here.sockets._places.own("127.0.0.2")) == 0)
    wait_for(lambda: not room.keys(f"*{PLACES}*"))
    assert site.ask(lambda here: here.sockets._count) == 0


def test_a_hundred_sockets_that_close_at_once_release_their_places(site: Site, room: Redis) -> None:
    entered: list[bool] = []

    async def come_and_go(here: Gateway) -> None:
        places, now_ms = here.sockets._places, here.now_ms()
        taking = (places.take("127.0.0.2", 200, now_ms) for _ in range(151))
        entered.extend(await asyncio.gather(*taking))
        for _ in range(150):
            places.give_back("127.0.0.2")

    site.ask(lambda here: here._tasks.spawn(come_and_go(here)))
    wait_for(lambda: len(entered) == 151)
    assert all(entered)
    wait_for(lambda: site.ask(lambda here: not here.sockets._places._leaving))
    assert room.hvals(_key(room)) == [b"1"]


def _key(room: Redis) -> bytes:
    (key,) = keys_of(room, f"*{PLACES}*")
    return key


def test_sockets_at_other_live_web_processes_count(site: Site, room: Redis, three: None) -> None:
    Stranger(site, "127.0.0.2")
    now_ms = site.ask(lambda here: here.now_ms())
    room.hset(keys.gateways(0), "other", now_ms + 60_000)
    room.hset(_key(room), "other", 2)
    assert Stranger(site, "127.0.0.2").first == DENIED
    room.hset(keys.gateways(0), "other", now_ms - limits.GATEWAY_SILENT_MAX_MS - 60_000)
    assert Stranger(site, "127.0.0.2").first["type"] == "welcome", "a dead process has no sockets"


def test_sockets_of_a_user_are_limited_over_all_web_processes(site: Site, room: Redis) -> None:
    (ann,) = users("ann")
    key = mint([ann], 1)[0][1]
    assert Stranger(site, "127.0.0.2", session=key).first["type"] == "welcome"
    now_ms = site.ask(lambda here: here.now_ms())
    room.hset(keys.gateways(0), "other", now_ms + 60_000)
    room.hset(_key(room), "other", limits.SOCKETS_PER_USER_MAX - 1)
    refused = Stranger(site, "127.0.0.3", session=key)
    assert (refused.first["type"], refused.first["code"]) == ("bye", "too_many_sockets")
    with pytest.raises(ConnectionClosed):
        refused.hear()


def test_a_message_costs_no_redis_call_and_leaves_no_key(site: Site, room: Redis) -> None:
    one = Stranger(site, "127.0.0.2")
    assert room.hvals(_key(room)) == [b"1"]
    for number in range(10):
        one.ask(type="ping", sent_ms=number)
        assert one.hear()["type"] == "pong"
    assert room.hvals(_key(room)) == [b"1"]
    one.line.close()
    wait_for(lambda: not room.keys(f"*{PLACES}*"))


def test_a_process_counts_alone_during_an_outage_of_redis(
    site: Site, room: Redis, three: None, room_server: Running
) -> None:
    room_server.kill()
    assert [Stranger(site, "127.0.0.2").first["type"] for _ in range(3)] == ["welcome"] * 3
    assert Stranger(site, "127.0.0.2").first == DENIED


def test_anonymous_sockets_leave_places_for_players(
    site: Site, room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "ANONYMOUS_SOCKETS_PER_PROCESS_MAX", 2)
    assert Stranger(site, "127.0.0.2").first["type"] == "welcome"
    assert Stranger(site, "127.0.0.3").first["type"] == "welcome"
    assert Stranger(site, "127.0.0.4").first == DENIED
    (ann,) = users("ann")
    assert Stranger(site, "127.0.0.4", mint([ann], 1)[0][1]).first["user"] == ann.pk


def test_anonymous_sockets_of_an_address_share_a_rate(
    site: Site, room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "ADDRESS_MESSAGES_BURST_MAX", 10)
    monkeypatch.setattr(limits, "ADDRESS_MESSAGES_PER_S_MAX", 1)
    first, second = Stranger(site, "127.0.0.2"), Stranger(site, "127.0.0.2")
    told_off = 0
    for number in range(10):
        for one in (first, second):
            one.ask(type="ping", sent_ms=number)
            told_off += one.hear().get("code") == "slow_down"
    assert 5 <= told_off <= 10
    other = Stranger(site, "127.0.0.3")
    other.ask(type="ping", sent_ms=1)
    assert other.hear()["type"] == "pong"


@pytest.mark.parametrize("alias", ["table:0{}", "table:000{}", "table:{:018d}"])
def test_a_stream_has_only_one_valid_name(game: Game, alias: str) -> None:
    one = Stranger(game.site, "127.0.0.2")
    one.ask(type="subscribe", stream=alias.format(game.row.pk))
    refused = one.hear()
    assert (refused["type"], refused["code"]) == ("refused", "bad_message")
    assert game.site.ask(lambda here: list(here._feeds)) == []
    one.ask(type="subscribe", stream=game.stream)
    assert one.hear()["type"] == "snapshot"


def test_a_missing_stream_is_not_looked_up_repeatedly(site: Site, room: Redis) -> None:
    one, another = Stranger(site, "127.0.0.2"), Stranger(site, "127.0.0.3")
    one.ask(type="subscribe", stream="count:404")
    assert one.hear()["code"] == "no_such_stream"
    told["count:404"] = 1  # a lookup would find it now
    for stranger in (one, another):
        for _ in range(5):
            stranger.ask(type="subscribe", stream="count:404")
            assert stranger.hear()["code"] == "no_such_stream"
    write(room, "count:404")
    wait_for(lambda: not site.ask(lambda here: here._missing._until_s))
    one.ask(type="subscribe", stream="count:404")
    assert one.hear()["type"] == "snapshot"


def test_an_unreadable_table_is_retried_with_backoff(
    site: Site, room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SNAPSHOT_BACK_OFF_FIRST_S", 600.0)
    monkeypatch.setattr(limits, "SNAPSHOT_BACK_OFF_MAX_S", 600.0)
    asked: list[str] = []

    async def never(name: str, user: int | None) -> None:
        asked.append(name)

    kind = known_kinds.StreamKind("never", never, personal=True)
    monkeypatch.setitem(known_kinds._kinds, "never", kind)
    one = Stranger(site, "127.0.0.2")
    one.ask(type="subscribe", stream="never:1")
    wait_for(lambda: asked)
    time.sleep(2 * limits.HEADS_EVERY_MS / 1_000)
    assert asked == ["never:1"]
    room.spublish(keys.hints("never:1", 1), "never:1")
    wait_for(lambda: len(asked) == 2)


def test_a_player_gets_a_snapshot_while_anonymous_clients_flood_requests(game: Game) -> None:
    """Anonymous clients fill every snapshot place open to them; a player's snapshot comes all the
    same.
    """
    held = game.site.ask(lambda here: here._catching._turns)
    game.site.ask(lambda here: _occupy(held, limits.SNAPSHOTS_AT_ONCE_MAX))
    wait_for(lambda: held.busy == limits.SNAPSHOTS_AT_ONCE_MAX - limits.SNAPSHOTS_KEPT_FOR_PLAYERS)
    stranger = Stranger(game.site, "127.0.0.2")
    stranger.ask(type="subscribe", stream=game.stream)
    player = game.client(1)
    assert player.snapshot["stream"] == game.stream
    game.site.ask(lambda here: [task.cancel() for task in _occupying])
    assert stranger.hear()["type"] == "snapshot"


_occupying: list[Any] = []


def _occupy(turns: Any, count: int) -> None:
    async def hold() -> None:
        async with turns.turn(1, "attacker"):
            await asyncio.Event().wait()

    _occupying[:] = [asyncio.ensure_future(hold()) for _ in range(count)]
