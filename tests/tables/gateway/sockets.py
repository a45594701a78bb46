"""Real web server in a thread, and clients for its sockets."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import uvicorn
from django.db import connection
from django.db.backends.signals import connection_created
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from accounts.logins.minting import mint
from accounts.models import User
from config import limits
from config.process.sockets import RoomSocket
from tables.gateway import hub

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

ORIGIN = "http://localhost"
PLAIN = "http://club.test"
"""The site over plain http under a name that no browser trusts: its pages are no secure context."""

LANES = ("pages-", "hashing-pages-", "programs-", "outside-pages-", "probes-", "alive-", "streams_")
"""Beginnings of the names of the threads that answer requests (`config.door.lanes`)."""

PATIENCE_S = 60.0
"""Maximum wait in seconds for an expected message; it bounds a failure and judges no speed."""

Message = dict[str, Any]


@cache
def _reserved() -> socket.socket:
    return _bound(0)


def reserved_port() -> int:
    """Return a port of this process; one site after the other can listen on it."""
    port: int = _reserved().getsockname()[1]
    return port


def _bound(port: int) -> socket.socket:
    """Socket on a port that other processes cannot get; sockets that do not listen get nothing."""
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    bound.bind(("127.0.0.1", port))
    return bound


class Site:
    """Web process of the room, inside the test process; `listening` is a socket made elsewhere.

    Its threads keep their connections from request to request, as those of a web process do.
    """

    def __init__(self, port: int = 0, listening: socket.socket | None = None) -> None:
        from config.asgi import application

        self._socket = listening or _bound(port)
        self.port: int = self._socket.getsockname()[1]

        self._server = uvicorn.Server(
            uvicorn.Config(
                application,
                ws=RoomSocket,
                ws_max_size=limits.CLIENT_MESSAGE_MAX_BYTES,
                ws_per_message_deflate=False,
                lifespan="off",
                log_level="warning",
                timeout_graceful_shutdown=1,
            )
        )
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.loop: asyncio.AbstractEventLoop | None = None
        self._clients: list[Client] = []
        self._opened: list[BaseDatabaseWrapper] = []

    def start(self) -> None:
        """Start the server; return when the port is open."""
        connection_created.connect(self._note)
        connection.settings_dict["CONN_MAX_AGE"] = limits.PAGE_CONNECTION_AGE_S
        self._thread.start()
        wait_for(lambda: self._server.started)

    def stop(self) -> None:
        """Stop the clients, the server and its gateway."""
        for client in self._clients:
            client.cut()
        self._server.should_exit = True
        self._thread.join(3 * PATIENCE_S)
        assert not self._thread.is_alive()
        connection.settings_dict["CONN_MAX_AGE"] = 0
        connection_created.disconnect(self._note)
        for kept in self._opened:
            kept.inc_thread_sharing()
            kept.close()
            kept.dec_thread_sharing()

    def _note(self, connection: BaseDatabaseWrapper, **_: object) -> None:
        if threading.current_thread().name.startswith(LANES):
            self._opened.append(connection)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        await self._server.serve([self._socket])
        await hub.here().stop()

    def ask(self, question: Callable[[hub.Gateway], Any]) -> Any:
        """Return the result of a function called with the server's gateway in its event loop."""
        assert self.loop is not None

        async def answer() -> Any:
            return question(hub.here())

        return asyncio.run_coroutine_threadsafe(answer(), self.loop).result(PATIENCE_S)

    def client(
        self,
        user: User | None = None,
        *,
        key: str | None = None,
        origin: str | None = ORIGIN,
        lazy: bool = False,
        language: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Client:
        """A client of that user, with a new session, or with the session `key`, or these `headers`.

        A `lazy` client reads from its socket only on request.
        """
        if key is None and user is not None:
            key = mint([user], 1)[0][1]
        sent = dict(headers or {})
        if key is not None:
            sent["Cookie"] = f"sessionid={key}"
        if language is not None:
            sent["Accept-Language"] = language
        client = Client(self.port, sent, origin, lazy=lazy)
        self._clients.append(client)
        return client


class Client:
    """One socket of a page or bot; collects messages until they are requested."""

    def __init__(
        self, port: int, headers: dict[str, str], origin: str | None, *, lazy: bool
    ) -> None:
        line = socket.socket()
        if lazy:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        line.connect(("127.0.0.1", port))
        self._opening = connect(
            f"ws://127.0.0.1:{port}/ws/v1/",
            origin=None if origin is None else Origin(origin),
            additional_headers=headers,
            compression=None,
            max_size=None,
            max_queue=1 if lazy else None,
            sock=line,
            open_timeout=PATIENCE_S,
        )
        self.line: ClientConnection = self._opening.__enter__()
        self.heard: list[Message] = []
        self.disconnected: list[list[int]] = []
        self.snapshot: Message = {}
        """Snapshot of the followed table, empty before."""
        self.chat: Message = {}
        """Snapshot of the followed chat, empty before."""
        self.welcome = self.expect("welcome")

    def say(self, **message: Any) -> None:
        """Send a message."""
        self.line.send(json.dumps(message))

    def follow(self, stream: str, **wish: Any) -> Message:
        """Subscribe to a stream; return its snapshot."""
        self.say(type="subscribe", stream=stream, **wish)
        return self.expect("snapshot", stream=stream)

    def expect(self, kind: str, **fields: Any) -> Message:
        """Next message of that type with these fields; earlier other messages stay in `heard`."""
        ends = time.monotonic() + PATIENCE_S
        while True:
            message = self.next(ends - time.monotonic())
            if message["type"] == kind and fields.items() <= message.items():
                return message
            self.heard.append(message)

    def next(self, patience_s: float = PATIENCE_S) -> Message:
        """Next message; lists of disconnected players are kept aside, as they come at any time."""
        ends = time.monotonic() + patience_s
        while True:
            left_s = max(ends - time.monotonic(), 0.01)
            message: Message = json.loads(self.line.recv(timeout=left_s))
            if message["type"] != "disconnected":
                return message
            self.disconnected.append(message["entries"])

    def events(self, stream: str, count: int) -> list[Message]:
        """Next `count` events of a stream, which must come without a snapshot."""
        found: list[Message] = []
        while len(found) < count:
            message = self.next()
            assert message["type"] != "snapshot", message
            if message["type"] == "events" and message["stream"] == stream:
                found += message["events"]
            else:
                self.heard.append(message)
        assert len(found) == count, found
        return found

    def silent(self, for_s: float = 0.3) -> bool:
        """Return whether no message comes for a while."""
        try:
            self.heard.append(self.next(for_s))
        except TimeoutError:
            return True
        return False

    def cut_off(self) -> tuple[list[Message], int]:
        """Every message until the server closes the socket, and its close code."""
        rest: list[Message] = []
        with suppress(ConnectionClosed):
            while True:
                rest.append(self.next())
        code = self.line.close_code
        assert code is not None, rest
        return rest, code

    def cut(self) -> None:
        """Break the connection without a close frame."""
        with suppress(OSError):
            self.line.socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the connection."""
        self.line.close()


def wait_for(true: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Wait until a condition holds."""
    ends = time.monotonic() + patience_s
    while not true():
        assert time.monotonic() < ends, "the condition never held"
        time.sleep(0.01)


def users(*names: str) -> Sequence[User]:
    """New users with these names."""
    return [User.objects.create_user(name) for name in names]
