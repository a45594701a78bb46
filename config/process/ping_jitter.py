"""WebSocket pings of silent connections, jittered so that they do not ping in step."""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from config import entropy

SPREAD = 0.5
"""Largest deviation of a ping from the interval, as a share of the interval."""


class Keepalive(WebSocketsSansIOProtocol):
    """WebSocket protocol of uvicorn that pings only who says nothing, after a jittered interval.

    A blocked process makes the pings of several seconds due together, for example when all tables
    start at once. At a fixed interval they would stay together and block it again every time.
    Whoever says anything lives, and pages ping the room by themselves.
    """

    _heard_s = 0.0
    _ping_after_s = 0.0

    def data_received(self, data: bytes) -> None:
        """Take in bytes of the client, and note the time."""
        self._heard_s = self.loop.time()
        super().data_received(data)

    def schedule_ping(self) -> None:
        """Schedule the next ping at the interval plus or minus up to half of it."""
        assert self.ping_interval is not None
        jitter = entropy.system().uniform(1 - SPREAD, 1 + SPREAD)
        self._ping_after_s = self.ping_interval * jitter
        self.ping_timer = self.loop.call_later(self._ping_after_s, self.send_keepalive_ping)

    def send_keepalive_ping(self) -> None:
        """Ping a client that was silent for the interval; wait for the rest of it otherwise."""
        left_s = self._heard_s + self._ping_after_s - self.loop.time()
        if left_s > 0:
            self.ping_timer = self.loop.call_later(left_s, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()
