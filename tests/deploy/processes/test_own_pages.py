"""Pages of a room are asked for directly, whatever proxy the environment names."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from deploy.embedded import ports
from deploy.processes import programs
from tables.bots.client.connection import Identity, Site


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """Answer with a JSON object."""
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Address of a page, beside a proxy that does not answer."""
    nobody = ports.free()
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{nobody}")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    server = HTTPServer(("127.0.0.1", 0), _Page)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    ports.let_go(nobody)


def test_a_web_process_is_seen_to_be_ready_beside_a_proxy(page: str) -> None:
    assert programs.answers(f"{page}/healthz")


async def test_a_bot_reaches_its_room_beside_a_proxy(page: str) -> None:
    site = Site(page)
    try:
        assert await site.get(Identity(user=1, name="Ann", session="x"), "/") == {"ok": True}
    finally:
        await site.close()
