"""Notices of a player in several windows: one opens the table, none takes the keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.web import browsing, scenes
from tests.web.browsing import browser, confirm

__all__ = ["browser"]

Opened = Callable[..., Page]
SEATED = {"type": "seated", "tournament": 5, "name": "Friday", "table": 7, "number": 2, "seat": 4}
MOVED = {**SEATED, "type": "moved", "from_table": 3, "to_table": 7}
OFFER = {"tournament": 5, "name": "Friday", "offer": 1, "price": 900, "fee": 50, "chips": 1500}

# A hidden window reports itself hidden, and its timers come late: here when the test wakes them.
_COVERED = """
  Object.defineProperty(Document.prototype, "hidden", { get: () => true });
  const later = window.setTimeout;
  const late = [];
  window.setTimeout = (step, ms) => late.push(() => later(step, ms));
  window.wake = () => {
    window.setTimeout = later;
    for (const start of late) start();
  };
"""


@pytest.fixture
def window(browser: tuple[Browser, str]) -> Iterator[Opened]:
    """Open one more window of the same player."""
    with browsing.windows(browser) as show:
        yield lambda path="notices.html", *, covered=False: show(
            path, script=_COVERED if covered else ""
        )


def _hear(event: dict[str, Any], *pages: Page) -> None:
    for page in pages:
        page.evaluate("(event) => hear(event)", event)


def _gone(pages: list[Page]) -> list[Page]:
    """Windows that moved to the new table, once one has."""
    gone: list[Page] = []

    def has_moved() -> bool:
        gone[:] = [page for page in pages if page.url.endswith("/tables/7/")]
        return bool(gone)

    browsing.wait_until(pages[0], has_moved)
    return gone


def _stays(page: Page) -> None:
    expect(page.locator(".toast", has_text="Your seat is ready")).to_have_count(1)
    expect(page.get_by_role("link", name="To my table")).to_have_attribute("href", "/tables/7/")
    assert "notices.html" in page.url


def test_a_new_seat_opens_only_in_the_visible_window(window: Opened) -> None:
    hidden, seen, elsewhere = window(covered=True), window(), window("notices.html?table=9")
    _hear(SEATED, hidden, elsewhere, seen)
    seen.wait_for_url("**/tables/7/")
    hidden.evaluate("() => wake()")
    _stays(hidden)
    _stays(elsewhere)


@pytest.mark.parametrize("covered", [False, True])
def test_one_of_two_equal_windows_opens_the_table(window: Opened, covered: bool) -> None:
    pages = [window(covered=covered), window(covered=covered)]
    _hear(SEATED, *pages)
    for page in pages if covered else []:
        page.evaluate("() => wake()")
    [goes] = _gone(pages)
    pages.remove(goes)
    _stays(pages[0])


def test_the_next_page_opens_the_table_after_the_first_page_is_left(window: Opened) -> None:
    page = window()
    page.evaluate("(event) => { window.setTimeout = () => 0; hear(event); }", SEATED)
    assert "7" in page.evaluate("() => JSON.parse(localStorage.getItem('room.claims'))")
    page.reload()
    page.evaluate("() => sits([{ tournament: 5, name: 'Friday', table: 7, seat: 4 }])")
    page.wait_for_url("**/tables/7/")


def test_a_seat_moves_with_the_window_that_shows_it(window: Opened) -> None:
    lobby, table = window(), window("notices.html?table=3")
    _hear(MOVED, lobby, table)
    table.wait_for_url("**/tables/7/")
    _stays(lobby)


@pytest.mark.parametrize(
    ("seat", "ended", "had", "goes"),
    [
        (None, False, True, True),
        (None, False, False, False),
        ({"chips": 0, "in_hand": True}, True, True, True),
        ({"chips": 0, "in_hand": True}, False, True, False),
        ({"chips": 900, "in_hand": False}, True, True, False),
    ],
    ids=["no seat", "spectator", "busted", "all-in", "in play"],
)
def test_a_new_seat_after_a_bust_opens_in_the_window_of_the_seat_before(
    window: Opened, seat: dict[str, Any] | None, ended: bool, had: bool, goes: bool
) -> None:
    page, other = window("notices.html?table=3&tournament=5"), window("notices.html?table=4")
    for one in (page, other):
        one.evaluate(
            "([seat, ended, had]) => { const room = document.querySelector('poker-table');"
            " room.model = { seat, state: {}, moment: { ended } };"
            " if (had) room.dataset.had = ''; }",
            [seat, ended, had],
        )
    _hear(SEATED, page, other)
    if goes:
        page.wait_for_url("**/tables/7/")
    else:
        _stays(page)
    _stays(other)


def test_the_next_page_does_not_open_a_table_again(window: Opened) -> None:
    page = window()
    _hear(MOVED, page)
    _stays(page)
    page.reload()
    page.evaluate("() => sits([{ tournament: 5, name: 'Friday', table: 7, seat: 4 }])")
    page.evaluate("() => sits([{ tournament: 6, name: 'Monday', table: 8, seat: 1 }])")
    page.wait_for_url("**/tables/8/")


def test_a_new_window_left_before_its_first_news_keeps_its_next_page(window: Opened) -> None:
    page = window()
    page.reload()
    page.evaluate("() => sits([{ tournament: 5, name: 'Friday', table: 7, seat: 4 }])")
    assert page.evaluate("() => localStorage.getItem('room.claims')") is None, "claims no table"
    assert page.evaluate("() => sessionStorage.getItem('room.opened.7')") == "1"


def test_an_offer_takes_no_key_from_a_player_to_act(window: Opened) -> None:
    page = window("table.html?scene=turn")
    expect(page.locator("poker-table[data-my-turn]")).to_have_count(1)
    _offer(page, "rebuy")
    expect(page.locator("#offers .toast")).to_be_visible()
    page.keyboard.press("Enter")
    sent = page.evaluate("() => sent.filter((message) => message.type === 'act')")
    assert [message["action"] for message in sent] == ["raise"]


@pytest.mark.parametrize("kind", ["rebuy", "add_on"])
def test_enter_does_not_answer_an_offer_during_a_hand(window: Opened, kind: str) -> None:
    page = window("table.html?scene=other")
    expect(page.locator("poker-table .seat[data-me]")).to_be_visible()
    page.evaluate("() => (room.dataset.tournament = '5')")
    _offer(page, kind)
    expect(page.locator("#offers .toast")).to_be_focused()


def test_an_offer_keeps_the_focus_in_a_text_field(window: Opened) -> None:
    page = window()
    page.evaluate("() => document.body.append(document.createElement('input'))")
    page.locator("input").focus()
    _offer(page, "reentry")
    expect(page.locator("#offers .toast")).to_be_visible()
    expect(page.locator("input")).to_be_focused()


@pytest.mark.rule("T-13")
def test_an_offer_that_is_told_again_ends_later(window: Opened) -> None:
    page = window()
    _offer(page, "reentry", 2_000)
    _offer(page, "reentry")
    page.wait_for_timeout(2_500)
    expect(page.locator("#offers .toast")).to_have_count(1)
    expect(page.locator(".offer-clock")).to_have_text(re.compile(r"5\d s"))


# The file server accepts no purchases: it refuses with a page, as a proxy does.
_FAILURES = [(False, "The room did not accept this."), (True, "The room did not answer;")]


@pytest.mark.parametrize(("offline", "words"), _FAILURES)
def test_a_failed_purchase_is_reported_and_may_be_retried(
    window: Opened, offline: bool, words: str
) -> None:
    page = _with_token(window())
    _offer(page, "reentry")
    page.context.set_offline(offline)
    page.get_by_role("button", name="Buy", exact=True).click()
    expect(page.locator("#toasts [data-kind=error]")).to_contain_text(words)
    expect(page.get_by_role("button", name="Buy", exact=True)).to_be_enabled()


def test_a_purchase_that_nobody_answers_may_be_retried(window: Opened) -> None:
    page = _with_token(window())
    browsing.stand_still(page)
    page.route("**/api/v1/offers/1", lambda route: None)
    _offer(page, "reentry")
    buy = page.get_by_role("button", name="Buy", exact=True)
    buy.click()
    page.clock.run_for(9_000)
    expect(buy).to_be_disabled()
    page.clock.run_for(1_500)
    expect(page.locator("#toasts [data-kind=error]")).to_contain_text("The room did not answer;")
    expect(buy).to_be_enabled()


def test_an_offer_answered_in_another_window_ends_with_the_next_snapshot(window: Opened) -> None:
    page = window()
    _offer(page, "reentry")
    expect(page.locator("#offers .toast")).to_have_accessible_name("Enter again?")
    other = {**OFFER, "offer": 2, "kind": "rebuy"}
    page.evaluate("(offer) => sells([{ ...offer, until_ms: Date.now() + 60000 }])", other)
    expect(page.locator("#offers .toast")).to_have_count(1)
    expect(page.locator("#offers .toast")).to_have_accessible_name("Buy again?")


def test_an_offer_is_read_out_with_its_chips_and_its_price(window: Opened) -> None:
    page = window()
    _offer(page, "add_on")
    terms = "Friday: 1,500 chips for 9.50."
    expect(page.locator("#offers .toast")).to_have_accessible_description(terms)


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("too_many_chips", "Friday · You have too many chips to buy again."),
        ("insufficient_funds", "Friday · Your account does not cover the price."),
        ("not_in_play", "Friday · The entry was out before they came."),
        ("unknown", "Friday"),
    ],
)
def test_a_purchase_that_was_accepted_and_failed_says_why(
    window: Opened, why: str, words: str
) -> None:
    page = window()
    ended = {"type": "offer_ended", "tournament": 5, "name": "Friday", "offer": 1}
    _hear({**ended, "kind": "add_on", "state": "expired", "why": why}, page)
    what = page.locator(".toast[data-kind=error] .what")
    expect(what).to_have_text(f"Your purchase could not be carried out{words}")
    expect(page.locator(".toast[data-lasts]")).to_have_count(1)


@pytest.mark.parametrize(
    ("module", "call", "button"),
    [
        ("table/seat/leave_button", "offerLeaving(5, 1500)", ".leave"),
        (
            "table/seat/rebuy_button",
            "offerRebuy(5, { entry: 2, chips: 900, price: 90, fee: 9 })",
            ".rebuy",
        ),
    ],
)
def test_a_table_button_returns_when_its_request_fails(
    window: Opened, module: str, call: str, button: str
) -> None:
    page = _with_token(window("table.html?scene=other"))
    page.evaluate(f"async () => (await import('/static/js/{module}.js')).{call}")
    asks = page.locator(button).inner_text()
    confirm(page, button)
    expect(page.locator("#toasts [data-kind=error]")).to_contain_text("did not accept this")
    expect(page.locator(button)).to_have_text(asks)
    expect(page.locator(button)).to_be_enabled()


@pytest.mark.rule("E-04")
def test_a_rebuy_repeated_after_no_answer_is_the_same_purchase(window: Opened) -> None:
    page, keys = _with_token(window("table.html?scene=other")), list[str]()

    def hear(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.abort()
        else:
            route.fulfill(json={"code": "accepted", "message": "They come.", "balance": 0})

    page.route("**/tournaments/5/rebuys", hear)
    for told, buttons in ((1, 1), (2, 0), (3, 0)):
        scenes.offer_rebuy(page, {"entry": "2", "chips": 900, "price": 90, "fee": 9})
        confirm(page, ".rebuy")
        browsing.wait_until(page, partial(_counts, keys, told))
        expect(page.locator(".rebuy")).to_have_count(buttons)
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.rule("T-13")
@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("frozen", "Friday · A fault is being mended; all tables go on together."),
        ("Fire <b>drill</b>", "Friday · Fire <b>drill</b>"),
        ("constructor", "Friday · constructor"),
        ("", "Friday"),
    ],
)
def test_a_pause_shows_its_reason(window: Opened, reason: str, words: str) -> None:
    page = window()
    _hear({"type": "tournament_paused", "tournament": 5, "name": "Friday", "reason": reason}, page)
    expect(page.locator(".toast .what")).to_have_text(f"Paused after the hand{words}")


def test_an_invitation_stays_with_the_way_to_its_tournament(window: Opened) -> None:
    page = window()
    _hear({"type": "invited", "tournament": 5, "name": "Friday", "club": "Rats & <b>"}, page)
    toast = page.locator(".toast[data-lasts]")
    expect(toast).to_contain_text("You are invitedFriday · Rats & <b>")
    link = toast.get_by_role("link", name="To the tournament")
    expect(link).to_have_attribute("href", "/tournaments/5/")


def test_a_cancellation_shows_its_reason(window: Opened) -> None:
    page = window()
    told = {"tournament": 5, "name": "Friday", "refund": 0, "ticket": 0}
    _hear({"type": "tournament_cancelled", "reason": "too few players", **told}, page)
    expect(page.locator(".toast")).to_contain_text("Friday · Too few players were registered.")


@pytest.mark.rule("T-06")
def test_a_player_taken_out_reads_why_and_what_came_back(window: Opened) -> None:
    page = window()
    told = {"type": "unregistered", "tournament": 5, "name": "Friday", "refund": 1100, "left": 0}
    _hear(told, page)
    _hear({**told, "reason": "Members alone"}, page)
    expect(page.locator(".toast")).to_have_count(1)
    expect(page.locator(".toast")).to_contain_text("You are no longer registered")
    expect(page.locator(".toast")).to_contain_text("back in your account. · Members alone")


@pytest.mark.rule("L-05")
def test_a_waiting_table_shows_why_the_tournament_is_stopped(window: Opened) -> None:
    page = window("table.html?scene=paused")
    waiting = page.locator(".waiting")
    expect(waiting).to_have_text("The tournament is paused")
    page.evaluate("() => room.model.tell({ ...room.model.field, why: '<i>Fire</i>' })")
    expect(waiting).to_have_text("The tournament is paused: <i>Fire</i>")
    page.evaluate("() => room.model.tell({ ...room.model.field, why: 'x'.repeat(300) })")
    expect(waiting).to_have_text(f"The tournament is paused: {'x' * 120}…")
    inside = "(node) => node.scrollWidth <= node.clientWidth"
    assert waiting.evaluate(inside)


def _counts(keys: list[str], told: int) -> bool:
    return len(keys) == told


def _with_token(page: Page) -> Page:
    page.evaluate("""() => document.body.setAttribute("hx-headers", '{"X-CSRFToken": "token"}')""")
    return page


def _offer(page: Page, kind: str, ms: int = 60_000) -> None:
    page.evaluate(
        "async ([offer, ms]) => (await import('/static/js/everywhere/offers.js'))"
        ".show({ ...offer, until_ms: Date.now() + ms })",
        [{**OFFER, "kind": kind}, ms],
    )


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"type": "knocked_out", "place": 1_234, "prize": 0}, "Place 1,234 in Friday."),
        ({"type": "tournament_over", "place": 1_234}, "Place 1,234 in Friday."),
        (
            {"type": "prize", "place": 1_232, "prize": 250_000, "ticket": 0},
            "You finished 1,232nd in Friday and win 2,500.00.",
        ),
    ],
)
def test_a_place_beyond_a_thousand_is_told_as_it_is_written(
    window: Opened, event: dict[str, Any], words: str
) -> None:
    page = window()
    _hear({"tournament": 5, "name": "Friday", **event}, page)
    expect(page.locator(".toast")).to_contain_text(words)
