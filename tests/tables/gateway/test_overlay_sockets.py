"""Sockets with a link that are revoked, or left by their client, while they are being opened."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

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

    monkeypatch.setattr(hub, "here", lambda: SimpleNamespace(linked=made))
    monkeypatch.setattr(links, "rights_of", rights_of)
    return made


def opened() -> OverlayConsumer:
    """Socket of an overlay whose handshake came."""
    made = OverlayConsumer()
    scope: Any = {"url_route": {"kwargs": {"token": "a token"}}}
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
