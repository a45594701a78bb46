"""A receiver of posts on this machine that answers as it is told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

HANG = -1
"""Answer that never comes."""
HANGS_S = 600.0


class Received(NamedTuple):
    """One request: its path, its headers in lower case, its body."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """Web server with a list of answers still to give; 204 when the list is empty."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.answers: list[int] = []
        self.leads_to = ""
        self.hanging: set[str] = set()
        self.over = threading.Event()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                headers = {name.lower(): value for name, value in self.headers.items()}
                owner.received.append(Received(self.path, headers, self.rfile.read(length)))
                status = owner.answers.pop(0) if owner.answers else 204
                if status == HANG or self.path in owner.hanging:
                    owner.over.wait(HANGS_S)
                    return
                self.send_response(status)
                if owner.leads_to:
                    self.send_header("Location", owner.leads_to)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def port(self) -> int:
        """Its port on 127.0.0.1."""
        return int(self._server.server_address[1])

    @property
    def address(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}/hooks?room=1"


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver that listens during the block."""
    receiver = Receiver()
    receiver._thread.start()
    try:
        yield receiver
    finally:
        receiver.over.set()
        receiver._server.shutdown()
        receiver._server.server_close()
