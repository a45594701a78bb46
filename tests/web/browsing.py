"""A headless browser and the static files of the house, for tests that look at pages."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from config.environment import HOME
from tests.browser import FLAGS, chromium

PATIENCE_MS = 60_000
"""How long a test waits for what a page must show: it bounds a failure and judges no speed."""

expect.set_options(timeout=PATIENCE_MS)

QUIET = ["--disable-background-networking", "--disable-component-update", "--mute-audio"]


@contextmanager
def headless() -> Iterator[Browser]:
    """A browser, closed at the end; its loop ends with it, so that other tests have theirs."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(chromium()), args=[*FLAGS, *QUIET], headless=True
        )
        yield browser
        browser.close()


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def files(root: Path = HOME) -> Iterator[str]:
    """The address of a server of plain files below `root`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(root)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
