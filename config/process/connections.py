"""HTTP connections of the web process that end when nothing arrives, or nobody takes an answer.

Uvicorn bounds the time between two requests only: a client that never ends the head of a request,
or never reads, would hold its connection for ever, and a process has a bounded number of them.
"""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from config import limits


class RoomConnection(H11Protocol):
    """Connection that waits for the head of a request, and for a reader, for a bounded time.

    The front door bounds the time of a body (`config.door.body`) and of a long stream
    (`config.door.outlets`).
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._head_timer: TimerHandle | None = None
        self._unsent_timer: TimerHandle | None = None
        self._is_socket = False

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as uvicorn
        """Wait for the first request."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timers."""
        self._forget_head()
        self._forget_unsent()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; a head that is not complete yet gets no more time."""
        self._forget_unsent()
        super().data_received(data)
        if not self._is_between_requests():
            self._forget_head()
        elif self._head_timer is None:
            self._await_head()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over to the protocol of WebSockets, which has its own pings."""
        self._is_socket = True
        self._forget_unsent()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Wait for the next request, and for a reader of what is unsent."""
        self._forget_head()
        super().on_response_complete()  # which begins with a request that has arrived meanwhile
        if self._is_between_requests():
            self._await_head()
            self._watch_unsent()

    def pause_writing(self) -> None:
        """Wait for a reader: no more is written before it took most of it."""
        super().pause_writing()
        self._watch_unsent()

    def resume_writing(self) -> None:
        """Write on."""
        self._forget_unsent()
        super().resume_writing()

    def _is_between_requests(self) -> bool:
        return not self._is_socket and (self.cycle is None or self.cycle.response_complete)

    def _await_head(self) -> None:
        if not self.transport.is_closing():
            self._head_timer = self.loop.call_later(limits.HEAD_ARRIVES_S, self._close)

    def _close(self) -> None:
        """Close the connection once the answer before is sent, or its reader is gone."""
        self.transport.close()
        self._watch_unsent()

    def _forget_head(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _watch_unsent(self) -> None:
        unsent = self.transport.get_write_buffer_size()
        if unsent and self._unsent_timer is None:
            self._unsent_timer = self.loop.call_later(
                limits.ANSWER_STALLS_S, self._cut_unless_taken, unsent
            )

    def _forget_unsent(self) -> None:
        if self._unsent_timer is not None:
            self._unsent_timer.cancel()
            self._unsent_timer = None

    def _cut_unless_taken(self, before: int) -> None:
        """Drop the connection unless some of what was unsent was taken meanwhile."""
        self._unsent_timer = None
        unsent = self.transport.get_write_buffer_size()
        if unsent and unsent >= before:
            self.transport.abort()
        else:
            self._watch_unsent()
