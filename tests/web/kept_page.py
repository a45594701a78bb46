"""Page that one test after another opens anew, with nothing left of the test before.

A new page starts a process, and compiles a hundred modules in it: five times what it takes to go to
another address in a page that is open.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Literal

from playwright.sync_api import Browser, Error, Page, ViewportSize

LOCALE = "en-GB"
DESK: ViewportSize = {"width": 1280, "height": 800}

HEARD = (
    "console",
    "dialog",
    "pageerror",
    "popup",
    "request",
    "requestfailed",
    "response",
    "websocket",
)
"""Events that tests listen to."""

LASTING = (
    *("add_init_script", "expose_binding", "expose_function", "new_cdp_session"),
    *("route_web_socket", "add_locator_handler"),
)
"""Methods of a page or of its profile whose effect cannot be taken back."""

_LEFT = "() => { sessionStorage.clear(); return globalThis.__pwClock === undefined; }"
"""Script that returns whether the clock is that of the machine: a stopped one is of the profile."""


class KeptPage:
    """One page in a browser profile of its own; `is_good` while a test can begin in it."""

    def __init__(self, browser: Browser, workers: Literal["allow", "block"]) -> None:
        self.context = browser.new_context(viewport=DESK, locale=LOCALE, service_workers=workers)
        self._visits = workers == "block"
        self.page = self.context.new_page()
        self._tools = self.context.new_cdp_session(self.page)
        self._tools.send("Page.enable")
        self._script = ""
        self.is_good = True
        for owner in (self.page, self.context):
            for name in LASTING:
                if hasattr(owner, name):
                    setattr(owner, name, self._spoiling(getattr(owner, name)))

    def begin(self, script: str) -> Page:
        """Return the page; every address it opens from now on begins with the script."""
        if script:
            added = self._tools.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})
            self._script = added["identifier"]
        return self.page

    def leave(self, address: str) -> None:
        """Forget what the test did; go to `address`, a file without scripts on the same server.

        A page that was closed, whose clock was stopped or that got something lasting is spoiled.
        """
        try:
            self.is_good = self.is_good and self._is_plain() and self._forget(address)
        except Error:
            self.is_good = False
        if not self.is_good:
            self.context.close()

    def _is_plain(self) -> bool:
        return not self.page.is_closed() and bool(self.page.evaluate(_LEFT))

    def _spoiling(self, method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def spoil(*args: Any, **named: Any) -> Any:
            self.is_good = False
            return method(*args, **named)

        return spoil

    def _forget(self, address: str) -> bool:
        for other in self.context.pages:
            if other is not self.page:
                other.close()
        for event in HEARD:
            self.page._impl_obj.remove_all_listeners(event)
        self.page.unroute_all()
        self.context.unroute_all()
        if self._script:
            gone = {"identifier": self._script}
            self._tools.send("Page.removeScriptToEvaluateOnNewDocument", gone)
            self._script = ""
        self.page.mouse.move(-1, -1)
        self.page.emulate_media(
            media="null", color_scheme="null", reduced_motion="null", forced_colors="null"
        )
        self.context.clear_cookies()
        self.context.clear_permissions()
        self.context.set_offline(False)
        self.page.goto(address)
        origin = "/".join(address.split("/")[:3])
        self._tools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        if self._visits:
            self._tools.send("Network.clearBrowserCache")
        return True
