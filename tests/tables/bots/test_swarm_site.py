"""Site of a swarm: thousands of bots ask over few connections, and each gets its answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from tables.bots.client import connection
from tables.bots.client.connection import Identity, Site

ANSWER_S = 0.02
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nroom"


@dataclass
class SlowServer:
    """Server that answers each request after ANSWER_S, and counts them."""

    open_now: int = 0
    most: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                self.open_now += 1
                self.most = max(self.most, self.open_now)
                await asyncio.sleep(ANSWER_S)
                self.open_now -= 1
                writer.write(ANSWER)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


def test_a_crowd_waits_for_turns_longer_than_for_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The time for an answer begins with the request: waiting for a turn fails nobody."""
    crowd = 2_000
    alone_s = crowd * ANSWER_S / connection.REQUESTS_AT_ONCE_MAX
    monkeypatch.setattr(connection, "ANSWER_WITHIN_S", alone_s / 2)
    slow = SlowServer()

    async def ask() -> list[str | None]:
        server = await asyncio.start_server(slow.serve, "127.0.0.1", 0)
        site = Site(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        players = [Identity(number, f"bot{number}", "key") for number in range(crowd)]
        try:
            async with server:
                return await asyncio.gather(*[site.page(player, "/") for player in players])
        finally:
            await site.close()

    assert asyncio.run(ask()) == ["room"] * crowd
    assert slow.most == connection.REQUESTS_AT_ONCE_MAX
