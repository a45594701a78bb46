"""Connections of event loops that a node closed: writing to one is an error of the connection."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvloop
from django.conf import settings
from redis import Redis
from redis.exceptions import ConnectionError

from config.redis.closed import ClosableConnection
from config.redis.lean_async import _Packed
from config.redis.nodes import AsyncNodeConnection


@pytest.mark.parametrize("kind", [AsyncNodeConnection, _Packed], ids=["node", "single"])
def test_a_command_on_a_closed_connection_is_refused_as_one(
    room: Redis, kind: type[ClosableConnection]
) -> None:
    given = urlsplit(settings.ROOM_REDIS_URL)
    known: dict[str, Any] = {"host": given.hostname, "port": given.port, "password": given.password}

    async def ask() -> None:
        line: Any = kind(**known)
        await line.connect()
        line._writer.transport.abort()
        await asyncio.sleep(0.05)
        try:
            with pytest.raises(ConnectionError, match="closed"):
                await line.send_command("PING", check_health=False)
            assert not line.is_connected
        finally:
            await line.disconnect(nowait=True)

    uvloop.run(ask())
