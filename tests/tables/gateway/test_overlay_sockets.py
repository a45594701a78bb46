"""Sockets with a link that are revoked, or left by their client, while they are being opened."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from config.door.turns import Turns
from tables.gateway import hub, links
from tables.gateway.consumers import POLICY_VIOLATION, RoomConsumer
from tables.gateway.links import REVOKED, LinkedSockets, LinkRights
from tables.gateway.overlay import OverlayConsumer

LINK = 7


@pytest.fixture
def linked(monkeypatch: pytest.MonkeyPatch) -> LinkedSockets:
    """Sockets with links of a gateway for which every token is valid."""
    made = LinkedSockets()

    async def rights_of(token: str) -> LinkRights:
        return LinkRights(LINK, frozenset())

    gateway = SimpleNamespace(linked=made, lookups=Turns(2, kept=(0, 1), waiting_max=100))
    monkeypatch.setattr(hub, "here", lambda: gateway)
    monkeypatch.setattr(links, "rights_of", rights_of)
    return made


def opened() -> OverlayConsumer:
    """Socket of an overlay whose handshake came."""
    made = OverlayConsumer()
    scope: Any = {"url_route": {"kwargs": {"token": "a token"}}, "headers": []}
    made.scope = scope
    return made


def test_a_client_that_leaves_in_the_handshake_leaves_no_socket_behind(
    linked: LinkedSockets, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def leave(self: RoomConsumer) -> None:
        raise ConnectionError("the client left")

    monkeypatch.setattr(RoomConsumer, "connect", leave)
    with pytest.raises(ConnectionError):
        asyncio.run(opened().connect())
    assert linked._of_link == {}


def test_a_link_that_is_revoked_in_the_handshake_cuts_its_socket(
    linked: LinkedSockets, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[object] = []

    async def open_slowly(self: RoomConsumer) -> None:
        linked.end({LINK})  # the hint comes before there is anything to say goodbye with
        self.tongue = Mock(bye=lambda code: code)
        self.outbox = Mock(answer=said.append, close=said.append)
        self.subscriptions = Mock()
        self.sender = asyncio.create_task(asyncio.sleep(0))

    monkeypatch.setattr(RoomConsumer, "connect", open_slowly)
    asyncio.run(opened().connect())
    assert said == [REVOKED, POLICY_VIOLATION]


def test_invented_tokens_in_numbers_leave_the_database_to_players(
    linked: LinkedSockets, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answers = [], []
    may_go_on = asyncio.Event()

    async def look_up(token: str) -> None:
        asked.append(token)
        await may_go_on.wait()

    async def send(message: Any) -> None:
        answers.append(message.get("status"))

    async def flood() -> None:
        sockets = [opened() for _ in range(20)]
        for one in sockets:
            one.base_send = send
        async with asyncio.TaskGroup() as strangers:
            for one in sockets:
                strangers.create_task(one.connect())
            await asyncio.sleep(0.05)
            assert len(asked) == 1, "one place of two is kept for players"
            async with hub.here().lookups.turn(0, "user:1", within_s=5):
                may_go_on.set()

    monkeypatch.setattr(links, "rights_of", look_up)
    asyncio.run(flood())
    assert len(asked) == 20
    assert answers == [HTTPStatus.FORBIDDEN, None] * 20
