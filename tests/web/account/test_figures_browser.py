"""Statistics on a phone: definitions and tables by the keyboard, nothing wider than the window."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tables.statistics.models import PlayerCounts
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.tournaments.club_scene import person
from tests.tournaments.seasons.cast import finished
from tests.web.visiting import PHONE, Visit, speak, visit
from tournaments.models import Entry

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

SIZES = ((390, 844), (320, 640), (844, 390), (1280, 800))


def test_own_figures_are_read_by_keyboard_and_compared_by_name(visit: Visit) -> None:
    for order in (("Ann", "Ben"), ("Ben", "Ann"), ("Ann", "Ben")):
        made = finished(*order, name="A long name for an evening")
        Entry.objects.filter(tournament=made).update(paid_buy_in=123_456_00)
    ann = person("Ann")
    PlayerCounts.objects.create(
        user=ann,
        director="tournament",
        game=made.pk,
        variant="omaha5_hilo",
        hands=9_999,
        voluntary=5,
    )
    page = visit(ann, "/account/", PHONE)
    page.get_by_role("link", name="Statistics").click()
    term = page.locator("dt", has_text="VPIP")
    note = page.get_by_role("note").filter(has_text="by choice")
    expect(note).to_be_hidden()
    term.focus()
    expect(note).to_be_visible()
    assert term.get_attribute("aria-describedby") == note.get_attribute("id")
    expect(page.get_by_role("img", name="Sum of all results")).to_be_visible()
    results = page.locator("details", has_text="Results as a table")
    results.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(results.locator("tbody tr")).to_have_count(3)
    for language in ("de", "en"):
        speak(page, language)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, width
    page.get_by_label("Compare with a player").fill("ben")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("main")).to_contain_text("I was ahead")
    expect(page.locator("main")).to_contain_text("The statistics of this player are private.")
    page.goto(f"{ORIGIN}/account/statistics/")
    page.get_by_role("button", name="Show them to everybody").click()
    expect(page.locator(".messages")).to_contain_text("Everybody sees your statistics.")
    ben = visit(person("Ben"), f"/players/{ann.pk}/", PHONE)
    expect(ben.locator("main")).to_contain_text("VPIP")
    for width, height in SIZES:
        ben.set_viewport_size({"width": width, "height": height})
        assert ben.evaluate("document.documentElement.scrollWidth") <= width, width
