"""Client of one server for workers that ask it thousands of times a second.

redis-py measures every command and every use of a connection for OpenTelemetry, which no room
exports: a third of its own time. This client does the rest as redis-py does, and measures nothing.
Scripts, most of what workers ask, take a shorter way through it than other commands.
"""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import Any

from hiredis import pack_command
from redis import Connection, ConnectionPool, Redis, SSLConnection
from redis.connection import AbstractConnection
from redis.exceptions import ConnectionError, ResponseError, TimeoutError


class _AskedConnection(AbstractConnection):
    """Connection that sends a command and reads its reply in one step."""

    # redis-py has no types for these.
    _sock: Any
    next_health_check: Any
    check_health: Any
    disconnect: Any

    def ask(self, words: tuple[Any, ...]) -> Any:
        """Return the reply to a command whose name is one word; raises RedisError."""
        if self._sock is None:
            self.connect_check_health(check_health=False)
        self.check_health()
        try:
            self._sock.sendall(pack_command(words))
            reply: Any = self._parser.read_response()
        except BaseException as error:
            # A connection whose reply was not read whole is given to nobody any more.
            self.disconnect()
            if isinstance(error, OSError):
                raise ConnectionError(str(error)) from error
            raise
        self.next_health_check = monotonic() + self.health_check_interval
        if isinstance(reply, ResponseError):
            raise reply
        return reply


class _Plain(_AskedConnection, Connection):
    """Connection in plain."""


class _Tls(_AskedConnection, SSLConnection):
    """Connection over TLS."""


class LeanPool(ConnectionPool):
    """Pool of connections to one server; each is ready for a command when it is given out."""

    def __init__(
        self, connection_class: type[AbstractConnection] = Connection, **options: Any
    ) -> None:
        kind = _Tls if issubclass(connection_class, SSLConnection) else _Plain
        super().__init__(kind, **options)

    def get_connection(self, *_: Any, **__: Any) -> Any:
        """Return a connection that no other thread uses; raises RedisError."""
        self._checkpid()
        with self._lock:
            idle = self._available_connections
            connection: Any = idle.pop() if idle else self.make_connection()
            self._in_use_connections.add(connection)
        try:
            if not _is_ready(connection):
                connection.disconnect()
                connection.connect()
        except BaseException:
            self.release(connection)
            raise
        return connection

    def release(self, connection: Any) -> None:
        """Take a connection back; one that was made before a fork is not of this pool."""
        self._checkpid()
        with self._lock:
            if connection not in self._in_use_connections:
                return
            self._in_use_connections.remove(connection)
            if connection.should_reconnect():
                connection.disconnect()
            self._available_connections.append(connection)


class LeanClient(Redis):
    """Client of one server; threads may share it. Pipelines are those of redis-py."""

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Run a command, again after a lost connection as often as its retry says."""
        pool: Any = self.connection_pool
        connection = pool.get_connection()

        def ask() -> Any:
            connection.send_command(*args, **options)
            return self.parse_response(connection, args[0], **options)  # type: ignore[no-untyped-call]

        # The reply of a script is not changed by the client, as those of other commands may be.
        asked = partial(connection.ask, args) if args[0] == "EVALSHA" else ask
        try:
            return connection.retry.call_with_retry(asked, connection.disconnect)
        finally:
            pool.release(connection)


def _is_ready(connection: Any) -> bool:
    """Return whether a connection is open and nothing is left to read, as after its last reply."""
    try:
        return connection.is_connected and not connection.can_read()
    except (ConnectionError, TimeoutError):
        return False
