"""A club on a phone: made, joined by invitation, and its tournament made and entered."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import LazySettings
from playwright.sync_api import FilePayload, Page, expect

from accounts.models import Club
from tests.accounts.clubs.cast import club_of
from tests.config.files.drawn_pictures import drawn
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN, users
from tests.tournaments.cast import structure
from tests.web.visiting import PHONE, Visit, speak, visit
from tournaments.models import Tournament
from tournaments.running import tick

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")


def fits(page: Page) -> None:
    """Assert that no part of the page is wider than the phone."""
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], page.url


def test_a_picture_of_the_club_is_uploaded_on_a_phone(
    visit: Visit, tmp_path: Path, settings: LazySettings
) -> None:
    settings.MEDIA_ROOT = str(tmp_path)
    (olga,) = users("olga")
    club_of(olga)
    page = visit(olga, "/clubs/river-rats/picture/", PHONE)
    for language in ("de", "en"):
        speak(page, language)
        fits(page)
    given: FilePayload = {"name": "a.png", "mimeType": "image/png", "buffer": drawn("PNG")}
    page.locator("input[type=file]").set_input_files(given)
    fits(page)
    page.locator("main button.gold").click()
    expect(page.locator(".club-head img.crest")).to_have_js_property("naturalWidth", 256)
    fits(page)
    page.goto(f"{ORIGIN}/clubs/river-rats/picture/")
    page.locator("main button[value=remove]").click()
    expect(page.locator("svg.crest")).to_be_visible()
    fits(page)


def test_a_club_evening_on_two_phones(visit: Visit, tmp_path: Path, settings: LazySettings) -> None:
    settings.MEDIA_ROOT = str(tmp_path)
    structure("regular")
    (olga, stan) = users("olga", "stan")
    page = visit(olga, "/", PHONE)
    page.get_by_role("link", name="Clubs").click()
    page.get_by_role("link", name="Make a club").click()
    page.get_by_label("Name").fill("River Rats")
    page.get_by_label("Description").fill("Every Friday at eight, in the back room of the pub.")
    fits(page)
    page.get_by_role("button", name="Make the club").click()
    expect(page.locator(".messages")).to_contain_text("River Rats was made.")
    fits(page)
    page.get_by_role("link", name="Manage").click()
    page.get_by_label("Uses").fill("1")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label("Invitation link").input_value()
    fits(page)
    page.get_by_role("link", name="New tournament").first.click()
    page.get_by_label("Name", exact=True).fill("Friday")
    page.get_by_label("Buy-in").fill("0")
    page.get_by_label("Fee", exact=True).fill("0")
    expect(page.get_by_label("Watched by", exact=True)).to_have_value("members")
    fits(page)
    page.get_by_role("button", name="Create and open registration").click()
    expect(page.locator(".messages")).to_contain_text("registration is open")
    fits(page)
    made = Tournament.objects.get()
    assert (made.club, made.entered_by) == (Club.objects.get(), "members")
    page.goto(f"{ORIGIN}/clubs/river-rats/")
    row = page.locator(f"#tournament-{made.pk}")
    expect(row.locator('[data-field="entrants"]')).to_have_text("0")

    visitor = visit(None, link.removeprefix(ORIGIN).split("localhost", 1)[-1], PHONE)
    expect(visitor.get_by_role("link", name="Sign up").last).to_be_visible()
    guest = visit(stan, f"/tournaments/{made.pk}/", PHONE)
    expect(guest.locator("body")).not_to_contain_text("Friday")
    guest.goto(f"{ORIGIN}/clubs/join/{link.rstrip('/').rpartition('/')[2]}/")
    fits(guest)
    guest.get_by_role("button", name="Join the club").click()
    expect(guest.locator(".messages")).to_contain_text("Welcome to River Rats.")
    fits(guest)
    guest.locator(f"#tournament-{made.pk}").get_by_role("link", name="Register").click()
    guest.locator("dialog").get_by_role("button", name="Register").click()
    # A tap before the page's scripts are there follows the link, which ends on another page.
    expect(guest.locator("main")).to_contain_text("I'm in")
    tick.tick(made.pk)
    expect(row.locator('[data-field="entrants"]')).to_have_text("1")
    for address in ("/clubs/", "/clubs/river-rats/", "/clubs/river-rats/members/",
                    "/clubs/river-rats/manage/", "/clubs/river-rats/bank/"):  # fmt: skip
        page.goto(f"{ORIGIN}{address}")
        for language in ("de", "en"):
            speak(page, language)
            fits(page)
