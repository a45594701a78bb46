"""Connections of event loops whose other end has closed them."""

from __future__ import annotations

from typing import Any

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError


class ClosableConnection(AbstractConnection):
    """Connection on which uvloop's refusal to write is an error of the connection.

    uvloop raises a RuntimeError, which no client takes for one: nothing would be tried again.
    """

    async def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        """Send a command; raises RedisError."""
        try:
            await super().send_packed_command(command, check_health)
        except RuntimeError as closed:
            await self.disconnect(nowait=True)
            raise ConnectionError(str(closed)) from closed
