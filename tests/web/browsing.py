"""Headless browser and static file server for tests of pages."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from config.environment import HOME
from tests.browser import FLAGS, chromium

PATIENCE_MS = 60_000
"""Maximum wait in ms for an expected element; it bounds a failure and judges no speed."""

LEAP_S = 10
"""Leap of a stopped clock in seconds, longer than the delay of any browser in stopping it."""

expect.set_options(timeout=PATIENCE_MS)

QUIET = ["--disable-background-networking", "--disable-component-update", "--mute-audio"]


@contextmanager
def headless() -> Iterator[Browser]:
    """Headless browser; its event loop ends with it, because other tests run loops of their own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(chromium()), args=[*FLAGS, *QUIET], headless=True
        )
        yield browser
        browser.close()


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Suppress the request log."""


def stand_still(page: Page) -> None:
    """Install a clock in the page that advances only by `clock.run_for`."""
    page.clock.install()
    # An installed clock keeps running until a future moment is given, in seconds.
    page.clock.pause_at(page.evaluate("() => Date.now()") / 1_000 + LEAP_S)


@contextmanager
def files(root: Path = HOME) -> Iterator[str]:
    """Address of a server of the static files below `root`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(root)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[tuple[Browser, str]]:
    """One browser for a module, and the address of the project's static files."""
    with files() as address, headless() as opened:
        yield opened, address


@contextmanager
def windows(browser: tuple[Browser, str]) -> Iterator[Callable[..., Page]]:
    """Open demo pages in windows of one browser profile, after a given script; a script error fails
    the test.
    """
    opened, address = browser
    context = opened.new_context(locale="en-GB")
    faults: list[str] = []

    def show(path: str, *, script: str = "", size: tuple[int, int] = (1280, 800)) -> Page:
        page = context.new_page()
        page.add_init_script(script)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(f"{address}/tests/web/demo/{path}")
        return page

    yield show
    context.close()
    assert faults == []
