"""Serves what a process counts, for workers and the auditor on machines that serve no pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from django.utils.crypto import constant_time_compare
from prometheus_client import CONTENT_TYPE_LATEST

from config import environment, metrics

SILENT_S = 10
"""How long a caller may say nothing."""

Start = Callable[[str, list[tuple[str, str]]], object]


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Handler(WSGIRequestHandler):
    timeout = SILENT_S

    def log_message(self, *_: Any) -> None:
        """Prometheus asks every few seconds; that is no news."""


def listen(where: str, token: str) -> WSGIServer:
    """Answer `GET /metrics` at ADDRESS:PORT from threads of its own, for who shows the token.

    Raises ValueError when `where` is no such address, OSError when it cannot be had.
    """
    assert token, "counters are for who may see them"
    host, port = environment.host_and_port(where)

    def answer(asked: dict[str, Any], start: Start) -> Iterable[bytes]:
        shown = asked.get("HTTP_AUTHORIZATION", "")
        may_look = constant_time_compare(shown, f"Bearer {token}")
        if not may_look or asked["PATH_INFO"] != "/metrics" or asked["REQUEST_METHOD"] != "GET":
            start("404 Not Found", [("Content-Type", "text/plain")])
            return [b"not found\n"]
        start("200 OK", [("Content-Type", CONTENT_TYPE_LATEST)])
        return [metrics.counters()]

    server = make_server(host, port, answer, server_class=_Server, handler_class=_Handler)
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server
