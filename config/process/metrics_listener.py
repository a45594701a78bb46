"""HTTP listener for the metrics of one process, on a port of its own, with a token."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from socketserver import TCPServer
from threading import Thread, Timer
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import structlog
from django.conf import settings
from django.db import close_old_connections
from prometheus_client import CONTENT_TYPE_LATEST

from config import environment, metrics

log = structlog.get_logger(__name__)

REQUEST_S = 5.0
"""Timeout in s of one caller to send its request, and to read its answer; others wait meanwhile."""

_CALLER = "room.caller"
"""Name in the environment of a request for its handler."""

Begin = Callable[[str, list[tuple[str, str]]], object]
Tell = Callable[[], bytes]


class _Server(WSGIServer):
    """Server of one caller at a time, so that a flood of callers never slows play."""

    def server_bind(self) -> None:
        """Bind without a DNS query for the machine's own name, which may take longer than a
        restart.
        """
        TCPServer.server_bind(self)
        host, port = self.server_address[:2]
        self.server_name, self.server_port = str(host), port
        self.setup_environ()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a caller that disconnects or times out."""
        failure = sys.exc_info()[1]
        if not isinstance(failure, OSError | ValueError):
            log.error("counters not told", error=str(failure))


class _ServerOfSix(_Server):
    address_family = socket.AF_INET6


class _Handler(WSGIRequestHandler):
    def handle(self) -> None:
        """Answer one request; disconnect a caller that is too slow to send or to read."""
        self._limit_time()
        try:
            super().handle()
        finally:
            self._over.cancel()

    def get_environ(self) -> dict[str, Any]:
        """Return what is known of a request that has arrived."""
        return {**super().get_environ(), _CALLER: self}

    def told(self, tell: Tell) -> bytes:
        """Return the metrics; the time for which a server was waited for is not the caller's."""
        self._over.cancel()
        try:
            close_old_connections()
            return tell()
        finally:
            close_old_connections()
            self._limit_time()

    def _limit_time(self) -> None:
        self._over = Timer(REQUEST_S, self._hang_up)
        self._over.daemon = True
        self._over.start()

    def _hang_up(self) -> None:
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *_: Any) -> None:
        """Log nothing: Prometheus scrapes every few seconds."""


def start(tell: Tell = metrics.counters) -> None:
    """Listen at METRICS_LISTEN, if set, and answer with what `tell` returns.

    A taken address is logged; the process does its work all the same.
    """
    where = settings.METRICS_LISTEN
    if not where:
        return
    try:
        listen(where, settings.METRICS_TOKEN, tell)
    except (OSError, ValueError) as error:
        log.error("counters are told nowhere", address=where, error=str(error))


def listen(where: str, token: str, tell: Tell = metrics.counters) -> WSGIServer:
    """Answer `GET /metrics` at ADDRESS:PORT in a thread of its own, for callers with the token.

    Raises ValueError when `where` is no such address, OSError when it is taken.
    """
    assert token, "counters need a token"
    host, port = environment.host_and_port(where)

    def answer(asked: dict[str, Any], begin: Begin) -> Iterable[bytes]:
        may_read = metrics.may_read(asked.get("HTTP_AUTHORIZATION", ""), token)
        if not may_read or asked["PATH_INFO"] != "/metrics" or asked["REQUEST_METHOD"] != "GET":
            begin("404 Not Found", [("Content-Type", "text/plain")])
            return [b"not found\n"]
        try:
            told = asked[_CALLER].told(tell)
        except Exception:
            log.exception("counters not told")
            begin("500 Internal Server Error", [("Content-Type", "text/plain")])
            return [b"see the log\n"]
        begin("200 OK", [("Content-Type", CONTENT_TYPE_LATEST)])
        return [told]

    kind = _ServerOfSix if ":" in host else _Server
    server = make_server(host, port, answer, server_class=kind, handler_class=_Handler)
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server
