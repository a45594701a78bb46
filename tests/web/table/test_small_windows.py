"""Low and narrow windows: buttons beside the table, and no overlaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import browser
from tests.web.scenes import Box, Opened, apart, boxes, drawn, happens, scene, settled

__all__ = ["browser", "scene"]

LOW = [(844, 390), (640, 400), (667, 375), (932, 430)]
"""Phones on their side, and 1280 by 800 at 200 %."""
ALL = [*LOW, (390, 844), (360, 640), (1280, 800)]


def _lies_within(box: Box, other: Box) -> bool:
    return (
        box["x"] >= other["x"] - 1
        and box["y"] >= other["y"] - 1
        and box["x"] + box["width"] <= other["x"] + other["width"] + 1
        and box["y"] + box["height"] <= other["y"] + other["height"] + 1
    )


def _windows(page: Page, sizes: list[tuple[int, int]]) -> Iterator[str]:
    """The page drawn in one window after another, each with the name of its size."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        drawn(page)
        settled(page)
        yield f"{width}x{height}"


def _meet(ones: list[Box], others: list[Box]) -> list[tuple[Box, Box]]:
    """Pairs of boxes that overlap."""
    return [(one, other) for one in ones for other in others if not apart(one, other)]


def _meet_each_other(boxes: list[Box]) -> list[tuple[Box, Box]]:
    return [pair for at, box in enumerate(boxes) for pair in _meet([box], boxes[at + 1 :])]


def _window(page: Page) -> Box:
    size = page.viewport_size
    assert size is not None
    return {"x": 0.0, "y": 0.0, "width": float(size["width"]), "height": float(size["height"])}


_ONLY_THESE = """(pair) => {
  const { state } = room.model;
  const seats = state.seats.map((seat) =>
    ({ ...seat, bet: 0, folded: !pair.includes(seat.seat), in_hand: pair.includes(seat.seat) }));
  room.model.snapshot({ ...state, seats });
}"""
"""Script that leaves only these seats in the hand of the table."""


def test_a_low_window_has_the_buttons_beside_the_table(scene: Opened) -> None:
    page = scene("turn", width=844, height=390)
    for size in _windows(page, LOW):
        [area] = boxes(page, ".area")
        window = _window(page)
        assert area["height"] >= 0.75 * window["height"], size
        buttons = boxes(page, ".action-panel :is(button, input), .tools > *")
        assert len(buttons) >= 10
        assert _meet(buttons, [area]) == [], size
        assert all(_lies_within(box, window) for box in buttons), size
        pods, board = boxes(page, ".pod"), boxes(page, ".common .card")
        own = boxes(page, ".seat[data-me] .hand .card")
        assert all(_lies_within(box, area) for box in [*pods, *board, *own]), size
        assert _meet_each_other(pods) == [], size
        assert _meet(pods, board) == [], size


def test_the_header_and_the_status_line_cover_nothing(scene: Opened) -> None:
    page = scene("turn")
    for size in _windows(page, ALL):
        parts = boxes(page, "header.top, .strip, .room, .tools, .action-panel")
        assert len(parts) == 5
        assert _meet_each_other(parts) == [], size
        [header] = boxes(page, "header.top")
        inside = boxes(page, "header.top > *, header.top nav > *")
        assert all(_lies_within(box, header) for box in inside), size


@pytest.mark.parametrize("seats", [4, 6, 9])
def test_bets_cover_no_board_card_and_no_other_bet(scene: Opened, seats: int) -> None:
    page = scene("bets", seats=seats)
    for size in _windows(page, ALL):
        bets, board = boxes(page, ".bet"), boxes(page, ".board .card")
        assert len(board) == 5 and len(bets) >= 3
        [area] = boxes(page, ".area")
        assert all(_lies_within(bet, area) for bet in bets), size
        assert _meet(bets, board) == [], size
        assert _meet(bets, boxes(page, ".seat[data-me] .hand .card")) == [], size
        assert _meet_each_other(bets) == [], size


