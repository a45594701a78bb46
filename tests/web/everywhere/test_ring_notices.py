"""Notices of ring games in the corner of every page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.web import browsing
from tests.web.browsing import browser

__all__ = ["browser"]


@pytest.fixture
def page(browser: tuple[Browser, str]) -> Iterator[Page]:
    """A player's page that hears the notices of the test."""
    with browsing.windows(browser) as show:
        yield show("notices.html")


@pytest.mark.parametrize(
    ("event", "words", "link"),
    [
        (
            {"type": "ring_seat_offered", "number": 2, "offer": 5, "until_ms": 1},
            ["A seat is free for you", "Evening game, table 2"],
            "/ring/3/",
        ),
        (
            {"type": "ring_top_up_missed", "balance": 1_50},
            ["Auto top-up is off", "1.50"],
            "/ring/3/",
        ),
        (
            {"type": "ring_seat_freed", "reason": "sat_out", "amount": 80_00},
            ["Your seat is free", "You sat out for too long.", "80.00"],
            "/ring/3/",
        ),
        (
            {"type": "ring_top_up_missed", "balance": 90_00, "left": 5_00},
            ["Auto top-up is off", "Evening game: your own limits leave 5.00."],
            "/ring/3/",
        ),
        (
            {"type": "ring_wait_ended", "reason": "closed"},
            ["You wait for no seat any more", "Evening game closes."],
            "/ring/3/",
        ),
        (
            {"type": "ring_seat_freed", "reason": "taken_off", "amount": 0},
            ["Your seat is free", "You were taken off the table."],
            "/ring/3/",
        ),
        (
            {"type": "jackpot_fell", "jackpot": "smart", "pool": 90_00, "amount": 0},
            ["A jackpot has fallen", "90.00"],
            "/ring/jackpots/",
        ),
        (
            {"type": "jackpot_fell", "jackpot": "smart", "pool": 90_00, "amount": 20_00},
            ["You win 20.00 of a jackpot", "90.00"],
            "/ring/jackpots/",
        ),
    ],
)
def test_a_notice_of_a_ring_game_stays_with_its_link(
    page: Page, event: dict[str, object], words: list[str], link: str
) -> None:
    page.evaluate("event => hear(event)", {"game": 3, "name": "Evening game", "table": 4} | event)
    toast = page.locator("#toasts .toast")
    shown = toast.inner_text()
    assert all(part in shown for part in words), shown
    assert toast.locator(f'a[href="{link}"]').count() == 1
