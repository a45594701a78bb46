"""Small parts of an open connection: its queue, its gate, and its forgotten handshake."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from config.process.sockets import Gate, ReceivedMessages, RoomSocket


def _message(text: str) -> dict[str, str]:
    return {"type": "websocket.receive", "text": text}


async def test_messages_come_out_in_their_order_and_leave_no_queue_behind() -> None:
    queue = ReceivedMessages()
    for text in ("a", "b", "c"):
        queue.put_nowait(_message(text))  # type: ignore[arg-type]
    assert [(await queue.get())["text"] for _ in range(3)] == ["a", "b", "c"]  # type: ignore[typeddict-item]
    assert queue.empty() and queue._waiting is None


async def test_a_reader_is_woken_by_a_message_and_survives_its_cancellation() -> None:
    queue = ReceivedMessages()
    reader = asyncio.create_task(queue.get())
    await asyncio.sleep(0)
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    reader = asyncio.create_task(queue.get())
    await asyncio.sleep(0)
    queue.put_nowait(_message("a"))  # type: ignore[arg-type]
    queue.put_nowait(_message("b"))  # type: ignore[arg-type]
    assert (await reader)["text"] == "a"  # type: ignore[typeddict-item]
    assert not queue.empty()
    assert (await queue.get())["text"] == "b"  # type: ignore[typeddict-item]


async def test_a_gate_holds_everybody_until_it_is_opened() -> None:
    gate = Gate()
    await asyncio.wait_for(gate.wait(), 1)
    gate.clear()
    gate.clear()
    waiting = [asyncio.create_task(gate.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting[1:])
    gate.set()
    await asyncio.wait_for(asyncio.gather(*waiting[1:]), 1)
    await asyncio.wait_for(gate.wait(), 1)


async def test_a_gate_closed_again_before_its_waiters_run_holds_them() -> None:
    gate = Gate()
    gate.clear()
    waiter = asyncio.create_task(gate.wait())
    await asyncio.sleep(0)
    gate.set()
    gate.clear()
    await asyncio.sleep(0.01)
    assert not waiter.done()
    gate.set()
    await asyncio.wait_for(waiter, 1)


@pytest.fixture
async def server() -> AsyncIterator[tuple[uvicorn.Server, int]]:
    """Server whose application echoes texts, and refuses the path `/refused`."""

    async def echo(scope: dict[str, object], receive: object, send: object) -> None:
        assert callable(receive) and callable(send)
        await receive()
        if scope["path"] == "/refused":
            await send({"type": "websocket.http.response.start", "status": 403, "headers": []})
            await send({"type": "websocket.http.response.body", "body": b""})
            return
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})

    how = uvicorn.Config(echo, ws=RoomSocket, port=0, lifespan="off", log_level="warning")
    running = uvicorn.Server(how)
    task = asyncio.create_task(running.serve())
    while not running.started:
        await asyncio.sleep(0.01)
    yield running, running.servers[0].sockets[0].getsockname()[1]
    running.should_exit = True
    await task


async def test_an_open_connection_has_forgotten_its_handshake_and_still_answers(
    server: tuple[uvicorn.Server, int],
) -> None:
    running, port = server
    async with connect(f"ws://127.0.0.1:{port}/", additional_headers={"X-Long": "x" * 4_000}) as ws:
        for number in range(200):
            await ws.send(str(number))
        assert [await ws.recv() for _ in range(200)] == [str(number) for number in range(200)]
        [connection] = running.server_state.connections
        assert isinstance(connection, RoomSocket)
        assert len(connection.request.headers) == len(connection.response.headers) == 0
        assert connection.queue.empty() and connection.ping_timer is not None


async def test_a_refused_handshake_is_no_error_of_the_room(
    server: tuple[uvicorn.Server, int], caplog: pytest.LogCaptureFixture
) -> None:
    _, port = server
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://127.0.0.1:{port}/refused")
    assert refused.value.response.status_code == 403
    await asyncio.sleep(0.05)
    assert not caplog.records


async def test_only_a_silent_connection_is_pinged(server: tuple[uvicorn.Server, int]) -> None:
    running, port = server
    running.config.ws_ping_interval, running.config.ws_ping_timeout = 0.2, 5.0
    async with connect(f"ws://127.0.0.1:{port}/", ping_interval=None) as ws:
        await ws.send("first")
        await ws.recv()
        [connection] = running.server_state.connections
        assert isinstance(connection, RoomSocket)
        pings: list[float] = []
        send = connection.conn.send_ping
        connection.conn.send_ping = lambda data: (pings.append(0.0), send(data))[1]  # type: ignore[method-assign,func-returns-value]
        for number in range(40):
            await ws.send(str(number))
            assert await ws.recv() == str(number)
            await asyncio.sleep(0.02)
        assert not pings, "who speaks all the time lives"
        async with asyncio.timeout(5):
            while not pings:
                await asyncio.sleep(0.02)


async def test_a_silent_connection_without_an_answer_is_cut(
    server: tuple[uvicorn.Server, int],
) -> None:
    running, port = server
    running.config.ws_ping_interval, running.config.ws_ping_timeout = 0.1, 0.1
    ws = await connect(f"ws://127.0.0.1:{port}/", ping_interval=None)
    await ws.send("first")
    await ws.recv()
    ws.transport.pause_reading()  # a browser whose network is gone
    async with asyncio.timeout(5):
        while running.server_state.connections:
            await asyncio.sleep(0.02)
    ws.transport.abort()


def test_a_new_connection_has_the_parts_that_uvicorn_asks_for() -> None:
    how = uvicorn.Config("config.asgi:application", log_level="warning")
    loop = asyncio.new_event_loop()
    connection = RoomSocket(how, ServerState(), {}, loop)
    parts: list[object] = [connection.queue, connection.writable]
    assert [type(part) for part in parts] == [ReceivedMessages, Gate]
    loop.close()
