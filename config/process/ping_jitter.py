"""Sockets whose pings do not gather: who was pinged together once would be so for ever."""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from config import entropy

SPREAD = 0.5
"""How far off the interval a ping may be, as a share of it."""


class Keepalive(WebSocketsSansIOProtocol):
    """uvicorn's socket, pinged after a random time around the interval, up to half of it off.

    Whatever holds the process up for seconds, a start of all tables at once, makes the pings of
    these seconds due together. At a fixed interval they would stay together, and answering
    thousands of them would hold everything up again, every time.
    """

    def schedule_ping(self) -> None:
        """Ping next at a moment of its own."""
        assert self.ping_interval is not None
        wait_s = self.ping_interval * entropy.system().uniform(1 - SPREAD, 1 + SPREAD)
        self.ping_timer = self.loop.call_later(wait_s, self.send_keepalive_ping)
