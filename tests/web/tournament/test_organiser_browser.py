"""An organiser creates and opens a tournament in a real browser, on desktop and phone."""

from __future__ import annotations

import re

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, Request, expect

from accounts.models import User
from accounts.users import bots
from tests.tables.gateway.socket_site import site
from tests.tournaments.cast import open_offer, started, structure
from tests.web.accessible import faults
from tests.web.visiting import DESK, PHONE, Visit, visit
from tournaments.entries import registration
from tournaments.models import Tournament
from tournaments.running import operations

__all__ = ["site", "visit"]

_PRESS_TWICE = """
(button) => {
  button.click();
  setTimeout(() => button.click(), 30);
}
"""
RENEWED_MS = 3_000
"""Time in which the page of a tournament shows a change."""


@pytest.fixture
def boss() -> User:
    structure("regular")
    return User.objects.create_superuser("Boss", "a long password")


@pytest.mark.sample
@pytest.mark.rule("T-05")
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_an_organiser_creates_and_opens_a_tournament(
    visit: Visit, boss: User, size: tuple[int, int]
) -> None:
    page = visit(boss, "/", size)
    page.get_by_role("link", name="Organise").click()
    page.get_by_role("link", name="New tournament").click()
    page.get_by_label("Name", exact=True).fill("Monday")
    page.get_by_label("Buy-in").fill("5.50")
    preview = page.locator("[data-offer-preview]")
    expect(preview).to_contain_text("With 18 players it ends after about")
    expect(preview).to_contain_text("18 entries: a pool of 99.00")
    # The end alone is read out, not thirty levels after each field.
    heard = page.locator("[data-preview-heard]")
    expect(heard).to_have_text(re.compile(r"^With 18 players it ends after about [\d:]+ hours\.$"))
    assert page.locator("[data-offer-preview]").get_attribute("aria-live") is None
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    # No number of a level is broken, and none is outside the panel.
    assert preview.evaluate("(panel) => panel.scrollWidth <= panel.clientWidth")
    rows = (
        preview.locator("table", has_text="Blinds")
        .locator("tbody tr")
        .evaluate_all(
            "rows => rows.map((row) => [row.textContent.includes('/\u200b'), row.clientHeight])"
        )
    )
    heights = [height for is_long, height in rows if not is_long]
    assert len(heights) > 20 and max(heights) < 1.5 * min(heights)
    page.get_by_role("button", name="Create and open registration").click()
    expect(page.locator(".messages")).to_contain_text("registration is open")
    assert faults(page) == []
    made = Tournament.objects.get()
    assert (made.state, made.buy_in, made.start) == ("registering", 550, "scheduled")
    assert made.starts_at is not None and made.starts_at.minute in (0, 30)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_refused_form_leads_to_the_first_wrong_field(
    visit: Visit, boss: User, size: tuple[int, int]
) -> None:
    page = visit(boss, "/organise/new/", size)
    page.get_by_label("Name", exact=True).fill("Monday")
    page.locator("details", has_text="Own payout table").locator("summary").click()
    page.get_by_label("Own payout table").fill("2-9: 70 20")
    page.get_by_role("button", name="Create only").click()
    wrong = page.locator("#id_payout_table_error")
    expect(wrong).to_contain_text("The shares of every row add up to exactly 100 %.")
    expect(wrong).to_be_in_viewport(ratio=1)
    expect(page.get_by_label("Own payout table")).to_be_focused()


