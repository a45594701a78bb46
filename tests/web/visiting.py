"""A real browser at the pages of a real server, logged in as a player of the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.db import connections
from playwright.sync_api import Page, expect

from accounts.logins.minting import mint
from accounts.models import User
from tests.tables.gateway.sockets import ORIGIN, Site
from tests.web.browsing import PATIENCE_MS, headless

PHONE, DESK = (390, 844), (1280, 800)

Visit = Callable[..., Page]

_FOCUSED = """
() => {
  const part = document.activeElement;
  if (!part || part === document.body) return "";
  return [part, ...(part.labels ?? [])].map((one) => one.textContent).join(" ");
}
"""

NETWORK_GONE = """async () => {
  const { line } = await import("/static/js/shared/socket.js");
  line().open = () => {};
  line().socket.close();
}"""
"""Script after which the page has no network, until another one puts `open` back."""


@pytest.fixture
def visit(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Visit]:
    """Open a page for a player, or for a visitor (None), as `visit(user, address, size=DESK)`.

    A script that fails in it fails the test. Service workers are for tests of theirs alone:
    `workers=True`. The same site is at `origin=PLAIN` without a secure context.
    """
    # The browser's event loop runs in this thread; Django's async check would refuse queries.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    faults: list[str] = []
    with headless() as browser:

        def opened(
            user: User | None,
            address: str,
            size: tuple[int, int] = DESK,
            *,
            workers: bool = False,
            origin: str = ORIGIN,
        ) -> Page:
            width, height = size
            context = browser.new_context(
                viewport={"width": width, "height": height},
                locale="en-GB",
                service_workers="allow" if workers else "block",
            )
            if user is not None:
                [(_, key)] = mint([user], 1)
                context.add_cookies([{"name": "sessionid", "value": key, "url": origin}])
            page = context.new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.goto(f"{origin}{address}")
            return page

        yield opened
        connections.close_all()
    assert not faults, faults


def speak(page: Page, language: str) -> None:
    """Choose the language in the header; return on the new page, not on the one it replaces."""
    with page.expect_navigation():
        page.get_by_role("button", name=language.upper(), exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", language)


def tab_to(page: Page, words: str, most: int = 60) -> None:
    """Walk with the tab key until the button, link or labelled field with these words has it."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if words in page.evaluate(_FOCUSED):
            return
    raise AssertionError(f"{words} cannot be reached with the keyboard")
