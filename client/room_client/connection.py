"""Connection to the room: one socket, opened again after every cut."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from contextlib import suppress
from random import Random
from typing import TypedDict
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidStatus, WebSocketException

from room_client import wire
from room_client.messages.streams import ClientMessage

SOCKET_PATH = "/ws/v1/"
MESSAGE_MAX_BYTES = 2**20
CUT = (OSError, WebSocketException, InvalidHandshake, TimeoutError, EOFError)
"""Errors of a connection that is opened again."""

MESSAGES_AT_ONCE, MESSAGES_PER_S = 40, 15.0
"""Pace of one socket, below that of the room (60 at once, 20 a second), which reads no more."""

_BACK_OFF_FIRST_S = 0.2
_BACK_OFF_GROWTH = 1.5
_BACK_OFF_MAX_S = 3.0
_HELD_S = 10.0
_CONNECT_S = 15.0
_PING_S = 30
_FINAL_STATUSES = frozenset({401, 403})

ASKED_PAUSE_MAX_S = 60
"""Longest pause in s that the room may ask for; it is tried again after it, whatever was said."""


class _LocalAddress(TypedDict, total=False):
    local_addr: tuple[str, int]


def origin_of(url: str) -> str:
    """Return scheme and host of a room's address; raise ValueError for no address of a site."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{url!r} is no address like https://room.example")
    return f"{parts.scheme}://{parts.netloc}"


def asked_pause_s(headers: Mapping[str, str]) -> int | None:
    """Return the seconds that the header `Retry-After` of an answer asks for; None without one."""
    told = headers.get("Retry-After") or ""
    return min(int(told), ASKED_PAUSE_MAX_S) if told.isascii() and told.isdecimal() else None


class MessagePace:
    """Times at which the messages of a socket may go, so that the room reads each of them."""

    def __init__(self) -> None:
        self._level_s = 0.0

    def time_for(self, now_s: float) -> float:
        """Return the time at which one more message may go: now, or after those before it."""
        self._level_s = max(self._level_s, now_s) + 1 / MESSAGES_PER_S
        return max(now_s, self._level_s - MESSAGES_AT_ONCE / MESSAGES_PER_S)


class Connection(ABC):
    """Keep a socket open until its task is cancelled; subclasses take in what is received.

    `headers` prove the user: a cookie, or a bearer token. `address` is the local address of the
    socket, unless it is None.
    """

    pings_itself = True
    """True for a socket whose protocol pings the room; no browser does."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        *,
        chance: Random | None = None,
        address: str | None = None,
    ) -> None:
        self._origin = origin_of(url)
        self._headers = dict(headers)
        self._chance = chance or Random()  # nosec B311
        self._from: _LocalAddress = {} if address is None else {"local_addr": (address, 0)}
        self._socket: ClientConnection | None = None
        self._pace = MessagePace()
        self._is_turned = False
        self._kept: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Connect, and again after every cut with a growing pause; raise InvalidStatus if refused.

        A refusal is final where the proof of the user is not valid: status 401 or 403. A busy room
        (429, 503) is given the time that it asks for. What `keep` holds ends with it.
        """
        try:
            await self._connect_again_and_again()
        finally:
            for task in self._kept:
                task.cancel()

    async def _connect_again_and_again(self) -> None:
        pause_s = _BACK_OFF_FIRST_S
        clock = asyncio.get_running_loop().time
        while True:
            began_s, asked_s = clock(), 0
            try:
                await self._converse()
            except InvalidStatus as refused:
                if refused.response.status_code in _FINAL_STATUSES:
                    raise
                asked_s = asked_pause_s(refused.response.headers) or 0
            except CUT:
                pass  # cuts are expected on a network
            except Exception as failure:
                self.failed(failure)
            self._socket = None
            if self._is_turned:
                self._is_turned = False
                continue
            self.cut()
            if clock() - began_s > _HELD_S:
                pause_s = _BACK_OFF_FIRST_S
            # Beyond what was asked for, so that those who were refused together come apart.
            await asyncio.sleep(asked_s + pause_s * self._chance.uniform(0.5, 1.5))
            pause_s = min(_BACK_OFF_MAX_S, _BACK_OFF_GROWTH * pause_s)

    def say(self, messages: Iterable[ClientMessage]) -> None:
        """Send messages now, or in their turn where the room would read no more at once.

        Without a socket they are dropped, as no room would hear them.
        """
        texts = [wire.encode(message) for message in messages]
        if texts and self._socket is not None:
            self.sending(texts)
            now_s = asyncio.get_running_loop().time()
            timed = [(self._pace.time_for(now_s), text) for text in texts]
            self.keep(asyncio.create_task(_send_all(self._socket, timed)))

    async def reopen(self) -> None:
        """Close the socket, and open another one at once: what was followed is followed anew."""
        if self._socket is not None:
            self._is_turned = True
            await self._socket.close()

    def give_up(self) -> None:
        """Cut the socket without a goodbye, as the room does not answer; another one is opened."""
        if self._socket is not None:
            self._socket.transport.abort()

    def keep(self, task: asyncio.Task[None]) -> None:
        """Hold a reference to a task until it is done; asyncio keeps none."""
        self._kept.add(task)
        task.add_done_callback(self._kept.discard)

    @property
    def is_open(self) -> bool:
        """Return whether a socket is open now."""
        return self._socket is not None

    # ---- what subclasses do: take in messages, and what they like of the rest ----

    @abstractmethod
    def received(self, raw: str | bytes) -> None:
        """Take in one message of the room."""

    def sending(self, texts: list[str]) -> None:  # noqa: B027
        """Note messages that are about to be sent."""

    def cut(self) -> None:  # noqa: B027
        """Note the end of a socket."""

    def failed(self, failure: Exception) -> None:
        """Handle a message that could not be taken in; the socket is opened again after it."""
        raise failure

    async def _converse(self) -> None:
        scheme, _, place = self._origin.partition("://")
        async with connect(
            f"{'wss' if scheme == 'https' else 'ws'}://{place}{SOCKET_PATH}",
            additional_headers=self._headers,
            # Websockets types origins as a NewType of str.
            origin=self._origin,  # type: ignore[arg-type]
            compression=None,
            max_size=MESSAGE_MAX_BYTES,
            max_queue=64,
            open_timeout=_CONNECT_S,
            ping_interval=_PING_S if self.pings_itself else None,
            ping_timeout=_PING_S,
            close_timeout=1,
            proxy=None,
            **self._from,
        ) as socket:
            self._socket, self._pace = socket, MessagePace()
            async for raw in socket:
                self.received(raw)


async def _send_all(socket: ClientConnection, timed: list[tuple[float, str]]) -> None:
    clock = asyncio.get_running_loop().time
    with suppress(*CUT):  # the reader of this socket notices the cut and connects again
        for at_s, text in timed:
            if (left_s := at_s - clock()) > 0:
                await asyncio.sleep(left_s)
            await socket.send(text)
