"""Ladders in a browser: the table leads to the course of a bot, and both fit every window."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from accounts.bots import owning
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.tournaments.bot_ladder.room import ladder, over, template
from tests.tournaments.club_scene import person
from tests.web.visiting import PHONE, Visit, speak, visit
from tournaments.bot_ladder.settled import rate_finished

__all__ = ["site", "visit"]

SIZES = ((390, 844), (320, 640), (844, 390), (1280, 800))


def _fits(page: Page) -> None:
    """Assert that no part of the page is wider than the window, at four sizes."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (page.url, width)


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")
def test_a_visitor_reads_a_ladder_and_the_course_of_a_bot(visit: Visit) -> None:
    made = template("A long name for a ladder's Sit & Go")
    board = ladder(made, name="Night ladder of programs")
    deep = owning.make(person("Olga"), "deep-and-longest").name
    for names in ((deep, "bot-a", "bot-b"), ("bot-a", deep, "bot-b"), (deep, "bot-b", "bot-a")):
        over(made, *names)
    rate_finished(board.pk)
    page = visit(None, "/", PHONE)
    page.get_by_role("link", name="Ladders").click()
    page.get_by_role("link", name="Night ladder of programs").click()
    rows = page.locator("#ladder-table tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("Olga")
    for language in ("de", "en"):
        speak(page, language)
        _fits(page)
    page.get_by_role("link", name=deep).click()
    expect(page.locator(".sum-graph polyline")).to_have_count(1)
    expect(page.locator("tbody tr")).to_have_count(3)
    for language in ("de", "en"):
        speak(page, language)
        _fits(page)


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")
def test_the_focus_stays_in_a_ladder_that_renews_itself(visit: Visit) -> None:
    made = template("Sit & Go")
    board = ladder(made, name="Night ladder")
    over(made, "bot-a", "bot-b", "bot-c")
    rate_finished(board.pk)
    page = visit(None, "/")
    page.clock.install()
    page.goto(f"{ORIGIN}/ladders/{board.pk}/")
    bot = page.locator("#ladder-table tbody a").last
    bot.evaluate("(link) => { link.dataset.older = ''; link.focus(); }")
    page.clock.fast_forward(21_000)
    expect(page.locator("[data-older]")).to_have_count(0)
    expect(bot).to_be_focused()
