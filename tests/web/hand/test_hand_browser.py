"""Replay of a finished hand in a real browser: by button, slider and key, on desktop and phone."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from accounts.models import User
from tables.dealer.record import HandRecord
from tables.dealer.state import DecisionNote
from tables.models import Hand
from tables.records import stored
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tests.web.scenes import boxes
from tests.web.visiting import PHONE, Visit, visit

__all__ = ["site", "visit"]

pytestmark = [
    pytest.mark.sample,
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"),
]

_STACKS = """
() => Object.fromEntries(document.querySelector("poker-table").model.state.seats
  .map((seat) => [seat.seat, seat.chips]))
"""


def _go(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def _stacks(page: Page) -> dict[int, int]:
    return {int(seat): chips for seat, chips in page.evaluate(_STACKS).items()}


def _seat(page: Page, kept: HandRecord, user: int) -> str:
    return next(seat.name for seat in kept.seats if seat.user == user)


def test_a_replay_steps_to_the_end_of_the_hand_and_back(visit: Visit) -> None:
    played = PlayedHands(2)
    kept = played.records[0]
    me = kept.seats[0]
    page = visit(User.objects.get(pk=me.user), f"/tables/{played.table}/")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Hands").click()
    page = opened.value
    page.get_by_role("link", name="Hand 1", exact=True).click()
    expect(page.locator("poker-table .seat[data-me] .name")).to_have_text(me.name)
    expect(page.locator(".seat[data-me] .card:not(.back)")).to_have_count(2)
    expect(page.locator(".board .card")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator(".board .card")).to_have_count(5)
    assert _stacks(page) == {stack.seat: stack.chips for stack in kept.result.stacks_after}
    expect(page.locator(".seat[data-won]")).not_to_have_count(0)
    lines = page.locator(".log li").count()
    page.keyboard.press("Home")
    expect(page.locator(".board .card")).to_have_count(0)
    slider = page.get_by_role("slider")
    for _ in range(int(slider.get_attribute("max") or 0)):
        page.keyboard.press("ArrowRight")
    assert _stacks(page) == {stack.seat: stack.chips for stack in kept.result.stacks_after}
    expect(page.locator(".log li")).to_have_count(lines)
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value(slider.get_attribute("max") or "")
    _go(page, "One step back")
    slider.press("Home")
    expect(slider).to_have_value("0")
    page.get_by_role("link", name="Hand after").click()
    expect(page.locator(".log")).to_contain_text("Hand 2")
    expect(page.get_by_role("link", name="Hand after")).to_have_count(0)
    page.get_by_role("link", name="Lobby").click()
    expect(page.get_by_role("heading", name="You are playing")).to_be_visible()
    page.wait_for_timeout(1_000)
    assert page.url == f"{ORIGIN}/", "the seat stays in its original window"


def test_a_phone_on_its_side_has_all_controls_in_one_row(visit: Visit) -> None:
    played = PlayedHands(3)
    user = User.objects.get(pk=played.records[1].seats[0].user)
    page = visit(user, f"/tables/{played.table}/hands/2/", (844, 390))
    for language in ("de", "en"):
        # The header of a table shows no languages on a small window.
        page.evaluate("(code) => document.querySelector(`button[value=${code}]`).click()", language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.wait_for_selector("poker-table .seat")
        found = boxes(page, ".replay-row > .button, .replay-keys .button")
        assert len(found) >= 10
        middles = [box["y"] + box["height"] / 2 for box in found]
        assert max(middles) - min(middles) < 10
        steps = boxes(page, ".replay-keys .button")
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= 844 for box in steps)
        assert page.evaluate("document.documentElement.scrollWidth") <= 844
    for name in ("Hand before", "Hand after"):
        expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()


def test_the_log_names_times_and_decisions_of_the_room(visit: Visit) -> None:
    played = PlayedHands(1)
    [kept] = played.records
    notes = (
        DecisionNote(4_200),
        DecisionNote(19_200, "time_out"),
        DecisionNote(19_200, "absent"),
        DecisionNote(30_200, "disconnected"),
    )
    assert len(kept.actions) > len(notes)
    Hand.objects.update(record=stored.encode(replace(kept, notes=notes)))
    page = visit(None, played.address(1))
    page.keyboard.press("End")
    lines = page.locator(".log li")
    told = [" (4.2 s)", " (timed out, 15 s)", " (away)", " (connection lost, 11 s)"]
    for note in told:
        expect(lines.filter(has_text=note)).to_have_count(1)
    expect(lines.filter(has_text=" s)")).to_have_count(len(told) - 1)


def test_a_hand_plays_by_itself_until_it_is_stopped(visit: Visit) -> None:
    played = PlayedHands(1)
    page = visit(User.objects.get(pk=played.records[0].seats[0].user), played.address(1))
    _go(page, "Play")
    slider = page.get_by_role("slider")
    expect(slider).not_to_have_value("0")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    _go(page, "To the end")
    _go(page, "Play")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    expect(slider).not_to_have_value(slider.get_attribute("max") or "")


@pytest.mark.rule("S-03")
def test_mucked_hands_are_shown_to_a_dealt_in_player_on_request(visit: Visit) -> None:
    played = PlayedHands(6)
    number, me, others = _with_a_muck(played)
    page = visit(User.objects.get(pk=me), played.address(number), PHONE)
    _go(page, "To the end")
    cards = page.locator(".seat:not([data-me]) .card")
    backs = page.locator(".seat .card.back")
    expect(cards).to_have_count(6 - 2 * others)
    _go(page, "Show mucked hands")
    expect(cards).to_have_count(6)
    expect(backs).to_have_count(0)
    _go(page, "To the start")
    expect(backs).to_have_count(0)
    _go(page, "Show mucked hands")
    expect(backs).to_have_count(6)
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= PHONE[0], "no part exceeds the screen of a phone"
    box = page.get_by_role("button", name="Show mucked hands").bounding_box()
    assert box is not None and box["y"] + box["height"] <= PHONE[1]


def _with_a_muck(played: PlayedHands) -> tuple[int, int, int]:
    """A hand with mucked cards: its number, a user who may see them, and their count."""
    for kept in played.records:
        shown = dict(kept.result.shown)
        if 0 < len(shown) < 4:
            me = next(seat for seat in kept.seats if seat.seat in shown)
            return kept.hand, me.user, 4 - len(shown)
    raise AssertionError("every hand was shown")


def test_own_hands_open_beside_the_log_and_lead_to_their_replay(visit: Visit) -> None:
    played = PlayedHands(2)
    me = played.records[0].seats[0]
    page = visit(User.objects.get(pk=me.user), f"/tables/{played.table}/")
    page.get_by_text("My last hands").click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Hand 2", exact=True).click()
    expect(opened.value.locator("poker-table .seat[data-me] .name")).to_have_text(me.name)
    visitor = visit(None, f"/tables/{played.table}/")
    expect(visitor.locator(".pod").first).to_be_visible()
    assert visitor.get_by_text("My last hands").count() == 0


def test_the_link_of_a_replay_is_shared_or_copied(visit: Visit) -> None:
    played = PlayedHands(1)
    page = visit(None, "/", PHONE)
    page.add_init_script("navigator.share = async (given) => { window.given = given; };")
    page.goto(f"{ORIGIN}{played.address(1)}")
    _go(page, "Share")
    given = page.evaluate("window.given")
    assert given["url"] == f"{ORIGIN}{played.address(1)}" and "Hand 1" in given["title"]
    plain = visit(None, "/")
    plain.add_init_script("delete Navigator.prototype.share; delete Navigator.prototype.clipboard;")
    plain.goto(f"{ORIGIN}{played.address(1)}")
    _go(plain, "Share")
    expect(plain.get_by_text(f"{ORIGIN}{played.address(1)}")).to_be_visible()
