"""Connection of a program to the room: its errands, its pace, and the address of the room."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from accounts.models import User
from accounts.users import access_tokens
from deploy.embedded import ports
from room_client.api import Api
from room_client.connection import Connection
from room_client.messages.commands import Ping
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import PATIENCE_S, Site

__all__ = ["site"]


class _Deaf(Connection):
    def received(self, raw: str | bytes) -> None:
        """Take in nothing."""


def test_errands_of_a_connection_end_with_it() -> None:
    async def end() -> bool:
        line = _Deaf(f"http://127.0.0.1:{ports.free()}", {})
        running, errand = asyncio.create_task(line.run()), asyncio.create_task(asyncio.sleep(60))
        line.keep(errand)
        await asyncio.sleep(0)
        running.cancel()
        await asyncio.gather(running, errand, return_exceptions=True)
        return errand.cancelled()

    assert asyncio.run(end())


class _Eager(Connection):
    """Connection that says a lot at once, and counts what the room answers."""

    def __init__(self, url: str, token: str, messages: int) -> None:
        super().__init__(url, {"Authorization": f"Bearer {token}"})
        self.messages = messages
        self.heard: list[str] = []

    def received(self, raw: str | bytes) -> None:
        """Say everything after the welcome."""
        told = msgspec.json.decode(raw)
        if told["type"] == "welcome":
            self.say(Ping(number) for number in range(self.messages))
        self.heard.append(f"{told['type']} {told.get('code', told.get('sent_ms', ''))}".strip())


def test_the_room_reads_everything_that_a_connection_says_at_once(site: Site) -> None:
    user = User.objects.create_user("Ann", "a long password")
    token = access_tokens.issue(user, name="bot", scopes=["play"], days=1)

    async def say() -> list[str]:
        line = _Eager(f"http://127.0.0.1:{site.port}", token, 80)
        running = asyncio.create_task(line.run())
        async with asyncio.timeout(PATIENCE_S):
            while len(line.heard) <= line.messages and not running.done():
                await asyncio.sleep(0.05)
        running.cancel()
        return line.heard

    assert asyncio.run(say()) == ["welcome", *(f"pong {number}" for number in range(80))]


def test_a_busy_room_is_given_the_time_that_it_asks_for() -> None:
    tries_s: list[float] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tries_s.append(asyncio.get_running_loop().time())
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\n")
        writer.write(b"Content-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    async def come() -> None:
        room = await asyncio.start_server(refuse, "127.0.0.1", 0)
        async with room, asyncio.timeout(PATIENCE_S):
            line = _Deaf(f"http://127.0.0.1:{room.sockets[0].getsockname()[1]}", {})
            running = asyncio.create_task(line.run())
            while len(tries_s) < 2:
                await asyncio.sleep(0.05)
            running.cancel()

    asyncio.run(come())
    assert tries_s[1] - tries_s[0] >= 2.0


@pytest.mark.parametrize("url", ["room.example", "ws://room.example", "https://", ""])
def test_an_address_of_no_site_is_refused_at_once(url: str) -> None:
    with pytest.raises(ValueError, match="no address"):
        _Eager(url, "room_token", 0)
    with pytest.raises(ValueError, match="no address"):
        Api(url, "room_token")
