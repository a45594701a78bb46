"""Page updates while a user reads, selects, pans and presses, in a real browser."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from accounts.users.signup import sign_up
from tests.tables.gateway.socket_site import site
from tests.tournaments.cast import open_offer, started
from tests.web.browsing import wait_until
from tests.web.visiting import PHONE, Visit, visit
from tournaments.entries import registration
from tournaments.models import Tournament
from tournaments.running import tick

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

# Longer than the page's retry delay.
CALM_MS = 2_500

_HEAR = """async ([stream, events]) => {
  const { line } = await import("/static/js/shared/socket.js");
  line().streams.get(stream).handler.events(events);
}"""

_SNAPSHOT = """async (stream) => {
  const { line } = await import("/static/js/shared/socket.js");
  line().streams.get(stream).handler.snapshot({}, "0-999");
}"""

_FOLLOWED = """async (stream) => {
  const { line } = await import("/static/js/shared/socket.js");
  return line().streams.get(stream)?.live ?? false;
}"""

_SELECT = "() => getSelection().selectAllChildren(document.querySelector('#tab-panel h1'))"

# The seat comes first, then an event: a page on its way answers no script.
_SEATED_THEN = """async ([table, stream, events, wait]) => {
  const { seated } = await import("/static/js/everywhere/seat_ways.js");
  const { line } = await import("/static/js/shared/socket.js");
  setTimeout(() => seated(table, { name: "" }));
  setTimeout(() => line().streams.get(stream).handler.events(events), wait);
}"""

# A panning finger: the browser cancels the pointer, the finger stays down.
_PAN = """(kind) => {
  const strip = document.querySelector("#tab-panel .tabs");
  const touch = new Touch({ identifier: 1, target: strip });
  const touches = kind === "start" ? [touch] : [];
  if (kind === "start") {
    for (const name of ["pointerdown", "pointercancel"])
      strip.dispatchEvent(new PointerEvent(name, { bubbles: true, pointerType: "touch" }));
  }
  strip.dispatchEvent(new TouchEvent(`touch${kind}`, { bubbles: true, touches }));
}"""


@pytest.fixture
def anna() -> User:
    return sign_up("anna", "correct horse battery")


def _open(visit: Visit, anna: User, offer: Tournament, tab: str = "", **size: Any) -> Page:
    page = visit(anna, f"/tournaments/{offer.pk}/{tab}", **size)
    _follows(page, offer.member)
    return page


def _follows(page: Page, stream: str) -> None:
    """Wait until the page has its snapshot."""
    wait_until(page, lambda: page.evaluate(_FOLLOWED, stream))


def _renamed(page: Page, offer: Tournament) -> None:
    """Rename the tournament and give the page an event of it."""
    Tournament.objects.update(name="After")
    page.evaluate(_HEAR, [offer.member, [{"type": "anything"}]])


def _name(page: Page, words: str) -> None:
    expect(page.locator("#tab-panel h1")).to_have_text(words)


def test_strips_and_tables_keep_their_scroll_position(visit: Visit, anna: User) -> None:
    offer = started(4, name="Before")
    page = _open(visit, anna, offer, "?tab=levels", size=(PHONE[0] // 2, PHONE[1]))
    places = "() => [...document.querySelectorAll('.tabs, .scroll')].map((one) => one.scrollLeft)"
    page.evaluate(
        "() => document.querySelectorAll('.tabs, .scroll').forEach((one) => one.scrollLeft = 40)"
    )
    before = page.evaluate(places)
    assert len(before) > 1 and all(before)
    _renamed(page, offer)
    _name(page, "After")
    assert page.evaluate(places) == before


def test_the_selected_tab_stays_visible(visit: Visit, anna: User) -> None:
    page = _open(visit, anna, open_offer(), size=(PHONE[0] // 2, PHONE[1]))
    page.locator(".tabs a").last.click()
    current = page.locator(".tabs a[aria-current]")
    expect(current).to_have_text("Rules")
    expect(current).to_be_in_viewport(ratio=0.9)


def test_a_text_selection_survives_updates(visit: Visit, anna: User) -> None:
    offer = open_offer(name="Before")
    page = _open(visit, anna, offer)
    page.evaluate(_SELECT)
    _renamed(page, offer)
    page.wait_for_timeout(CALM_MS)
    assert page.evaluate("() => getSelection().toString()") == "Before"
    page.evaluate("() => getSelection().empty()")
    _name(page, "After")


def test_nothing_changes_under_a_panning_finger(visit: Visit, anna: User) -> None:
    offer = open_offer(name="Before")
    page = _open(visit, anna, offer)
    page.evaluate(_PAN, "start")
    _renamed(page, offer)
    page.wait_for_timeout(CALM_MS)
    _name(page, "Before")
    page.evaluate(_PAN, "end")
    _name(page, "After")


def test_one_of_many_equal_links_keeps_the_focus(visit: Visit, anna: User) -> None:
    offer = started(4, name="Before")
    page = _open(visit, anna, offer, "?tab=players")
    links = page.locator("#tab-panel tbody a[href^='/tables/']")
    expect(links).to_have_count(4)
    links.nth(2).focus()
    _renamed(page, offer)
    _name(page, "After")
    expect(links.nth(2)).to_be_focused()


def test_events_before_the_page_subscribed_are_shown(visit: Visit, anna: User) -> None:
    offer = open_offer(name="Before")
    page = _open(visit, anna, offer)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(CALM_MS)
    assert asked == [], "a fresh page is not requested again"
    Tournament.objects.update(name="After")
    page.evaluate(_SNAPSHOT, offer.member)
    _name(page, "After")


def test_a_failed_page_request_is_repeated(visit: Visit, anna: User) -> None:
    offer = open_offer(name="Before")
    page = _open(visit, anna, offer)
    address = f"**/tournaments/{offer.pk}/"
    page.route(address, lambda route: route.fulfill(status=503, body="busy"), times=1)
    with page.expect_response(address) as answer:
        _renamed(page, offer)
    assert answer.value.status == 503
    _name(page, "After")


def test_a_page_request_without_an_answer_is_given_up(visit: Visit, anna: User) -> None:
    offer = open_offer(name="Before")
    page = _open(visit, anna, offer)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(f"**/tournaments/{offer.pk}/", hold, times=1)
    page.clock.install()
    _renamed(page, offer)
    wait_until(page, lambda: bool(held))
    page.clock.run_for(60_000)
    _name(page, "After")


def test_a_page_on_its_way_to_a_table_is_not_asked_for_again(visit: Visit, anna: User) -> None:
    offer = open_offer(name="Before")
    page = _open(visit, anna, offer)
    held: list[Route] = []
    asked: list[str] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/tables/7/", hold)
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.evaluate(_SEATED_THEN, [7, offer.member, [{"type": "anything"}], 500])
    wait_until(page, lambda: bool(held))
    page.wait_for_timeout(500 + CALM_MS)
    assert asked == ["/tables/7/"], "the way to the table has the servers for itself"
    held[0].fulfill(body="<h1>The table</h1>", content_type="text/html")
    expect(page.get_by_role("heading", name="The table")).to_be_visible()


@pytest.mark.parametrize("way", ["right button", "menu", "other window"])
def test_a_press_without_release_does_not_stop_updates(visit: Visit, anna: User, way: str) -> None:
    offer = open_offer(name="Before")
    page = _open(visit, anna, offer)
    page.evaluate(
        "(button) => document.querySelector('h1').dispatchEvent("
        "new PointerEvent('pointerdown', { bubbles: true, button }))",
        2 if way == "right button" else 0,
    )
    if way == "menu":
        page.evaluate(
            "() => document.querySelector('h1').dispatchEvent("
            "new MouseEvent('contextmenu', { bubbles: true }))"
        )
    elif way == "other window":
        page.evaluate("() => window.dispatchEvent(new Event('blur'))")
    _renamed(page, offer)
    _name(page, "After")


@pytest.mark.rule("T-01")
def test_a_full_row_of_the_lobby_loses_its_button_and_gets_it_back(
    visit: Visit, anna: User
) -> None:
    offer = open_offer(
        start="scheduled", starts_at=timezone.now() + timedelta(hours=1), players_max=2
    )
    page = visit(anna, "/")
    _follows(page, "lobby")
    button = page.locator("#lobby a.main", has_text="Register")
    expect(button).to_have_count(1)
    berta, carla = (sign_up(name, "correct horse battery") for name in ("berta", "carla"))
    for user in (berta, carla):
        registration.register(user, offer.pk)
    tick.tick(offer.pk)
    expect(button).to_have_count(0)
    registration.unregister(carla, offer.pk)
    tick.tick(offer.pk)
    expect(button).to_have_count(1)


def test_a_row_of_the_lobby_is_not_replaced_under_a_press(visit: Visit, anna: User) -> None:
    offer = open_offer(name="Before")
    page = visit(anna, "/")
    _follows(page, "lobby")
    row = page.locator("#lobby tbody tr")
    row.get_by_role("link", name="Register").hover()
    page.mouse.down()
    Tournament.objects.update(name="After")
    summary = {"tournament": offer.pk, "shown": "otherwise"}
    with page.expect_response("**/row/"):
        page.evaluate(_HEAR, ["lobby", [{"type": "tournament_summary", "summary": summary}]])
    page.wait_for_timeout(500)
    expect(row).to_have_attribute("data-name", "Before")
    page.mouse.up()
    expect(page.locator("dialog[open]")).to_be_visible()
    expect(row).to_have_attribute("data-name", "After")
