"""A season on a phone: made with a preview by a manager, read by a member while play goes on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.tournaments.cast import offer
from tests.tournaments.club_scene import club_offer, join, make_club, person
from tests.tournaments.seasons.cast import put_places, season
from tests.web.visiting import PHONE, Visit, speak, visit
from tournaments.models import Entry, Tournament
from tournaments.seasons.models import Season
from tournaments.seasons.tables import forget_tables

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

SIZES = ((390, 844), (320, 640), (844, 390), (1280, 800))


def fits(page: Page) -> None:
    """Assert that no part of the page is wider than the window, at four sizes."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (page.url, width)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})


def test_a_season_is_made_on_a_phone_and_read_while_play_goes_on(visit: Visit) -> None:
    forget_tables()
    club, names = make_club(), ("Ann", "Ben", "Cid")
    mia = join(club, "Mia")
    put_places(club_offer(club, name="Friday"), (*names, "Mia"))
    page = visit(person("Olga"), "/clubs/river-rats/", PHONE)
    page.get_by_role("link", name="New season").click()
    page.get_by_label("Name", exact=True).fill("Autumn")
    preview = page.get_by_label("Preview", exact=True)
    expect(preview.locator("li").first).to_contain_text("34.64")
    page.get_by_label("Points", exact=True).and_(page.locator("select")).select_option("own")
    page.get_by_label("Formula of your own").fill("1 / (place - 2)")
    expect(preview).to_contain_text("The formula has no value at place 2 of 2")
    page.get_by_role("button", name="Make the season").click()
    expect(page.locator("#id_formula_error")).to_contain_text("has no value at place 2")
    assert not Season.objects.exists()
    page.get_by_label("Formula of your own").fill("field - place + 1")
    expect(preview.locator("li").first).to_contain_text("12")
    for language in ("de", "en"):
        speak(page, language)
        fits(page)
    page.get_by_label("Name", exact=True).fill("Autumn")
    page.get_by_label("Points", exact=True).and_(page.locator("select")).select_option("own")
    page.get_by_label("Formula of your own").fill("field - place + 1")
    page.get_by_label("Best results that count").fill("2")
    page.get_by_role("button", name="Make the season").click()
    expect(page.locator(".messages")).to_contain_text("Autumn was made.")

    made = Season.objects.get()
    running = put_places(club_offer(club, name="Saturday"), names)
    Tournament.objects.filter(pk=running.pk).update(state="running", left=2, finished_at=None)
    Entry.objects.filter(tournament=running, place__lt=3).update(place=None, state="seated")
    forget_tables()
    reader = visit(mia, f"/seasons/{made.pk}/", PHONE)
    rows = reader.locator("#season-table tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.first).to_contain_text("≥ 2")
    expect(reader.locator("tr.own")).to_contain_text("Mia")
    for language in ("de", "en"):
        speak(reader, language)
        fits(reader)
    put = Entry.objects.filter(tournament=running)
    put.filter(name="Ben").update(place=1, state="won")
    put.filter(name="Ann").update(place=2, state="out")
    Tournament.objects.filter(pk=running.pk).update(state="finished")
    forget_tables()
    # The page reads the table again by itself.
    expect(reader.locator("#season-table")).not_to_contain_text("in play")
    expect(rows.first).to_contain_text("Ann")
    reader.goto(f"{ORIGIN}/seasons/")
    for language in ("de", "en"):
        speak(reader, language)
        fits(reader)


def test_an_overlay_of_a_season_renews_itself_and_leaves_with_it(visit: Visit) -> None:
    forget_tables()
    names = ("Ann", "Ben", "Cid")
    put_places(offer(name="Friday"), names)
    made = season()
    page = visit(None, f"/seasons/{made.pk}/overlay/?rows=2&theme=light")
    rows = page.locator(".season-panel li")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Ann")
    clear = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(clear) == "rgba(0, 0, 0, 0)"
    for width, height in ((1920, 1080), (1280, 720), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    put_places(offer(name="Saturday"), ("Ben", "Cid", "Ann"))
    put_places(offer(name="Sunday"), ("Ben", "Cid", "Ann"))
    forget_tables()
    expect(rows.first).to_contain_text("Ben")
    page.route("**/panel/*", lambda route: route.abort())
    page.wait_for_timeout(11_000)
    expect(rows.first).to_contain_text("Ben")
    page.unroute("**/panel/*")
    Season.objects.all().delete()
    expect(page.locator(".season-panel")).to_have_count(0)


def test_the_page_of_a_season_leads_to_its_overlay(visit: Visit) -> None:
    page = visit(None, f"/seasons/{season().pk}/")
    link = page.get_by_role("link", name="Overlay")
    expect(link).to_have_attribute("href", re.compile(r"^/seasons/\d+/overlay/$"))
    page.goto(f"{ORIGIN}{link.get_attribute('href')}?rows=made-up&theme=made-up")
    expect(page.locator("body")).to_have_attribute("data-theme", "dark")
    expect(page.locator(".season-panel .empty")).to_be_visible()
