"""The page that tests share holds nothing of the test before."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page

from tests.web import browsing
from tests.web.browsing import browser

__all__ = ["browser"]

STATE = """() => [
  localStorage.planted ?? "", sessionStorage.planted ?? "", document.cookie,
  globalThis.planted ?? 0,
  matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('print').matches, navigator.onLine,
]"""
NEW = ["", "", "", 0, False, False, True]


def _plant(page: Page) -> None:
    page.evaluate("localStorage.planted = sessionStorage.planted = document.cookie = 'planted=1'")
    page.emulate_media(color_scheme="dark", media="print")
    page.context.set_offline(True)
    page.on("dialog", lambda dialog: dialog.accept("planted"))
    page.context.new_page()


def test_a_test_finds_nothing_of_the_test_before(browser: tuple[Browser, str]) -> None:
    with browsing.windows(browser) as show:
        first = show("notices.html", script="globalThis.planted = 1")
        assert first.evaluate(STATE) == [*NEW[:3], 1, *NEW[4:]]
        _plant(first)
        assert first.evaluate(STATE) == [*["planted=1"] * 3, 1, True, True, False]
    with browsing.windows(browser) as show:
        second = show("notices.html")
        assert second is first and second.context.pages == [second]
        assert second.evaluate(STATE) == NEW
        assert second.evaluate("prompt()") is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda page: page.clock.install(),
        lambda page: page.add_init_script("globalThis.planted = 1"),
        lambda page: page.context.new_cdp_session(page),
        lambda page: page.context.expose_function("planted", lambda: None),
        lambda page: page.close(),
    ],
    ids=["clock", "script", "devtools", "function", "closed"],
)
def test_a_page_with_something_lasting_is_replaced(
    browser: tuple[Browser, str], spoil: Callable[[Page], object]
) -> None:
    with browsing.windows(browser) as show:
        first = show("notices.html")
        spoil(first)
    with browsing.windows(browser) as show:
        second = show("notices.html")
        assert second is not first and first.is_closed()
        assert second.evaluate(STATE) == NEW
        assert second.evaluate("() => typeof globalThis.__pwClock") == "undefined"


def test_an_error_of_a_script_fails_the_test_in_which_it_happens(
    browser: tuple[Browser, str],
) -> None:
    failing = browsing.windows(browser)
    show = failing.__enter__()
    show("notices.html", script="throw new Error('planted')")
    with pytest.raises(AssertionError):
        failing.__exit__(None, None, None)
    with browsing.windows(browser) as show:
        assert show("notices.html").evaluate(STATE) == NEW