@pytest.mark.rule("T-05")
def test_the_form_shows_only_fields_of_the_chosen_format(visit: Visit, boss: User) -> None:
    page = visit(boss, "/organise/new/")
    for group in page.locator("details").all():
        group.evaluate("group => { group.open = true; }")
    start, odds = page.get_by_label("Start", exact=True), page.get_by_label("Odds of the spin")
    expect(start).to_be_visible()
    expect(odds).to_be_hidden()
    page.get_by_label("Format", exact=True).select_option("spin")
    expect(odds).to_be_visible()
    expect(start).to_be_hidden()
    expect(page.get_by_label("Minimum players")).to_be_hidden()
    page.get_by_label("Format", exact=True).select_option("freezeout")
    price = page.get_by_label("Price of a re-buy")
    expect(price).to_be_hidden()
    page.get_by_label("Re-buys per player").fill("2")
    expect(price).to_be_visible()
    page.get_by_label("Structure").select_option("")
    expect(page.get_by_label("Hours it shall take")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Monday")
    page.get_by_role("button", name="Create only").click()
    wrong = page.locator("#id_rebuy_until_level_error")
    expect(wrong).to_contain_text("Re-buys need the last level")
    assert not Tournament.objects.exists()


def test_a_double_click_makes_one_tournament_and_leads_to_its_cockpit(
    visit: Visit, boss: User
) -> None:
    page = visit(boss, "/organise/new/")
    page.get_by_label("Name", exact=True).fill("Monday")
    sent = _press_twice(page, "Create and open registration")
    expect(page.locator(".messages")).to_contain_text("registration is open")
    made = Tournament.objects.get()
    expect(page).to_have_url(re.compile(rf"/organise/{made.pk}/$"))
    assert len(sent) == 1


def test_a_double_click_takes_a_player_out_once_and_says_so(visit: Visit, boss: User) -> None:
    tournament = open_offer()
    entry = registration.register(bots.create(1)[0], tournament)
    page = visit(boss, f"/organise/entry/{entry.pk}/out/")
    page.get_by_label("Reason").fill("asked for it")
    sent = _press_twice(page, "Take out")
    expect(page.locator(".messages")).to_contain_text("has everything back")
    expect(page).to_have_url(re.compile(rf"/organise/{tournament.pk}/$"))
    assert len(sent) == 1


def _press_twice(page: Page, name: str) -> list[str]:
    """Press a button again before the answer to its form came; return the forms that are sent."""
    sent: list[str] = []

    def noted(request: Request) -> None:
        if request.is_navigation_request() and request.method == "POST":
            sent.append(request.url)

    page.on("request", noted)
    page.get_by_role("button", name=name).evaluate(_PRESS_TWICE)
    return sent


def test_a_form_whose_session_ended_keeps_what_was_typed_over_the_log_in(
    visit: Visit, boss: User
) -> None:
    page = visit(boss, "/organise/new/")
    for group in page.locator("details").all():
        group.evaluate("group => { group.open = true; }")
    page.get_by_label("Name", exact=True).fill("Monday")
    page.get_by_label("Limit", exact=True).select_option("pot_limit")
    page.get_by_label("Re-buys per player").fill("2")
    page.get_by_label("Add-on", exact=True).check()
    page.get_by_label("Password", exact=True).fill("sesame street")
    Session.objects.all().delete()
    page.get_by_label("Buy-in").fill("5.50")
    page.wait_for_url(re.compile("/accounts/login/"))
    main = page.get_by_role("main")
    main.get_by_label("Name").fill("Boss")
    main.get_by_label("Password").fill("a long password")
    main.get_by_role("button", name="Log in", exact=True).click()
    expect(page).to_have_url(re.compile("/organise/new/$"))
    expect(page.get_by_label("Name", exact=True)).to_have_value("Monday")
    expect(page.get_by_label("Limit", exact=True)).to_have_value("pot_limit")
    expect(page.get_by_label("Buy-in")).to_have_value("5.50")
    expect(page.get_by_label("Re-buys per player")).to_have_value("2")
    expect(page.get_by_label("Add-on", exact=True)).to_be_checked()
    expect(page.get_by_label("Password", exact=True)).to_have_value("")
    page.reload()
    expect(page.get_by_label("Name", exact=True)).to_have_value("")


def test_a_name_that_is_typed_in_the_cockpit_outlasts_its_changes(visit: Visit, boss: User) -> None:
    tournament = started(3)
    page = visit(boss, f"/organise/{tournament.pk}/?player=nobody")
    box, head = page.get_by_label("Name of a player"), page.locator(".tournament-head")
    expect(head).to_contain_text("Running")
    box.fill("an")
    operations.pause(tournament.pk, reason="dinner")
    page.wait_for_timeout(RENEWED_MS)
    expect(box).to_have_value("an")
    expect(box).to_be_focused()
    # Who goes on to something else sees what has changed.
    box.blur()
    expect(head).to_contain_text("Paused")
