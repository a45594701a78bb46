"""The lobby and a tournament page while they follow events, in a real browser."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from accounts.users.signup import sign_up
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.tournaments.cast import open_offer
from tests.web.visiting import PHONE, Visit, tab_to, visit
from tournaments.models import Tournament

__all__ = ["site", "visit"]

pytestmark = [
    pytest.mark.sample,
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"),
]

# Message of the page's connection: events of one stream.
_HEAR = """async ([stream, events]) => {
  const { line } = await import("/static/js/shared/socket.js");
  line().streams.get(stream).handler.events(events);
}"""

# A slow network: answers to this page are held until the test releases them.
_SLOW = """() => {
  const ask = window.fetch;
  const free = new Promise((resolve) => (window.release = resolve));
  window.fetch = async (address) => {
    const answer = await ask(address);
    await free;
    return answer;
  };
}"""


@pytest.fixture
def anna() -> User:
    return sign_up("anna", "correct horse battery")


def _changed(page: Page, *tournaments: Tournament) -> None:
    """Tell the lobby that the rows of these tournaments changed."""
    summaries = [{"tournament": made.pk, "shown": "otherwise"} for made in tournaments]
    events = [{"type": "tournament_summary", "summary": summary} for summary in summaries]
    page.evaluate(_HEAR, ["lobby", events])


def test_a_tournament_announced_twice_has_one_row_with_working_buttons(
    visit: Visit, anna: User
) -> None:
    page = visit(anna, "/")
    expect(page.get_by_text("No tournament is announced yet.")).to_be_visible()
    offer = open_offer(name="Sunday")
    _changed(page, offer, offer)
    _changed(page, offer)
    row = page.locator("#lobby tbody tr")
    expect(row).to_contain_text("Sunday")
    expect(page.get_by_text("No tournament is announced yet.")).to_have_count(0)
    page.wait_for_load_state("networkidle")
    expect(row).to_have_count(1)
    row.get_by_role("link", name="Register").click()
    expect(page.locator("dialog[open]")).to_contain_text("Sunday")


def test_all_rows_changed_at_once_are_requested(visit: Visit, anna: User) -> None:
    offers = [open_offer(name=f"Old {number}") for number in range(4)]
    page = visit(anna, "/")
    page.locator("#lobby-filter [name=words]").fill("old")
    Tournament.objects.update(name="New")
    _changed(page, *offers)
    expect(page.locator("#lobby tbody tr[data-name=New]")).to_have_count(4)
    expect(page.locator("#lobby tbody tr:visible")).to_have_count(0)


def test_a_row_changed_during_its_request_is_requested_again(visit: Visit, anna: User) -> None:
    offer = open_offer(name="First")
    page = visit(anna, "/")
    page.evaluate(_SLOW)
    with page.expect_response("**/row/"):
        _changed(page, offer)
    Tournament.objects.update(name="Second")
    _changed(page, offer)
    page.evaluate("() => release()")
    expect(page.locator("#lobby tbody tr")).to_have_attribute("data-name", "Second")


def test_a_row_that_a_busy_room_refused_is_requested_once_more(visit: Visit, anna: User) -> None:
    page = visit(anna, "/")
    asked: list[int] = []

    def refuse(route: Route) -> None:
        asked.append(len(asked))
        if len(asked) == 1:
            route.fulfill(status=503)
        else:
            route.continue_()

    page.route("**/row/", refuse)
    offer = open_offer(name="Sunday")
    _changed(page, offer)
    expect(page.locator("#lobby tbody tr")).to_contain_text("Sunday")
    assert len(asked) == 2


def test_a_replaced_row_keeps_the_focus(visit: Visit, anna: User) -> None:
    offer = open_offer(name="Before")
    page = visit(anna, "/")
    tab_to(page, "Register")
    Tournament.objects.update(name="After")
    _changed(page, offer)
    expect(page.locator("#lobby tbody tr[data-name=After]")).to_be_visible()
    expect(page.get_by_role("link", name="Register")).to_be_focused()


def test_the_page_of_a_tournament_changes_nothing_under_a_pressed_mouse(
    visit: Visit, anna: User
) -> None:
    offer = open_offer(name="Before")
    page = visit(anna, f"/tournaments/{offer.pk}/")
    Tournament.objects.update(name="After")
    page.locator("h1").hover()
    page.mouse.down()
    for _ in range(2):
        with page.expect_response(f"**/tournaments/{offer.pk}/"):
            _happened(page, offer)
    expect(page.locator("#tab-panel h1")).to_have_text("Before")
    page.mouse.up()
    expect(page.locator("#tab-panel h1")).to_have_text("After")


def test_the_page_of_a_tournament_keeps_the_focus_when_it_changes(visit: Visit, anna: User) -> None:
    offer = open_offer(name="Before")
    page = visit(anna, f"/tournaments/{offer.pk}/")
    tab_to(page, "Players")
    Tournament.objects.update(name="After")
    _happened(page, offer)
    expect(page.locator("#tab-panel h1")).to_have_text("After")
    expect(page.locator("#tab-panel .tabs a", has_text="Players")).to_be_focused()


def _happened(page: Page, offer: Tournament) -> None:
    """Tell the page of an event in its tournament."""
    page.evaluate(_HEAR, [offer.member, [{"type": "anything"}]])


def test_the_lobby_filters_tournaments_and_reports_an_empty_result(
    visit: Visit, anna: User
) -> None:
    def at(minutes: int) -> dict[str, object]:
        return {"start": "scheduled", "starts_at": timezone.now() + timedelta(minutes=minutes)}

    open_offer(name="Tonight", **at(300))
    open_offer(name="Soon", **at(20))
    open_offer(name="Duel", seats_per_table=2)
    open_offer(name="Hunt", bounty=500)
    page = visit(anna, "/")
    shown = page.locator("#lobby tbody tr:not([hidden]) .title a")
    kind = page.get_by_label("Which tournaments")
    for words, names in {
        "Starting within an hour": ["Soon"],
        "Heads-up": ["Duel"],
        "With bounties": ["Hunt"],
        "Sit & Go": ["Duel", "Hunt"],
        "Satellites": [],
    }.items():
        kind.select_option(label=words)
        expect(shown).to_have_text(names)
    expect(page.locator("#lobby-none")).to_contain_text("No tournament fits.")
    page.get_by_role("button", name="Show all").click()
    expect(shown).to_have_count(4)
    expect(page.locator("#lobby-none")).to_be_hidden()


def test_the_filter_of_soon_starts_follows_the_clock(visit: Visit, anna: User) -> None:
    starts = {"start": "scheduled", "starts_at": timezone.now() + timedelta(minutes=70)}
    row = f"#tournament-{open_offer(name='Later', **starts).pk}"
    page = visit(None, "/")
    page.clock.install()
    page.goto(f"{ORIGIN}/")
    page.get_by_label("Which tournaments").select_option(label="Starting within an hour")
    expect(page.locator("#lobby-none")).to_be_visible()
    for minutes, is_there in ((-20, True), (-60, False)):
        page.locator(row).evaluate(
            "(row, minutes) => { const [at] = row.cells;"
            " at.dataset.sort = Number(at.dataset.sort) + minutes * 60_000; }",
            minutes,
        )
        page.clock.fast_forward(11_000)
        expect(page.locator(row)).to_be_visible(visible=is_there)


def test_the_sort_order_of_the_lobby_is_kept_on_a_phone(visit: Visit, anna: User) -> None:
    for name, buy_in in (("Middle", 500), ("Dear", 900), ("Cheap", 100)):
        open_offer(name=name, buy_in=buy_in, fee=0)
    page = visit(anna, "/", PHONE)
    shown, choice = page.locator("#lobby tbody .title a"), page.get_by_label("Sort by")
    expect(page.locator("#lobby thead button").first).not_to_be_in_viewport()
    choice.select_option(label="Buy-in, highest first")
    expect(shown).to_have_text(["Dear", "Middle", "Cheap"])
    choice.select_option(label="Tournament")
    expect(shown).to_have_text(["Cheap", "Dear", "Middle"])
    page.reload()
    expect(shown).to_have_text(["Cheap", "Dear", "Middle"])
    expect(choice).to_have_value("1 1")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(choice).to_be_hidden()
    page.get_by_role("button", name="Buy-in").click()
    expect(shown).to_have_text(["Cheap", "Middle", "Dear"])
    expect(choice).to_have_value("3 1")
    _changed(page, open_offer(name="New", buy_in=700, fee=0))
    expect(shown).to_have_text(["Cheap", "Middle", "New", "Dear"])


@pytest.mark.rule("A-01")
def test_take_a_seat_shows_price_and_balance_before_it_books(visit: Visit, anna: User) -> None:
    offer = open_offer(name="Sunday", buy_in=900, fee=100)
    page = visit(anna, "/")
    page.get_by_role("link", name="Take a seat").click()
    dialog = page.locator("dialog:modal")
    expect(dialog).to_contain_text("Register for Sunday?")
    expect(dialog).to_contain_text("Price10.00")
    expect(dialog).to_contain_text("New balance9,990.00")
    assert not offer.entries.exists()
    dialog.get_by_role("button", name="Register").click()
    page.wait_for_url(f"**/tournaments/{offer.pk}/")
    assert offer.entries.get().user == anna


def test_a_favourite_keeps_its_star_and_its_filter_finds_it(visit: Visit, anna: User) -> None:
    for name in ("Sunday", "Monday"):
        open_offer(name=name)
    page = visit(anna, "/")
    page.get_by_role("button", name="Favourite: Sunday").click()
    page.get_by_label("Which tournaments").select_option(label="Favourites")
    shown = page.locator("#lobby tbody tr:not([hidden]) .title a")
    expect(shown).to_have_text(["Sunday"])
    page.reload()
    star = page.get_by_role("button", name="Favourite: Sunday")
    expect(star).to_have_attribute("aria-pressed", "true")
    page.get_by_label("Which tournaments").select_option(label="Favourites")
    star.click()
    expect(shown).to_have_count(0)
    expect(page.locator("#lobby-none")).to_be_visible()
