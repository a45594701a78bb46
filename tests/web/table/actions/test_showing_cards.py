"""Buttons to show own cards after the hand: both or one, on any screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web import browsing
from tests.web.browsing import browser

__all__ = ["browser"]

Ended = Callable[..., Page]
SHOW = {"type": "show", "table": 3, "epoch": 1, "hand": 42}


@pytest.fixture
def ended(browser: tuple[Browser, str]) -> Iterator[Ended]:
    """Open a finished hand of the demo table in a window of a given width."""
    with browsing.windows(browser) as opened:

        def show(scene: str, *, width: int = 1280) -> Page:
            page = opened(f"table.html?scene={scene}&seats=9", size=(width, 700))
            page.wait_for_function("() => window.room?.model.moment.ended")
            _drawn(page)
            return page

        yield show


@pytest.mark.rule("S-02")
def test_a_winner_without_showdown_may_show_one_card_or_both(ended: Ended) -> None:
    page = ended("won")
    offered = page.get_by_role("group", name="Show my cards").get_by_role("button")
    expect(offered).to_have_text(["Show my cards", "A♠", "K♦"])
    for button, signs in zip(offered.all()[1:], ("A♠", "K♦"), strict=True):
        assert signs in (button.get_attribute("aria-label") or ""), "the name holds what is seen"
    page.get_by_role("button", name="Show only king of diamonds").press("Enter")
    assert _sent(page) == [SHOW | {"cards": "second"}]
    _all_see(page, ["??", "Kd"])
    left = page.locator(".show-cards button:visible")
    expect(left).to_have_text(["Show my cards"])
    left.click()
    assert _sent(page)[1:] == [SHOW | {"cards": "both"}]
    _all_see(page, ["As", "Kd"])
    expect(page.locator(".show-cards")).to_be_hidden()


@pytest.mark.rule("S-03")
def test_a_folded_player_gets_no_buttons_to_show_cards(ended: Ended) -> None:
    expect(ended("folded").get_by_role("button", name="Show my cards")).to_be_hidden()


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_buttons_to_show_cards_fit_the_action_panel_and_move_nothing(
    ended: Ended, width: int
) -> None:
    page = ended("won", width=width)
    panel = page.locator(".action-panel").bounding_box()
    buttons = page.locator(".show-cards button:visible").all()
    spots = [spot for button in buttons if (spot := button.bounding_box())]
    assert panel and len(spots) == len(buttons) == 3
    for spot in spots:
        assert spot["x"] >= 0 and spot["x"] + spot["width"] <= width
        assert spot["y"] >= panel["y"] and spot["y"] + spot["height"] <= 700
    for one, other in combinations(sorted(spots, key=lambda spot: spot["x"]), 2):
        assert one["x"] + one["width"] <= other["x"]
    _all_see(page, ["As", "Kd"])
    expect(page.locator(".show-cards")).to_be_hidden()
    assert page.locator(".action-panel").bounding_box() == panel


_MUCKED = [
    {"type": "cards_shown", "seat": 3, "cards": ["Qs", "Qc"], "made": "pair:Q"},
    {"type": "mucked", "seat": 5},
    {"type": "pot_awarded", "pot": 0, "amount": 900, "winners": [{"seat": 3, "amount": 900}]},
    {"type": "hand_ended", "hand": 42, "stacks": [{"seat": 3, "chips": 900}]},
]
_LATE = "(events) => room.model.snapshot({ ...room.model.state, log: events })"


@pytest.mark.rule("S-02")
@pytest.mark.parametrize("cards", [["Ac", "Ks"], ["Ac", "??"]], ids=["both", "one"])
@pytest.mark.parametrize("late", [False, True], ids=["at once", "opened later"])
def test_cards_that_are_shown_after_a_muck_lie_open_for_a_spectator(
    browser: tuple[Browser, str], cards: list[str], late: bool
) -> None:
    with browsing.windows(browser) as opened:
        page = opened("table.html?scene=watch&seats=9")
        page.wait_for_selector("poker-table .seat")
        page.evaluate("(events) => room.model.events(events)", _MUCKED)
        page.wait_for_function("() => room.model.moment.ended")
        _drawn(page)
        hand = page.locator(".seat[data-key='5'] .hand")
        expect(hand.locator(".card")).to_have_count(0)
        shown = {"type": "cards_shown", "seat": 5, "cards": cards, "made": "", "low": ""}
        page.evaluate("(event) => room.model.events([event])", shown)
        page.wait_for_function("() => room.model.moment.shown[5]")
        if late:
            page.evaluate(_LATE, [*_MUCKED, shown])
        expect(hand.locator(".card")).to_have_count(2)
        seen = [card.get_attribute("data-card") for card in hand.locator(".card").all()]
        assert seen == cards


def _sent(page: Page) -> list[dict[str, Any]]:
    sent = page.evaluate("() => window.sent ?? []")
    return [message for message in sent if message["type"] == "show"]


def _all_see(page: Page, cards: list[str]) -> None:
    event = {"type": "cards_shown", "seat": 4, "cards": cards, "made": ""}
    page.evaluate("(event) => room.model.events([event])", event)
    _drawn(page)


def _drawn(page: Page) -> None:
    for _ in range(3):
        page.evaluate("() => new Promise(requestAnimationFrame)")
