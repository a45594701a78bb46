"""Two hundred players behind one router keep playing while anonymous clients flood the room from
it.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from pytest_django.fixtures import Settings
from redis import Redis
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from accounts.logins.minting import mint
from accounts.models import User
from config import limits
from tests.tables.gateway.socket_site import site, write
from tests.tables.gateway.sockets import ORIGIN, PATIENCE_S, Site

__all__ = ["site"]

PLAYERS = 200
STRANGERS = 400
STRANGERS_MAX = 50
ROUNDS = 4
STREAM = "count:7"
ROUTER = "127.0.0.2"


@asynccontextmanager
async def _socket(site: Site, session: str = "") -> AsyncIterator[ClientConnection]:
    async with connect(
        f"ws://127.0.0.1:{site.port}/ws/v1/",
        origin=Origin(ORIGIN),
        additional_headers={"Cookie": f"sessionid={session}"} if session else {},
        compression=None,
        open_timeout=PATIENCE_S,
        close_timeout=1,
        proxy=None,
        local_addr=(ROUTER, 0),
    ) as opened:
        yield opened


async def _heard(line: ClientConnection) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE_S):
        return dict(json.loads(await line.recv()))


class Player:
    """User behind a router: pings, follows a stream, disconnects and returns."""

    def __init__(self, site: Site, user: User, session: str) -> None:
        self._site = site
        self._user = user
        self._session = session
        self._stack = AsyncExitStack()
        self.seen: list[int] = []
        self.answers: Counter[str] = Counter()

    async def come(self) -> None:
        """Open a socket and follow the stream."""
        self._line = await self._stack.enter_async_context(_socket(self._site, self._session))
        welcome = await _heard(self._line)
        assert welcome["user"] == self._user.pk, welcome
        await self._line.send(json.dumps({"type": "subscribe", "stream": STREAM}))
        assert (await self._next("snapshot"))["stream"] == STREAM

    async def drop(self) -> None:
        """Break the connection without a close frame."""
        self._line.transport.abort()
        await self._stack.aclose()

    async def play(self, round_: int) -> None:
        """Ping, and receive the event of this round."""
        await self._line.send(json.dumps({"type": "ping", "sent_ms": round_}))
        await self._next("pong")
        while round_ not in self.seen:
            await self._next("events")

    async def _next(self, kind: str) -> dict[str, Any]:
        while True:
            message = await _heard(self._line)
            self.answers[message["type"]] += 1
            if message["type"] == "events":
                self.seen += [event["n"] for event in message["events"]]
            if message["type"] == kind:
                return message


class Flood:
    """Anonymous clients behind the router: sockets without session that request missing streams."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.answers: Counter[str] = Counter()
        self.over = asyncio.Event()

    async def stranger(self, number: int) -> None:
        """Connect if admitted, then request missing streams until cut off or refused."""
        await asyncio.sleep(number / STRANGERS)
        try:
            async with _socket(self._site) as line:
                self.answers[(await _heard(line))["type"]] += 1
                for turn in range(40):
                    await line.send(json.dumps({"type": "subscribe", "stream": f"nothing:{turn}"}))
                    self.answers[(await _heard(line)).get("code", "other")] += 1
                await self.over.wait()
        except InvalidStatus as refused:
            self.answers[str(refused.response.status_code)] += 1

    async def log_ins(self) -> None:
        """Send log-ins, one after another."""
        while not self.over.is_set():
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", self._site.port, local_addr=(ROUTER, 0)
            )
            writer.write(b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.answers["http " + (await reader.readline()).split()[1].decode()] += 1
            writer.close()


async def _evening(site: Site, room: Redis, people: Sequence[tuple[User, str]]) -> list[Player]:
    players = [Player(site, user, key) for user, key in people]
    for some in range(0, PLAYERS, 20):
        await asyncio.gather(*(one.come() for one in players[some : some + 20]))
    flood = Flood(site)
    attacks = [asyncio.create_task(flood.stranger(number)) for number in range(STRANGERS)]
    attacks += [asyncio.create_task(flood.log_ins()) for _ in range(4)]
    for round_ in range(2, ROUNDS + 2):
        await asyncio.to_thread(write, room, STREAM)
        await asyncio.gather(*(one.play(round_) for one in players))
        returning = players[round_::20]
        await asyncio.gather(*(one.drop() for one in returning))
        await asyncio.gather(*(one.come() for one in returning))
    while flood.answers["welcome"] + flood.answers["429"] < STRANGERS or (
        flood.answers["http 429"] < 10
    ):
        assert not any(one.done() and one.exception() for one in attacks)
        await asyncio.sleep(0.05)
    flood.over.set()
    await asyncio.gather(*attacks)
    for one in players:
        await one.drop()
    assert flood.answers["welcome"] == STRANGERS_MAX, flood.answers
    assert flood.answers["429"] == STRANGERS - STRANGERS_MAX, flood.answers
    assert flood.answers["slow_down"] > 0, flood.answers
    return players


def test_two_hundred_players_behind_one_router_play_on_while_it_floods(
    site: Site, room: Redis, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SOCKETS_PER_ADDRESS = STRANGERS_MAX
    settings.LOGINS_PER_MINUTE_PER_ADDRESS = 1
    monkeypatch.setattr(limits, "LOGINS_BURST_PER_ADDRESS", 3)
    people = User.objects.bulk_create(
        User(name=f"player{number}", name_key=f"player{number}") for number in range(PLAYERS)
    )
    write(room, STREAM)
    players = asyncio.run(_evening(site, room, mint(people, 1)))
    for number, one in enumerate(players):
        assert set(one.answers) == {"snapshot", "pong", "events"}, (number, one.answers)
        assert one.answers["pong"] == ROUNDS
        # A returning player may get an event twice that is younger than its snapshot.
        assert sorted(set(one.seen)) == list(range(2, ROUNDS + 2)), (number, one.seen)
