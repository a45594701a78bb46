"""A club's ring game on a phone: opened by a manager, joined by a member, closed again."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tables.ring.models import RingGame, RingSession
from tests.tables.gateway.socket_site import site
from tests.tournaments.club_ring_scene import member_with_money
from tests.tournaments.club_scene import join, make_club
from tests.web.visiting import PHONE, Visit, speak, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")


def fits(page: Page) -> None:
    """Assert that no part of the page is wider than the phone, in both languages."""
    for language in ("de", "en"):
        speak(page, language)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], page.url


def test_a_ring_evening_on_two_phones(visit: Visit) -> None:
    club = make_club()
    page = visit(join(club, "Max", "manager"), f"/clubs/{club.slug}/", PHONE)
    page.get_by_role("link", name="New ring game").click()
    fits(page)
    for label, value in (
        *(("Small blind", "0.50"), ("Big blind", "1")),
        *(("Smallest buy-in", "40"), ("Largest buy-in", "100")),
    ):
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_role("button", name="Open the game").click()
    expect(page.locator("#id_name_error")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Basement game of the long Thursday evening")
    page.get_by_role("button", name="Open the game").click()
    expect(page.get_by_role("heading", name="Basement game")).to_be_visible()
    fits(page)
    game = RingGame.objects.get()
    assert (game.club, game.watched_by) == (club, "members")

    member = visit(member_with_money(club, "Mia"), f"/clubs/{club.slug}/", PHONE)
    fits(member)
    member.locator(f"#ring-{game.pk}").get_by_role("link", name="Sit down").click()
    member.get_by_role("button", name="Sit down").click()
    member.wait_for_url("**/tables/*/")
    assert RingSession.objects.get().name == "Mia"

    page.reload()
    expect(page.locator("main")).to_contain_text("Mia")
    fits(page)
    close = page.locator("form", has=page.get_by_role("button", name="Close after this hand"))
    close.get_by_label("Reason").fill("It is late")
    close.get_by_role("button").click()
    expect(page.locator(".messages")).to_contain_text("The game closes after this hand.")
    game.refresh_from_db()
    assert game.state == RingGame.State.CLOSING
