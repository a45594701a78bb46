"""Recorder of all streams and pages of a room in play, with arrival times."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

HEARTBEAT_S = 0.25
_VOLATILE = re.compile(
    r"""csrfmiddlewaretoken[^>]*|nonce="[^"]*"|"csrf[^"]*"\s*:\s*"[^"]*"|\b\d{13}\b"""
    r'''|name="token" value="[^"]*"'''
    r"""|now_ms\W+\d+|X-CSRFToken[^}]*|\bin \d+ ?\w+|\d+(\.\d+)? ?(s|ms)\b|<time[^>]*>[^<]*"""
)
# The live page also shows the seconds without progress, and the mark of a showdown.
_LIVE = re.compile(_VOLATILE.pattern + r"|<td>\d+</td>|cards being shown|hand in play")


@dataclass(frozen=True)
class Heard:
    """Event as received by a listener, in ms since the epoch."""

    at_ms: float
    listener: str
    stream: str
    event: dict[str, Any]

    @property
    def kind(self) -> str:
        """Return the type of the event."""
        return str(self.event["type"])


@dataclass(frozen=True)
class Seen:
    """Page without its always changing parts; request and answer in ms since the epoch."""

    asked_ms: float
    at_ms: float
    path: str
    status: int
    text: str


def masked(path: str, text: str) -> str:
    """Return the text of a page without the parts that differ at every request."""
    return (_LIVE if path.startswith("/admin/live") else _VOLATILE).sub("", text)


class Listener:
    """Socket that follows streams and newly opened tables, and reconnects after a cut."""

    def __init__(self, name: str, url: str, session: str | None, streams: Sequence[str]) -> None:
        self.name = name
        self.heard: list[Heard] = []
        self.states: list[Heard] = []
        self._url = url
        self._session = session
        self._streams = list(streams)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    @property
    def known(self) -> set[str]:
        """Return the streams with a received snapshot."""
        return {one.stream for one in self.states}

    def stop(self) -> None:
        """Close the socket."""
        self._over.set()
        self._thread.join(10)

    def _listen(self) -> None:
        while not self._over.is_set():
            with suppress(OSError, WebSocketException, TimeoutError):
                self._connected()
            time.sleep(0.1)

    def _connected(self) -> None:
        headers = {} if self._session is None else {"Cookie": f"sessionid={self._session}"}
        address = f"{self._url.replace('http', 'ws')}/ws/v1/"
        with connect(address, origin=Origin(self._url), additional_headers=headers) as socket:
            for stream in self._streams:
                self._follow(socket, stream)
            while not self._over.is_set():
                with suppress(TimeoutError):
                    self._hear(socket, json.loads(socket.recv(HEARTBEAT_S)))

    def _follow(self, socket: ClientConnection, stream: str) -> None:
        wish = {"watch": True} if stream.startswith("table:") else {}
        socket.send(json.dumps({"type": "subscribe", "stream": stream, **wish}))

    def _hear(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        at_ms = time.time() * 1_000
        if message["type"] == "snapshot":
            state = {**message["state"], "type": "snapshot"}
            self.states.append(Heard(at_ms, self.name, message["stream"], state))
        for event in message.get("events", ()):
            self.heard.append(Heard(at_ms, self.name, message["stream"], event))
            if event["type"] == "table_opened":
                self._streams.append(f"table:{event['table']}")
                self._follow(socket, self._streams[-1])


class Looker:
    """Poller of the same pages."""

    def __init__(self, name: str, url: str, session: str | None, paths: Iterable[str]) -> None:
        self.name = name
        self.seen: list[Seen] = []
        self._paths = tuple(paths)
        cookies = {} if session is None else {"Cookie": f"sessionid={session}"}
        self._client = httpx.Client(base_url=url, headers=cookies, timeout=60)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop polling."""
        self._over.set()
        self._thread.join(60)

    def rounds_since(self, at_ms: float) -> int:
        """Return how often every page was requested and received since a moment."""
        fresh = [seen.path for seen in self.seen if seen.asked_ms >= at_ms]
        return min(fresh.count(path) for path in self._paths)

    def _look(self) -> None:
        while not self._over.is_set():
            for path in self._paths:
                asked_ms = time.time() * 1_000
                with suppress(httpx.HTTPError):
                    answer = self._client.get(path)
                    at_ms = time.time() * 1_000
                    text = masked(path, answer.text)
                    self.seen.append(Seen(asked_ms, at_ms, path, answer.status_code, text))
