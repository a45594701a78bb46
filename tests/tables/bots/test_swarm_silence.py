"""Bots with browsers at a room that says nothing: they ping it, give it up and come back."""

from __future__ import annotations

import asyncio
import random

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from tables.bots.browsing import BrowsingBot
from tables.bots.client import browser
from tables.bots.client.browser import BrowserConnection
from tables.bots.client.connection import Identity, Site
from tables.bots.tally import Tally


class QuietRoom:
    """Sockets of a room that answers pings as long as it is told to."""

    def __init__(self, *, answers: bool) -> None:
        self.answers = answers
        self.opened = self.pings = 0

    async def converse(self, socket: ServerConnection) -> None:
        """Read one socket to its end."""
        self.opened += 1
        try:
            async for raw in socket:
                said = msgspec.json.decode(raw)
                self.pings += said["type"] == "ping"
                if self.answers and said["type"] == "ping":
                    pong = {"type": "pong", "sent_ms": said["sent_ms"], "now_ms": 1}
                    await socket.send(msgspec.json.encode(pong).decode())
        except ConnectionClosed:
            pass


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in {"BEAT_S": 0.02, "PING_AFTER_S": 0.05, "SILENCE_MAX_S": 0.15}.items():
        monkeypatch.setattr(browser, name, seconds)


async def _visit(room: QuietRoom, *, opened: int, pings: int) -> None:
    """Let one bot stay until so many sockets were opened and so many pings came."""
    bot = BrowsingBot(7, chance=random.Random(3), pace="fast", tally=Tally())
    async with serve(room.converse, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        site = Site(f"http://127.0.0.1:{port}")
        running = asyncio.create_task(
            BrowserConnection(site, Identity(7, "bot7", "s"), bot).run()  # its pages do not come
        )
        try:
            async with asyncio.timeout(20):
                while room.opened < opened or room.pings < pings:
                    await asyncio.sleep(0.01)
        finally:
            running.cancel()
            await site.close()


async def test_a_silent_room_is_pinged_once_for_each_socket_and_given_up() -> None:
    room = QuietRoom(answers=False)
    await _visit(room, opened=3, pings=2)
    assert room.pings <= room.opened, "an unanswered ping is not repeated"


async def test_a_room_that_answers_keeps_its_socket() -> None:
    room = QuietRoom(answers=True)
    await _visit(room, opened=1, pings=8)
    assert room.opened == 1
