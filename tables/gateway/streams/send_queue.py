"""Bounded queue of messages to one socket; on overflow its streams start over by snapshots."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from tables.gateway.streams.recent import Batch, events_frame

_json = msgspec.json.Encoder().encode


class _Frame:
    """A message ready to send; `stream` is None for an answer."""

    __slots__ = ("stream", "text")

    def __init__(self, text: str, stream: str | None) -> None:
        self.text = text
        self.stream = stream


class SendQueue:
    """Bounded queue in front of one socket; putting a message in never blocks.

    One task takes messages out.
    """

    __slots__ = ("_drained", "_most", "_sender", "_waiting", "_weight", "closing", "lost")

    def __init__(self, *, most: int, drained: Callable[[set[str]], None]) -> None:
        """`most` messages and events may wait; `drained` receives the streams that lost theirs."""
        self._most = most
        self._drained = drained
        # Short lists: an empty deque takes 760 bytes, an event has another, for each socket.
        self._waiting: list[_Frame | Batch] = []
        self._weight = 0
        self._sender: asyncio.Future[None] | None = None
        self.lost: set[str] = set()
        self.closing: int | None = None

    def answer(self, message: msgspec.Struct) -> None:
        """Queue an answer to this client alone; a client that never reads its answers is closed."""
        if self.closing is None:
            self._put(_Frame(_json(message).decode(), None), 1)

    def snapshot(self, stream: str, frame: str) -> None:
        """Queue a snapshot and drop the older messages of its stream."""
        if self.closing is None:
            self._drop({stream})
            self._put(_Frame(frame, stream), 1)

    def events(self, batch: Batch) -> None:
        """Queue events of a stream."""
        if self.closing is None and batch.stream not in self.lost:
            self._put(batch, batch.count)

    def beside(self, stream: str, frame: str) -> None:
        """Queue a message of a stream that is no event; it is dropped together with its events."""
        if self.closing is None and stream not in self.lost:
            self._put(_Frame(frame, stream), 1)

    def forget(self, stream: str) -> None:
        """Send nothing more of a stream."""
        self._drop({stream})
        self.lost.discard(stream)

    def close(self, code: int) -> None:
        """Send the waiting answers, nothing of streams, then close the socket with `code`."""
        if self.closing is None:
            self.closing = code
            self._drop({item.stream for item in self._waiting if item.stream is not None})
            self._stir()

    async def next(self) -> str | None:
        """Return the next message, waiting for one; None when the socket must be closed."""
        while not self._waiting:
            if self.closing is not None:
                return None
            if self.lost:
                lost, self.lost = self.lost, set()
                self._drained(lost)
                continue  # what was drained may have queued a message
            self._sender = asyncio.get_running_loop().create_future()
            try:
                await self._sender
            finally:
                self._sender = None
        item = self._waiting.pop(0)
        if isinstance(item, _Frame):
            self._weight -= 1
            return item.text
        return self._joined(item)

    def _joined(self, first: Batch) -> str:
        batches = [first]
        while self._waiting:
            following = self._waiting[0]
            if not isinstance(following, Batch) or following.stream != first.stream:
                break
            batches.append(following)
            self._waiting.pop(0)
        self._weight -= sum(batch.count for batch in batches)
        return first.frame if len(batches) == 1 else events_frame(first.stream, batches)

    def _put(self, item: _Frame | Batch, weight: int) -> None:
        self._waiting.append(item)
        self._weight += weight
        if self._weight > self._most:
            overrun = {waiting.stream for waiting in self._waiting if waiting.stream is not None}
            self._drop(overrun)
            self.lost |= overrun
            if self._weight > self._most:
                self._waiting.clear()
                self._weight = 0
                self.close(1013)
        self._stir()

    def _stir(self) -> None:
        if self._sender is not None and not self._sender.done():
            self._sender.set_result(None)

    def _drop(self, streams: set[str]) -> None:
        kept = [item for item in self._waiting if item.stream not in streams]
        if len(kept) != len(self._waiting):
            self._waiting = kept
            self._weight = sum(item.count if isinstance(item, Batch) else 1 for item in kept)