@pytest.mark.parametrize("name", ["turn", "allin", "showdown_kicker"])
def test_tags_of_actions_and_hands_cover_no_stack(scene: Opened, name: str) -> None:
    page = scene(name)
    for size in _windows(page, ALL):
        [area] = boxes(page, ".area")
        tags, stacks = boxes(page, ".tag"), boxes(page, ".stack")
        assert tags and len(stacks) >= 3
        assert _meet(tags, stacks) == [], size
        assert name != "showdown_kicker" or all(_lies_within(tag, area) for tag in tags), size


_TAGS = ".seat[data-half=top] .tag"
_UPPER = ".seat[data-half=top] .hand[data-shown] .card"


@pytest.mark.parametrize("seats", [2, 6, 9])
def test_tags_of_an_all_in_cover_no_open_card_of_the_upper_seats(scene: Opened, seats: int) -> None:
    page = scene("everybody", seats=seats)
    expect(page.locator(".seat[data-half=top] .hand[data-shown]")).not_to_have_count(0)
    for size in _windows(page, ALL):
        tags, cards = boxes(page, _TAGS), boxes(page, _UPPER)
        assert tags and cards
        assert _meet(tags, cards) == [], size


def test_the_chance_of_an_upper_hand_covers_none_of_its_suits(scene: Opened) -> None:
    page = scene("everybody", seats=2)
    expect(page.locator(".chance:visible")).to_have_count(2)
    for size in _windows(page, ALL):
        chances, cards = boxes(page, ".seat[data-half=top] .chance"), boxes(page, _UPPER)
        assert len(chances) == 1 and len(cards) == 2
        assert _meet(chances, cards) == [], size


@pytest.mark.parametrize("seats", [2, 6])
def test_a_hand_that_wins_at_the_top_is_named_beside_its_cards(scene: Opened, seats: int) -> None:
    page = scene("everybody", seats=seats)
    top = page.locator(".seat[data-half=top]:has(.hand[data-shown])").first
    seat = int(top.get_attribute("data-key") or "")
    board = ["2h", "7s", "Jc", "Qd", "9h"]
    happens(page, {"type": "street_dealt", "street": "river", "cards": board})
    shown = {"type": "cards_shown", "seat": seat, "cards": ["9c", "9d"], "made": "three:9"}
    happens(page, shown)
    winner = {"seat": seat, "amount": 12_345}
    happens(page, {"type": "pot_awarded", "pot": 0, "amount": 12_345, "winners": [winner]})
    expect(page.locator(".gain:visible")).to_have_count(1)
    for size in _windows(page, ALL):
        [area], [gain] = boxes(page, ".area"), boxes(page, ".gain")
        tags, names = boxes(page, _TAGS), boxes(page, ".seat[data-half=top] :is(.name, .stack)")
        assert _meet(tags, [*boxes(page, _UPPER), *names]) == [], size
        assert _meet([gain], [*tags, *boxes(page, _UPPER), *names]) == [], size
        assert all(_lies_within(box, area) for box in [gain, *tags]), size


def test_the_clock_of_a_turn_and_the_button_cover_no_name(scene: Opened) -> None:
    page = scene("turn")
    happens(page, {"type": "button_drawn", "button": 4, "cards": []})
    for size in _windows(page, ALL):
        marks = boxes(page, ".seat[data-turn] .avatar, .dealer")
        assert len(marks) == 2, size
        assert _meet(marks, boxes(page, ".name")) == [], size


def test_the_button_of_the_own_seat_covers_no_own_card_in_a_low_window(scene: Opened) -> None:
    page = scene("turn")
    happens(page, {"type": "button_drawn", "button": 4, "cards": []})
    for size in _windows(page, LOW):
        button, cards = boxes(page, ".dealer"), boxes(page, ".seat[data-me] .hand .card")
        assert len(button) == 1 and len(cards) == 2, size
        others = boxes(page, ".seat:not([data-me]) .pod, .seat[data-me] :is(.avatar, .tag, .stack)")
        assert _meet(button, [*cards, *others]) == [], size


