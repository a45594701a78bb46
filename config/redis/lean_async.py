"""Pool of one server for event loops: connections write as cheaply as those of threads.

redis-py has a packer in C, which its asyncio connections do not use, and it measures every use of a
connection for OpenTelemetry, which no room exports.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from redis.asyncio.connection import (
    AbstractConnection,
    Connection,
    ConnectionPool,
    SSLConnection,
)
from redis.connection import HiredisRespSerializer
from redis.exceptions import ConnectionError

from config.redis.closed import ClosableConnection


class LeanAsyncPool(ConnectionPool):
    """Pool whose users wait up to `timeout` seconds for a connection when all are busy."""

    def __init__(
        self,
        *,
        timeout: float,
        max_connections: int,
        connection_class: type[AbstractConnection] = Connection,
        **options: Any,
    ) -> None:
        packed = _PackedTls if issubclass(connection_class, SSLConnection) else _Packed
        super().__init__(packed, max_connections, **options)
        self._timeout = timeout
        self._turns = asyncio.Semaphore(max_connections)

    async def get_connection(self, *_: Any, **__: Any) -> Any:
        """Return a connection that is ready for a command; raises RedisError and OSError."""
        if self._turns.locked():
            await self._wait()
        else:
            await self._turns.acquire()
        connection = self.get_available_connection()  # type: ignore[no-untyped-call]
        try:
            await self.ensure_connection(connection)
        except BaseException:
            await self.release(connection)
            raise
        return connection

    async def release(self, connection: AbstractConnection) -> None:
        """Take a connection back, and let the next user have its turn."""
        try:
            if connection.should_reconnect():  # type: ignore[no-untyped-call]
                await connection.disconnect()
        finally:
            self._in_use_connections.remove(connection)
            self._available_connections.append(connection)
            self._turns.release()

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(self._timeout):
                await self._turns.acquire()
        except TimeoutError as error:
            raise ConnectionError("no connection to Redis became free") from error


class _PackedConnection(ClosableConnection):
    """Connection that packs its commands in C."""

    def pack_command(self, *args: Any) -> list[bytes]:
        """Return the bytes of a command."""
        return HiredisRespSerializer().pack(*args)  # type: ignore[no-any-return]

    def pack_commands(self, commands: Iterable[Iterable[Any]]) -> list[bytes]:
        """Return the bytes of some commands, one after the other."""
        return [chunk for command in commands for chunk in self.pack_command(*command)]


class _Packed(_PackedConnection, Connection):
    """Packing connection in plain."""


class _PackedTls(_PackedConnection, SSLConnection):
    """Packing connection over TLS."""
