"""Headless browser and static file server for tests of pages."""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from config.environment import HOME
from tests.browser import FLAGS, chromium
from tests.tables.gateway.sockets import ORIGIN, PLAIN, reserved_port
from tests.web.kept_page import KeptPage

PATIENCE_MS = 60_000
"""Maximum wait in ms for an expected element; it bounds a failure and judges no speed."""

TICK_MS = 20
"""Pause between two looks at what a page did."""

LEAP_S = 10
"""Leap of a stopped clock in seconds, longer than the delay of any browser in stopping it."""

expect.set_options(timeout=PATIENCE_MS)

_NOTHING = "static/icon.svg"
"""File that runs no script."""

QUIET = ["--disable-background-networking", "--disable-component-update", "--mute-audio"]


class KeptBrowser:
    """Browser of this process, started once; the pages of its own origin come from `Site`."""

    def __init__(self) -> None:
        self._playwright = sync_playwright().start()
        hosts = [origin.removeprefix("http://") for origin in (ORIGIN, PLAIN)]
        ways = ",".join(f"MAP {host} 127.0.0.1:{reserved_port()}" for host in hosts)
        way = f"--host-resolver-rules={ways}"
        self.browser = self._playwright.chromium.launch(
            executable_path=str(chromium()), args=[*FLAGS, *QUIET, way], headless=True
        )
        self._loop = asyncio.get_running_loop()
        self._pages: dict[str, KeptPage] = {}

    def page(self, workers: Literal["allow", "block"]) -> KeptPage:
        """Return the page with or without service workers that tests share, a new one if the last
        test spoiled it.
        """
        if workers not in self._pages or not self._pages[workers].is_good:
            self._pages[workers] = KeptPage(self.browser, workers)
        return self._pages[workers]

    @contextmanager
    def running(self) -> Iterator[Browser]:
        """Run the browser's event loop in this thread; other tests run loops of their own."""
        asyncio._set_running_loop(self._loop)
        try:
            yield self.browser
        finally:
            kept = [page.context for page in self._pages.values() if page.is_good]
            for context in self.browser.contexts:
                if context not in kept:
                    context.close()
            asyncio._set_running_loop(None)

    @contextmanager
    def another(self, program: Path) -> Iterator[Browser]:
        """Start another browser for the length of the block."""
        asyncio._set_running_loop(self._loop)
        try:
            started = self._playwright.chromium.launch(
                executable_path=str(program), args=[*FLAGS, *QUIET], headless=True
            )
            try:
                yield started
            finally:
                started.close()
        finally:
            asyncio._set_running_loop(None)

    def close(self) -> None:
        """Close the browser at the end of the process."""
        with self.running():
            self.browser.close()
            self._playwright.stop()


@cache
def _kept() -> KeptBrowser:
    kept = KeptBrowser()
    atexit.register(kept.close)
    return kept


@contextmanager
def headless() -> Iterator[Browser]:
    """Headless browser without any open window."""
    with _kept().running() as browser:
        yield browser


@contextmanager
def started(program: Path) -> Iterator[Browser]:
    """Browser of a program of its own, without any open window."""
    with _kept().another(program) as browser:
        yield browser


def wait_until(page: Page, holds: Callable[[], object]) -> None:
    """Wait until a condition holds here, while the page and its events go on."""
    for _ in range(PATIENCE_MS // TICK_MS):
        if holds():
            return
        page.wait_for_timeout(TICK_MS)
    raise AssertionError("the condition never held")


class _Silent(SimpleHTTPRequestHandler):
    # A page of a hundred modules opens six connections, not a hundred.
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Suppress the request log."""


SOUNDS_COUNTED = """
  window.tones = 0;
  const made = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    window.tones += 1;
    return made.call(this);
  };
"""
"""Script for a page before its own: `tones` counts each sound, whatever its tones."""

GESTURE_MS = 650
"""Pause after which a click is no longer one gesture with the click before, in ms."""


def stand_still(page: Page) -> None:
    """Install a clock in the page that advances only by `clock.run_for`."""
    page.clock.install()
    # An installed clock keeps running until a future moment is given, in seconds.
    page.clock.pause_at(page.evaluate("() => Date.now()") / 1_000 + LEAP_S)


def confirm(page: Page, button: str, *, still: bool = False) -> None:
    """Click a button that asks first, and again once both clicks are no longer one gesture.

    `still` where the page's clock stands.
    """
    page.locator(button).click()
    if still:
        page.clock.run_for(GESTURE_MS)
    else:
        page.wait_for_timeout(GESTURE_MS)
    page.locator(button).click()


@contextmanager
def files(root: Path = HOME) -> Iterator[str]:
    """Address of a server of the static files below `root`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(root)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()


@cache
def _files_of_the_project() -> str:
    serving = files()
    atexit.register(serving.__exit__, None, None, None)
    return serving.__enter__()


@contextmanager
def empty_page(**options: Any) -> Iterator[Page]:
    """A new window with nothing in it, of an origin from which it can import the project's modules.

    `options` are those of the window.
    """
    with headless() as browser:
        opened = browser.new_page(**options)
        opened.goto(f"{_files_of_the_project()}/{_NOTHING}")
        yield opened


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """One empty page for a module, which tests only ask for functions of the project's modules."""
    with empty_page() as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[tuple[Browser, str]]:
    """One browser for a module, and the address of the project's static files."""
    with headless() as opened:
        yield opened, _files_of_the_project()


@contextmanager
def windows(browser: tuple[Browser, str]) -> Iterator[Callable[..., Page]]:
    """Open demo pages in windows of one browser profile, after a given script; a script error fails
    the test.

    The first window is the kept page of this process, which holds nothing of the tests before.
    """
    _, address = browser
    kept = _kept().page("allow")
    faults: list[str] = []
    pages: list[Page] = []

    def hear(error: object) -> None:
        faults.append(str(error))

    def show(path: str, *, script: str = "", size: tuple[int, int] = (1280, 800)) -> Page:
        if pages:
            page = kept.context.new_page()
            page.add_init_script(script)
        else:
            page = kept.begin(script)
        pages.append(page)
        page.on("pageerror", hear)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(f"{address}/tests/web/demo/{path}")
        return page

    try:
        yield show
    finally:
        kept.leave(f"{address}/{_NOTHING}")
    assert faults == []
