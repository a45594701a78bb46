"""Pages in a browser that has no storage, or whose storage is full."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.web import browsing
from tests.web.browsing import browser

__all__ = ["browser"]

_NONE = """
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, {
      get: () => { throw new DOMException("Access is denied", "SecurityError"); },
    });
"""
_LEFT_OUT = """
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, { value: null });
"""
_FULL = """
  Storage.prototype.setItem = () => { throw new DOMException("Full", "QuotaExceededError"); };
"""

SEATED = {"type": "seated", "tournament": 5, "name": "Friday", "table": 7, "number": 2, "seat": 4}

_KEPT = """async () => {
  const { local } = await import("/static/js/shared/storage.js");
  const found = [local.get("planted")];
  local.set("planted", "1");
  found.push(local.get("planted"));
  local.remove("planted");
  return [...found, local.get("planted")];
}"""


pytestmark = pytest.mark.parametrize(
    "script", [_NONE, _LEFT_OUT, _FULL], ids=["denied", "left out", "full"]
)


def test_a_new_seat_opens_its_table(browser: tuple[Browser, str], script: str) -> None:
    with browsing.windows(browser) as show:
        page = show("notices.html", script=script)
        page.evaluate("(event) => hear(event)", SEATED)
        page.wait_for_url("**/tables/7/")


def test_a_start_is_told(browser: tuple[Browser, str], script: str) -> None:
    with browsing.windows(browser) as show:
        page = show("notices.html", script=script)
        page.evaluate(
            "() => waits([{ tournament: 5, name: 'Friday', starts_at_ms: Date.now() + 50_000 }])"
        )
        expect(page.locator(".toast")).to_contain_text("Friday starts in 1 minute")


def test_a_table_is_shown_in_big_blinds(browser: tuple[Browser, str], script: str) -> None:
    with browsing.windows(browser) as show:
        page = show("table.html?scene=turn", script=script)
        expect(page.locator("poker-table .verb.fold")).to_be_visible()
        page.get_by_role("button", name="In BB").click()
        expect(page.locator(".seat .stack").first).to_contain_text("BB")


def test_a_value_lasts_as_long_as_the_page(browser: tuple[Browser, str], script: str) -> None:
    with browsing.windows(browser) as show:
        page = show("notices.html", script=script)
        assert page.evaluate(_KEPT) == [None, "1", None]
