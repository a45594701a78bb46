"""Client of one server for workers that ask it thousands of times a second.

redis-py measures every command and every use of a connection for OpenTelemetry, which no room
exports: a third of its own time. This client does the rest as redis-py does, and measures nothing.
"""

from __future__ import annotations

from typing import Any

from redis import ConnectionPool, Redis
from redis.exceptions import ConnectionError, TimeoutError


class LeanPool(ConnectionPool):
    """Pool of connections to one server; each is ready for a command when it is given out."""

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

        try:
            return connection.retry.call_with_retry(ask, connection.disconnect)
        finally:
            pool.release(connection)


def _is_ready(connection: Any) -> bool:
    """Return whether a connection is open and nothing is left to read, as after its last reply."""
    try:
        return connection.is_connected and not connection.can_read()
    except (ConnectionError, TimeoutError):
        return False
