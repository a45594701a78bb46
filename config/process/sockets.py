"""WebSocket protocol of the web process: jittered pings, little memory for an open connection.

An empty `deque` takes 760 bytes, a queue and an event of asyncio have five of them, and the
handshake of a browser takes several KB: thousands of open connections need none of these.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from uvicorn._types import ASGIReceiveEvent

from config.process.ping_jitter import Keepalive


class RoomSocket(Keepalive):
    """Connection that forgets its handshake once it is open, and holds a queue only in use."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # Both have the part of the interface of asyncio's that uvicorn uses.
        self.queue = ReceivedMessages()  # type: ignore[assignment]
        self.writable = Gate()  # type: ignore[assignment]

    @property
    def handshake_complete(self) -> bool:
        """Return whether the handshake was answered, which a refusal with a status does, too.

        Uvicorn takes that for a fault of the application and logs an error for each.
        """
        return self._accepted or (self.initial_response is not None and self.close_sent)

    @handshake_complete.setter
    def handshake_complete(self, accepted: bool) -> None:
        self._accepted = accepted

    def start_keepalive(self) -> None:
        """Begin to ping an accepted connection, and forget the headers of its handshake.

        Requests and responses are kept by uvicorn and by the parser of websockets, which reads them
        no more. The application has its own list of headers in the scope.
        """
        super().start_keepalive()
        self.request.headers.clear()
        self.response.headers.clear()


class ReceivedMessages:
    """Queue with one reader, which has a `deque` only while messages wait."""

    __slots__ = ("_reader", "_waiting")

    def __init__(self) -> None:
        self._waiting: deque[ASGIReceiveEvent] | None = None
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: ASGIReceiveEvent) -> None:
        """Add a message and wake the reader."""
        if self._waiting is None:
            self._waiting = deque()
        self._waiting.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> ASGIReceiveEvent:
        """Return the next message, waiting for one."""
        while self._waiting is None:
            assert self._reader is None, "one task reads"
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        message = self._waiting.popleft()
        if not self._waiting:
            self._waiting = None
        return message

    def empty(self) -> bool:
        """Return whether no message waits."""
        return self._waiting is None


class Gate:
    """Event of asyncio that is set nearly always; it has one only while it is not."""

    __slots__ = ("_closed",)

    def __init__(self) -> None:
        self._closed: asyncio.Event | None = None

    def set(self) -> None:
        """Let everybody through who waits."""
        if self._closed is not None:
            self._closed.set()
            self._closed = None

    def clear(self) -> None:
        """Let everybody wait from now on."""
        if self._closed is None:
            self._closed = asyncio.Event()

    async def wait(self) -> None:
        """Wait until the gate is open."""
        while self._closed is not None:
            await self._closed.wait()