@pytest.mark.parametrize("name", ["allin", "showdown_kicker"])
def test_shown_hands_are_fully_visible_on_the_table(scene: Opened, name: str) -> None:
    page = scene(name)
    expect(page.locator(".hand[data-shown]")).to_have_count(3)
    if name == "showdown_kicker":
        expect(page.locator(".seat .gain:visible")).to_have_count(1)
    for size in _windows(page, ALL):
        [area], window = boxes(page, ".area"), _window(page)
        cards = boxes(page, ".hand[data-shown] .card")
        least = 28 if min(window["width"], window["height"]) < 500 else 44
        assert len(cards) == 6
        assert all(card["width"] >= least for card in cards), size
        assert all(_lies_within(card, area) for card in cards), size
        assert _meet(cards, boxes(page, ".common .card")) == [], size
        assert _meet(cards, boxes(page, ".pod")) == [], size


@pytest.mark.parametrize("name", ["showdown", "showdown_kicker"])
def test_the_gains_of_shown_hands_lie_on_the_felt_and_cover_nothing(
    scene: Opened, name: str
) -> None:
    page = scene(name)
    expect(page.locator(".gain:visible")).to_have_count(2 if name == "showdown" else 1)
    for size in _windows(page, ALL):
        [area], gains = boxes(page, ".area"), boxes(page, ".gain")
        assert all(_lies_within(gain, area) for gain in gains), size
        others = boxes(page, ".pod, .tag, .hand[data-open] .card, .common .card")
        assert _meet(gains, others) == [], size


def test_the_names_of_hands_shown_side_by_side_are_apart(scene: Opened) -> None:
    page = scene("showdown_kicker")
    expect(page.locator(".tag[data-kind=made]:visible")).to_have_count(3)
    for size in _windows(page, [*LOW, (740, 360)]):
        [area], tags = boxes(page, ".area"), boxes(page, ".tag[data-kind=made]")
        assert len(tags) == 3
        assert _meet_each_other(tags) == [], size
        assert all(_lies_within(tag, area) for tag in tags), size


@pytest.mark.parametrize("pair", [(1, 2), (9, 1), (2, 3)])
def test_hands_shown_by_neighbours_cover_neither_each_other_nor_a_plate(
    scene: Opened, pair: tuple[int, int]
) -> None:
    page = scene("watch")
    cards = (["As", "Kd"], ["Qh", "Jh"])
    happens(
        page,
        {"type": "hands_revealed", "hands": [list(one) for one in zip(pair, cards, strict=True)]},
    )
    page.evaluate(_ONLY_THESE, list(pair))
    drawn(page)
    expect(page.locator(".hand[data-shown] .card")).to_have_count(4)
    for size in _windows(page, [(844, 390), (932, 430), (667, 375), (390, 844)]):
        [one, other] = (boxes(page, f".seat[data-key='{seat}'] .card") for seat in pair)
        assert _meet(one, other) == [], size
        assert _meet([*one, *other], boxes(page, ".pod")) == [], size


@pytest.mark.parametrize("seats", [4, 9])
def test_hands_shown_at_the_top_cover_no_card_of_the_board(scene: Opened, seats: int) -> None:
    page = scene("watch", seats=seats)
    top = page.locator(".seat[data-half=top]:has(.hand:visible)").first
    seat = int(top.get_attribute("data-key") or "")
    pots = [{"amount": 900, "seats": [3, seat]}]
    happens(page, {"type": "bets_collected", "pots": pots})
    happens(page, {"type": "hands_revealed", "hands": [[seat, ["Qh", "3h"]], [3, ["Ks", "Kc"]]]})
    happens(page, {"type": "street_dealt", "street": "turn", "cards": ["4h"]})
    happens(page, {"type": "street_dealt", "street": "river", "cards": ["5s"]})
    expect(page.locator(".common .card:visible")).to_have_count(5)
    for size in _windows(page, ALL):
        board, shown = boxes(page, ".common .card"), boxes(page, ".hand[data-shown] .card")
        assert len(board) == 5 and len(shown) == 4
        assert _meet(shown, board) == [], size


