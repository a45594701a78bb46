"""Notices in the corner: none disappears while it is read, pressed or needed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.web import browsing
from tests.web.browsing import browser

__all__ = ["browser"]


@pytest.fixture
def page(browser: tuple[Browser, str]) -> Iterator[Page]:
    """A page with a notice corner and a clock of the test."""
    with browsing.windows(browser) as show:
        shown = show("notices.html")
        shown.clock.install()
        yield shown


def _toast(page: Page, title: str, *, stays: bool = False) -> None:
    page.evaluate(
        "async (toast) => void (await import('/static/js/shared/toasts.js')).toast(toast)",
        {"title": title, **({"stays": 0} if stays else {})},
    )


def _titles(page: Page) -> list[str]:
    return page.locator("#toasts .toast b").all_inner_texts()


def test_a_notice_disappears_after_its_time(page: Page) -> None:
    _toast(page, "one")
    page.clock.fast_forward(8_000)
    assert _titles(page) == []


@pytest.mark.parametrize("how", ["pointer", "focus"])
def test_a_notice_under_the_pointer_or_focus_stays(page: Page, how: str) -> None:
    for title in ("one", "two"):
        _toast(page, title)
    second = page.locator(".toast", has_text="two")
    if how == "pointer":
        second.hover()
    else:
        second.get_by_role("button").focus()
    page.clock.run_for(20_000)
    assert _titles(page) == ["one", "two"], "removing the upper notice would move the lower one"
    page.mouse.move(5, 700)
    page.evaluate("() => document.activeElement.blur()")
    page.clock.run_for(2_000)
    assert _titles(page) == []


def test_newer_notices_replace_temporary_ones(page: Page) -> None:
    _toast(page, "way to the table", stays=True)
    for number in range(6):
        _toast(page, f"news {number}")
    assert _titles(page) == ["way to the table", "news 3", "news 4", "news 5"]


def test_permanent_notices_are_replaced_only_by_permanent_ones(page: Page) -> None:
    for number in range(4):
        _toast(page, f"stays {number}", stays=True)
    for number in range(2):
        _toast(page, f"news {number}")
    stays = [f"stays {number}" for number in range(4)]
    assert _titles(page) == [*stays, "news 1"]
    _toast(page, "stays 4", stays=True)
    _toast(page, "stays 5", stays=True)
    assert _titles(page) == ["stays 2", "stays 3", "stays 4", "stays 5"]


def test_a_pressed_notice_is_not_replaced(page: Page) -> None:
    _toast(page, "news 0")
    page.locator(".toast").hover()
    for number in range(1, 6):
        _toast(page, f"news {number}")
    assert _titles(page) == ["news 0", "news 3", "news 4", "news 5"]


def test_a_new_notice_is_read_out_alone(page: Page) -> None:
    _toast(page, "one")
    assert page.locator("#toasts").get_attribute("aria-atomic") == "false"
