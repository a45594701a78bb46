"""Connections to nodes of a cluster that ask no silent node (`config/redis/silence.py`)."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from redis import Connection, SSLConnection
from redis.asyncio import Connection as AsyncConnection
from redis.asyncio import SSLConnection as AsyncSSLConnection
from redis.connection import AbstractConnection
from redis.exceptions import (
    AuthenticationError,
    ClusterDownError,
    ConnectionError,
    RedisError,
    ResponseError,
    TimeoutError,
)

from config.redis import silence
from config.redis.closed import ClosableConnection
from config.redis.silence import Silence


class _ToNode:
    """Notes of connections of threads and of event loops."""

    _connects = False
    host: str
    port: int

    @cached_property
    def silence(self) -> Silence:
        """Silence of the node at the other end."""
        return silence.of_node(self.host, self.port)

    def _begin(self) -> None:
        self.silence.check()
        self._connects = True

    def _ask(self, is_connected: bool, on_its_own: bool) -> None:
        # What belongs to another command, as the handshake and the look at its health, was let in
        # with that.
        if is_connected and on_its_own and not self._connects:
            self.silence.check()

    def _noted(self, error: RedisError) -> RedisError:
        # 1. A node without a whole cluster around it serves as little as one that is silent.
        is_down = isinstance(error, ClusterDownError) and "cluster is down" in str(error)
        # 2. One that closed a connection may have started anew: it is asked again at once, unless
        #    this was the one command that may ask it.
        is_gone = isinstance(error, ConnectionError) and (self._connects or bool(self.silence))
        if isinstance(error, AuthenticationError | ResponseError) and not is_down:
            self.silence.end()
        elif is_down or is_gone or isinstance(error, TimeoutError):
            return self.silence.begin(error)
        return error


class _ThreadsConnection(_ToNode, AbstractConnection):
    def connect_check_health(
        self, check_health: bool = True, retry_socket_connect: bool = True
    ) -> None:
        """Connect unless it is; raises RedisError, at once if the node is silent."""
        if self.is_connected:
            return
        self._begin()
        try:
            super().connect_check_health(check_health, retry_socket_connect)
        except RedisError as error:
            raise self._noted(error) from None
        finally:
            self._connects = False

    def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        """Send a command; raises RedisError, at once if the node is silent."""
        self._ask(self.is_connected, check_health)
        super().send_packed_command(command, check_health)  # type: ignore[no-untyped-call]

    def read_response(self, *args: Any, **options: Any) -> Any:
        """Read a reply; raises RedisError."""
        try:
            reply = super().read_response(*args, **options)
        except RedisError as error:
            raise self._noted(error) from None
        self.silence.end()
        return reply


class _LoopsConnection(_ToNode, ClosableConnection):
    async def connect_check_health(
        self, check_health: bool = True, retry_socket_connect: bool = True
    ) -> None:
        """Connect unless it is; raises RedisError, at once if the node is silent."""
        if self.is_connected:
            return
        self._begin()
        try:
            await super().connect_check_health(check_health, retry_socket_connect)
        except RedisError as error:
            raise self._noted(error) from None
        finally:
            self._connects = False

    async def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        """Send a command; raises RedisError, at once if the node is silent."""
        self._ask(self.is_connected, check_health)
        await super().send_packed_command(command, check_health)

    async def read_response(self, *args: Any, **options: Any) -> Any:
        """Read a reply; None when nothing came within a timeout of the caller's own."""
        try:
            reply = await super().read_response(*args, **options)
        except RedisError as error:
            raise self._noted(error) from None
        if reply is not None or options.get("timeout") is None:
            self.silence.end()
        return reply


class NodeConnection(_ThreadsConnection, Connection):
    """Connection of threads in plain."""


class TlsNodeConnection(_ThreadsConnection, SSLConnection):
    """Connection of threads over TLS."""


class AsyncNodeConnection(_LoopsConnection, AsyncConnection):
    """Connection of event loops in plain."""


class AsyncTlsNodeConnection(_LoopsConnection, AsyncSSLConnection):
    """Connection of event loops over TLS."""