def test_a_single_notice_covers_nothing(scene: Opened) -> None:
    page = scene("turn", width=390, height=844)
    for title in ("Level 5: blinds 150/300", "Final table", "The break begins after this hand"):
        _toast(page, title)
    parts = "header.top, .strip, .area, .action-panel :is(button, input), .tools > *"
    for size in _windows(page, [*LOW, (390, 844)]):
        assert len(boxes(page, ".toast")) == 1, size
        assert _meet(boxes(page, ".toast"), boxes(page, parts)) == [], size
    expect(page.locator(".toast:visible")).to_contain_text("The break begins")
    page.locator(".toast:visible button").click()
    expect(page.locator(".toast:visible")).to_contain_text("Final table")
    _offer(page)
    expect(page.locator("#offers .toast")).to_be_visible()
    for size in _windows(page, [(844, 390), (390, 844)]):
        assert len(boxes(page, ".toast")) == 1, size
        assert _meet(boxes(page, ".toast"), boxes(page, parts)) == [], size


def test_a_long_notice_is_cut_within_a_line(scene: Opened) -> None:
    page = scene("turn", width=390, height=844)
    _toast(page, "Dinner is served, and the break is as long as it takes. " * 5)
    for size in _windows(page, [(844, 390), (390, 844), (360, 640)]):
        lines = page.locator(".toast .what").evaluate(
            "(part) => part.clientHeight / parseFloat(getComputedStyle(part).lineHeight)"
        )
        assert 0.3 < lines % 1 < 0.7, (size, lines)


def test_a_banner_and_a_notice_cover_nothing(scene: Opened) -> None:
    page = scene("turn", width=390, height=844)
    page.evaluate(
        """() => {
          const banner = document.createElement("div");
          Object.assign(banner, { className: "line-banner", textContent: "Connection lost." });
          document.querySelector("header").after(banner);
        }"""
    )
    _toast(page, "Final table")
    parts = boxes(page, "header.top, .line-banner, .toast, .strip, .area, .action-panel")
    assert len(parts) == 6
    assert _meet_each_other(parts) == []


def _toast(page: Page, title: str) -> None:
    page.evaluate(
        "async (title) =>"
        " void (await import('/static/js/shared/toasts.js')).toast({ title, stays: 0 })",
        title,
    )
    # It slides in from above; its place is known at the end of that.
    page.evaluate(
        "Promise.all(document.querySelector('.toast').getAnimations().map((one) => one.finished))"
    )
    drawn(page)


def _offer(page: Page) -> None:
    offer: dict[str, Any] = {
        "tournament": 5,
        "name": "Friday",
        "offer": 1,
        "entry": 2,
        "chips": 1500,
        "price": 900,
        "fee": 50,
        "kind": "add_on",
    }
    page.evaluate(
        "async (offer) => (await import('/static/js/everywhere/offers.js'))"
        ".show({ ...offer, until_ms: Date.now() + 60000 })",
        offer,
    )
    drawn(page)


def test_a_phone_held_across_shows_everything_beside_its_camera(scene: Opened) -> None:
    page = scene("turn", width=844, height=390)
    tools = page.context.new_cdp_session(page)
    insets = {"left": 47, "right": 47, "bottom": 21, "top": 0}
    tools.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    drawn(page)
    parts = boxes(page, ".pod, .action-panel button, header a, .strip .fact, .tools > *")
    assert len(parts) > 20
    for box in parts:
        assert box["x"] >= 47 and box["x"] + box["width"] <= 844 - 47, box
    assert all(box["y"] + box["height"] <= 390 - 20 for box in boxes(page, ".verb"))
