"""Jitter of WebSocket pings, so that connections do not ping in step."""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from config import entropy

SPREAD = 0.5
"""Largest deviation of a ping from the interval, as a share of the interval."""


class Keepalive(WebSocketsSansIOProtocol):
    """WebSocket protocol of uvicorn with pings at the interval plus or minus up to half of it.

    A blocked process makes the pings of several seconds due together, for example when all tables
    start at once. At a fixed interval they would stay together and block it again every time.
    """

    def schedule_ping(self) -> None:
        """Schedule the next ping at a random time."""
        assert self.ping_interval is not None
        wait_s = self.ping_interval * entropy.system().uniform(1 - SPREAD, 1 + SPREAD)
        self.ping_timer = self.loop.call_later(wait_s, self.send_keepalive_ping)
