"""Way of an answer to its client: kept until Django is done, or sent while a stream is made."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, Future
from typing import Any

from config import metrics
from config.door.lanes import PLAYER
from config.door.refusals import Message, Scope, Send
from config.door.turns import Full

KEPT_BYTES = 64 * 2**10
"""Bytes of a stream that are kept like a page; a longer one is sent on."""
STREAMS_AT_ONCE = 32
STREAMS_FOR_PLAYERS = 8
"""Streams that only players with a session may open."""
STREAMS_PER_SOURCE = 4
STALLS_S = 60.0
"""Longest wait in seconds for a client that takes nothing of its stream."""
LASTS_S = 3_600.0
"""Longest time in seconds of one stream, however slowly its client takes it."""
ABORTS_S = 1.0


class StreamEnded(Exception):
    """End of an answer before Django's: nobody takes the rest, or nobody asked for it."""


class OpenStreams:
    """Count of the streams that are sent on, of all clients and of each source."""

    def __init__(self) -> None:
        self._by_source: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._by_source.total()

    def enter(self, rank: int, source: str) -> None:
        """Count a stream; raise Full above the limits."""
        most = STREAMS_AT_ONCE - (0 if rank == PLAYER else STREAMS_FOR_PLAYERS)
        if len(self) >= most or self._by_source[source] >= STREAMS_PER_SOURCE:
            raise Full("too many streams")
        self._by_source[source] += 1

    def leave(self, source: str) -> None:
        """Count a stream no more."""
        self._by_source[source] -= 1
        self._by_source += Counter()  # forgets sources without a stream


class MovingThread(Executor):
    """Executor of one request, whose thread may change between two calls."""

    def __init__(self, thread: Executor) -> None:
        self._thread = thread

    def move(self, thread: Executor) -> None:
        """Send all later calls to another thread."""
        self._thread = thread

    def submit(self, *given: Any, **named: Any) -> Future[Any]:
        """Run a call in the thread that the request has now."""
        return self._thread.submit(*given, **named)


class Outlet:
    """Messages of one answer on their way to its client.

    Answers of a known length and short streams are `kept` for the time after Django's work. A long
    stream first gives its thread back (`release`); each of its parts waits until the client took
    the ones before, so that no more is in memory. `standing` is the rank and the source of its
    request.
    """

    def __init__(
        self, scope: Scope, send: Send, gone: asyncio.Future[Message], standing: tuple[int, str]
    ) -> None:
        self.kept: list[Message] = []
        self.release: Callable[[], Awaitable[None]] | None = None
        self.rank, self.source = standing
        self._is_head = scope["method"] == "HEAD"
        self._send, self._gone = send, gone
        self._streams: OpenStreams | None = None
        self._bytes = 0
        self._has_length = True
        self._ends_s = 0.0

    async def take(self, message: Message, streams: OpenStreams) -> None:
        """Take a message of Django; raise Full for one stream too many, and StreamEnded."""
        if self._streams is not None:
            await self._pass_on(message)
            return
        self.kept.append(message)
        if message["type"] == "http.response.start":
            names = {name.lower() for name, _ in message["headers"]}
            self._has_length = b"content-length" in names
            return
        self._bytes += len(message.get("body", b""))
        if self._has_length or not message.get("more_body"):
            return
        if self._is_head:
            self.kept[-1] = {"type": "http.response.body"}
            raise StreamEnded
        if self._bytes > KEPT_BYTES:
            await self._open(streams)

    def close(self) -> None:
        """Count the stream no more, if it was one."""
        if self._streams is not None:
            self._streams.leave(self.source)
            self._streams = None

    async def _open(self, streams: OpenStreams) -> None:
        streams.enter(self.rank, self.source)
        self._streams = streams
        self._ends_s = asyncio.get_running_loop().time() + LASTS_S
        if self.release is not None:
            await self.release()
        kept, self.kept = self.kept, []
        for message in kept:
            await self._pass_on(message)

    async def _pass_on(self, message: Message) -> None:
        # The loop serves others between two parts, and hears of a client that left.
        await asyncio.sleep(0)
        if self._gone.done():
            raise StreamEnded
        left_s = self._ends_s - asyncio.get_running_loop().time()
        try:
            if left_s <= 0:
                raise TimeoutError
            async with asyncio.timeout(min(STALLS_S, left_s)):
                await self._send(message)
        except TimeoutError:
            metrics.FAULTS.labels("stream_cut").inc()
            await self._cut()
            raise StreamEnded from None

    async def _cut(self) -> None:
        """Drop the connection with what is still unsent.

        The server would close it after the last byte, and this client takes none: it would be open
        for ever. ASGI has no message for that, so the transport of uvicorn is asked.
        """
        transport = getattr(getattr(self._send, "__self__", None), "transport", None)
        if transport is not None:
            transport.abort()
            await asyncio.wait({self._gone}, timeout=ABORTS_S)
