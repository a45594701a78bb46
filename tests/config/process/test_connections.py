"""HTTP connections end when a request does not arrive, or nobody takes its answer."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest
import uvicorn
from websockets.asyncio.client import connect

from config import limits
from config.process.connections import RoomConnection
from config.process.sockets import RoomSocket

HEAD_S = 0.3
STALLS_S = 0.5
LONG = 30_000_000
"""Bytes of a long answer, more than the kernel takes for a client that does not read."""

REQUEST = b"GET %s HTTP/1.1\r\nHost: here\r\n\r\n"


async def _answer(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer `/slow` late, `/long` with many bytes, and echo one text of a socket."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": (await receive())["text"]})
        return
    if scope["path"] == "/slow":
        await asyncio.sleep(3 * HEAD_S)
    body = b"x" * (LONG if scope["path"] == "/long" else 2)
    length = str(len(body)).encode()
    start = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]}
    await send(start)
    await send({"type": "http.response.body", "body": body})


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[uvicorn.Server, int]]:
    """Server whose connections wait a fraction of a second."""
    monkeypatch.setattr(limits, "HEAD_ARRIVES_S", HEAD_S)
    monkeypatch.setattr(limits, "ANSWER_STALLS_S", STALLS_S)
    how = uvicorn.Config(
        _answer, http=RoomConnection, ws=RoomSocket, port=0, lifespan="off", log_level="warning"
    )
    running = uvicorn.Server(how)
    task = asyncio.create_task(running.serve())
    while not running.started:
        await asyncio.sleep(0.01)
    yield running, running.servers[0].sockets[0].getsockname()[1]
    running.should_exit = True
    await task


async def _is_closed(reader: asyncio.StreamReader) -> bool:
    return await asyncio.wait_for(reader.read(), 10) == b""


async def test_a_connection_without_a_request_is_closed(
    server: tuple[uvicorn.Server, int],
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server[1])
    assert await _is_closed(reader)
    writer.close()


@pytest.mark.parametrize("before", [b"", REQUEST % b"/"])
async def test_a_head_that_trickles_is_given_up(
    server: tuple[uvicorn.Server, int], before: bytes
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server[1])
    if before:
        writer.write(before)
        await asyncio.wait_for(reader.readuntil(b"\r\n\r\nxx"), 10)
    writer.write(b"GET / HTTP/1.1\r\n")

    async def trickle() -> None:
        while True:
            writer.write(b"X-More: 1\r\n")
            await asyncio.sleep(HEAD_S / 5)

    more = asyncio.create_task(trickle())
    try:
        assert await _is_closed(reader)
    except ConnectionResetError:
        pass  # what still came after the close was refused
    finally:
        more.cancel()
        writer.close()


async def test_a_request_that_is_answered_late_is_answered(
    server: tuple[uvicorn.Server, int],
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server[1])
    for _ in range(2):
        writer.write(REQUEST % b"/slow")
        answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\nxx"), 10)
        assert answer.startswith(b"HTTP/1.1 200 ")
    writer.close()


async def test_a_socket_stays_open(server: tuple[uvicorn.Server, int]) -> None:
    async with connect(f"ws://127.0.0.1:{server[1]}/", proxy=None) as opened:
        await asyncio.sleep(3 * HEAD_S)
        await opened.send("still here")
        assert await opened.recv() == "still here"


@pytest.mark.parametrize("path", [b"/long", b"/"])
async def test_a_client_that_takes_nothing_of_its_answer_is_dropped(
    server: tuple[uvicorn.Server, int], path: bytes
) -> None:
    running, port = server
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        deaf.connect(("127.0.0.1", port))
        deaf.sendall(REQUEST % path)
        async with asyncio.timeout(10):
            while not running.server_state.total_requests and path == b"/":
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.1)
            while running.server_state.connections:
                await asyncio.sleep(0.05)


async def test_a_slow_reader_gets_its_whole_answer(server: tuple[uvicorn.Server, int]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server[1], limit=65_536)
    writer.write(REQUEST % b"/long")
    await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
    taken = 0
    while taken < LONG:
        part = await asyncio.wait_for(reader.read(3_000_000), 10)
        assert part, f"cut after {taken} bytes"
        taken += len(part)
        if taken // 3_000_000 != (taken - len(part)) // 3_000_000:
            await asyncio.sleep(STALLS_S / 2)
    assert taken == LONG
    writer.close()
