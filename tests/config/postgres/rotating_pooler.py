"""Pooler of the tests: each transaction of a client gets the server connection used least lately.

As PgBouncer in transaction mode, but the next transaction never sees the session of the one before,
so that whoever counts on a session fails at once.
"""

from __future__ import annotations

import os
import queue
import socket
import struct
import threading
from contextlib import suppress

import psycopg

SSL_REQUEST, GSS_REQUEST = 80_877_103, 80_877_104
TOLD = (
    *("server_version", "server_encoding", "client_encoding", "DateStyle", "TimeZone"),
    *("integer_datetimes", "standard_conforming_strings", "in_hot_standby"),
    *("default_transaction_read_only",),
)
"""Parameters that a client learns at its log-in."""

ENDS_OF_TURNS = (b"Q", b"S")
"""Messages of a client after which the server answers until it is ready: query and sync."""


class RotatingPooler:
    """Pooler on a port of its own, over `many` connections to one database."""

    def __init__(self, url: str, many: int) -> None:
        self._connections = [psycopg.connect(url, autocommit=True) for _ in range(many)]
        self._free: queue.Queue[socket.socket] = queue.Queue()
        for one in self._connections:
            server = socket.socket(fileno=os.dup(one.pgconn.socket))
            server.setblocking(True)
            self._free.put(server)
        self.transactions = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Take no client any more, and end the connections to the server."""
        self._listening.close()
        for one in self._connections:
            one.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=[client], daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            if self._log_in(client):
                while self._serve_transaction(client):
                    self.transactions += 1

    def _log_in(self, client: socket.socket) -> bool:
        """Admit whoever comes, as the user of the pooler; False when the client goes."""
        while True:
            length = struct.unpack("!i", _exactly(client, 4))[0]
            code = struct.unpack("!i", _exactly(client, length - 4)[:4])[0]
            if code not in (SSL_REQUEST, GSS_REQUEST):
                break
            client.sendall(b"N")
        known = self._connections[0].pgconn
        client.sendall(_message(b"R", struct.pack("!i", 0)))
        for name in TOLD:
            value = known.parameter_status(name.encode())
            if value is not None:
                client.sendall(_message(b"S", name.encode() + b"\0" + value + b"\0"))
        client.sendall(_message(b"K", struct.pack("!ii", 1, 1)) + _message(b"Z", b"I"))
        return True

    def _serve_transaction(self, client: socket.socket) -> bool:
        """Hand one transaction on; False when the client ends instead."""
        kind, message = _read(client)
        if kind in (b"", b"X"):
            return False
        server = self._free.get()
        try:
            while True:
                server.sendall(message)
                if kind in ENDS_OF_TURNS and self._answer(server, client) == b"I":
                    return True
                kind, message = _read(client)
                if kind in (b"", b"X"):  # in the middle of a transaction
                    server.sendall(_message(b"Q", b"ROLLBACK\0"))
                    while _read(server)[0] != b"Z":
                        pass
                    return False
        finally:
            self._free.put(server)

    def _answer(self, server: socket.socket, client: socket.socket) -> bytes:
        """Hand the server's answer on; return whether it is idle or in a transaction."""
        while True:
            kind, message = _read(server)
            client.sendall(message)
            if kind == b"Z":
                return message[-1:]


def _message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!i", len(body) + 4) + body


def _read(end: socket.socket) -> tuple[bytes, bytes]:
    """Return the kind of the next message, and the message; b"" at the end."""
    head = _exactly(end, 5)
    if len(head) < 5:
        return b"", b""
    return head[:1], head + _exactly(end, struct.unpack("!i", head[1:])[0] - 4)


def _exactly(end: socket.socket, count: int) -> bytes:
    found = b""
    while len(found) < count and (more := end.recv(count - len(found))):
        found += more
    return found
