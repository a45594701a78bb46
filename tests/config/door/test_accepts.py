"""Accepting of a connection burst: the kernel queues it, and the loop takes a few at a time."""

from __future__ import annotations

import asyncio
import itertools
import socket
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from config import limits
from config.serve import configured

AT_ONCE = 100
PATIENCE_S = 60.0


async def _nothing(scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def _connect(port: int, lines: list[socket.socket], all_in: threading.Event) -> None:
    for _ in range(AT_ONCE):
        lines.append(socket.create_connection(("127.0.0.1", port), PATIENCE_S))
    all_in.set()


async def _burst() -> tuple[list[int], int]:
    """Open connections while the loop is blocked; return its open connections after each turn."""
    server = configured(_nothing, host="127.0.0.1", port=0)
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    lines: list[socket.socket] = []
    all_in = threading.Event()
    threading.Thread(target=_connect, args=(port, lines, all_in)).start()
    assert all_in.wait(PATIENCE_S), "the kernel did not accept while the loop was blocked"
    seen = [0]
    while seen[-1] < AT_ONCE and len(seen) < 100_000:
        await asyncio.sleep(0)
        seen.append(len(server.server_state.connections))
    for line in lines:
        line.close()
    server.should_exit = True
    await running
    return seen, len(lines)


def test_one_turn_of_the_loop_takes_a_few_of_a_burst() -> None:
    seen, came = asyncio.run(_burst())
    assert seen[-1] == came == AT_ONCE
    steps = [after - before for before, after in itertools.pairwise(seen)]
    assert max(steps) <= limits.ACCEPTS_PER_TURN
