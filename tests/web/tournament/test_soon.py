"""An imminent start is shown on every page once, and sounds in one window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web import browsing
from tests.web.browsing import browser

__all__ = ["browser"]

Opened = Callable[..., Page]
SECOND_MS = 1_000
MINUTE_MS = 60 * SECOND_MS


@pytest.fixture
def window(browser: tuple[Browser, str]) -> Iterator[Opened]:
    """Open one more window of the player, at a table or elsewhere, on a clock of the test."""
    with browsing.windows(browser) as show:

        def open_page(path: str = "notices.html") -> Page:
            page = show(path, script=browsing.SOUNDS_COUNTED)
            page.locator("body").click()
            browsing.stand_still(page)
            page.reload()
            page.locator("body").click()
            return page

        yield open_page


def _start(page: Page, in_ms: int) -> dict[str, Any]:
    at_ms = page.evaluate("() => Date.now()") + in_ms
    return {"tournament": 5, "name": "Friday", "starts_at_ms": at_ms}


def _knows(page: Page, *starts: dict[str, Any]) -> None:
    page.evaluate("(starts) => waits(starts)", list(starts))


def _hear(page: Page, kind: str, start: dict[str, Any]) -> None:
    page.evaluate("(event) => hear(event)", {"type": kind, **start})


def _told(page: Page, minutes: str) -> Any:
    return page.locator(".toast", has_text=f"Friday starts in {minutes}")


def test_a_player_at_another_table_is_notified_of_the_next_start(window: Opened) -> None:
    page = window("notices.html?table=9")
    _knows(page, _start(page, 6 * MINUTE_MS))
    page.clock.run_for(30 * SECOND_MS)
    expect(page.locator(".toast")).to_have_count(0)
    page.clock.run_for(35 * SECOND_MS)
    expect(_told(page, "5 minutes")).to_have_count(1)
    assert page.evaluate("() => tones") == 1
    page.clock.run_for(4 * MINUTE_MS)
    expect(_told(page, "1 minute")).to_have_count(1)
    page.clock.run_for(2 * MINUTE_MS)
    assert page.evaluate("() => tones") == 2


def test_a_registered_player_is_notified_and_an_unregistered_one_is_not(window: Opened) -> None:
    page = window()
    _hear(page, "registered", _start(page, 6 * MINUTE_MS))
    _hear(page, "registered", {**_start(page, 6 * MINUTE_MS), "tournament": 6, "name": "Monday"})
    _hear(page, "registered", {"tournament": 7, "name": "Sit & Go", "starts_at_ms": None})
    _hear(page, "unregistered", {"tournament": 6, "name": "Monday", "refund": 0, "left": 0})
    _hear(page, "unregistered", {"tournament": 5, "name": "Friday", "refund": 0, "left": 1})
    page.clock.run_for(65 * SECOND_MS)
    expect(page.locator(".toast")).to_have_count(1)
    expect(_told(page, "5 minutes")).to_have_count(1)
    _hear(page, "tournament_cancelled", {"tournament": 5, "name": "Friday", "refund": 0})
    page.clock.run_for(4 * MINUTE_MS)
    expect(_told(page, "1 minute")).to_have_count(0)


def test_two_windows_each_show_a_start_once_and_one_sounds(window: Opened) -> None:
    pages = [window(), window("notices.html?table=9")]
    start = _start(pages[0], 220 * SECOND_MS)
    for page in pages:
        _knows(page, start)
        expect(_told(page, "4 minutes")).to_have_count(1)
    assert [page.evaluate("() => tones") for page in pages] == [1, 0]


def test_the_next_page_of_a_window_does_not_repeat_a_start(window: Opened) -> None:
    page = window()
    start = _start(page, 220 * SECOND_MS)
    _knows(page, start)
    expect(_told(page, "4 minutes")).to_have_count(1)
    page.reload()
    _knows(page, start)
    page.clock.run_for(6 * SECOND_MS)
    expect(page.locator(".toast")).to_have_count(0)
