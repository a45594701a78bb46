"""Advance actions and action buttons share one place: no click plays a button that just moved under
the pointer.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import browser
from tests.web.scenes import Opened, middle, scene, sent, turn

__all__ = ["browser", "scene"]

CALLED = {"type": "called", "seat": 4, "amount": 1200}
RAISED = {"type": "raised", "seat": 5, "to": 2000, "amount": 2000}
# Shortest time a person needs to see a changed button under the pointer.
SEEN_MS = 400


def _standing(page: Page) -> None:
    """Stop the page's clock; only the test advances it."""
    page.clock.install()
    page.clock.pause_at(page.evaluate("() => Date.now() + 1000"))


def _comes(page: Page, *events: dict[str, Any]) -> None:
    """Give the page events of the room and wait until they are drawn."""
    page.evaluate("(events) => room.model.events(events)", list(events))
    page.clock.run_for(50)


def _second_click(page: Page, button: str) -> None:
    """Send the second click of a double click to the button now under the pointer."""
    page.mouse.move(*middle(page, button))
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)


def test_a_click_on_an_advance_action_does_not_play_the_turn_that_begins(scene: Opened) -> None:
    page = scene("other")
    _standing(page)
    _comes(page, turn(page, call=800))
    page.mouse.click(*middle(page, ".verb.call"))
    assert sent(page) == []
    page.clock.run_for(SEEN_MS)
    page.mouse.click(*middle(page, ".verb.call"))
    assert [message["action"] for message in sent(page)] == ["call"]


def test_a_double_click_on_an_action_button_selects_no_advance_action(scene: Opened) -> None:
    page = scene("turn")
    _standing(page)
    page.mouse.click(*middle(page, ".verb.call"))
    _comes(page, CALLED)
    _comes(page, {**turn(page, call=0), "seat": 5})
    _second_click(page, ".pre:visible >> nth=0")
    expect(page.locator(".pre[aria-pressed=true]")).to_have_count(0)
    page.clock.run_for(SEEN_MS)
    page.mouse.click(*middle(page, ".pre:visible >> nth=0"))
    expect(page.locator(".pre[aria-pressed=true]")).to_have_count(1)
    assert [message["action"] for message in sent(page)] == ["call"]


def test_a_double_click_plays_one_turn_when_the_next_turn_follows_at_once(scene: Opened) -> None:
    page = scene("turn")
    _standing(page)
    page.mouse.click(*middle(page, ".verb.call"))
    _comes(page, CALLED, turn(page, call=3000))
    _second_click(page, ".verb.call")
    assert [message["turn"] for message in sent(page)] == [9]


def test_a_price_that_changes_during_a_press_is_not_selected(scene: Opened) -> None:
    page = scene("other")
    _standing(page)
    page.mouse.move(*middle(page, ".pre:has-text('Call 800')"))
    page.mouse.down()
    _comes(page, RAISED, {**turn(page, call=0), "seat": 9})
    expect(page.locator(".pre:has-text('Call 2,000')")).to_be_visible()
    page.clock.run_for(2_000)
    page.mouse.up()
    expect(page.locator(".pre[aria-pressed=true]")).to_have_count(0)
    page.mouse.click(*middle(page, ".pre:has-text('Call 2,000')"))
    expect(page.locator(".pre[aria-pressed=true]")).to_have_text("Call 2,000")


def test_an_advance_action_of_one_street_does_not_play_the_next(scene: Opened) -> None:
    page = scene("turn")
    _standing(page)
    page.mouse.click(*middle(page, ".verb.call"))
    _comes(page, CALLED, {**turn(page, call=0), "seat": 5})
    page.clock.run_for(SEEN_MS)
    page.mouse.click(*middle(page, ".pre:has-text('Check/Fold')"))
    expect(page.locator(".pre[aria-pressed=true]")).to_have_count(1)
    option = {"check": True, "call": None, "bet_min": 200, "bet_max": 8_144}
    street = {"type": "street_dealt", "street": "turn", "cards": ["Kh"]}
    pots = {"type": "bets_collected", "pots": [{"amount": 4_700, "seats": [3, 4, 5]}]}
    _comes(page, pots, street, {**turn(page, call=0), "option": option})
    expect(page.locator(".verb.call")).to_have_text("CCheck")
    assert [message["action"] for message in sent(page)] == ["call"]


@pytest.mark.parametrize("key", ["c", "Enter", "Space"])
def test_keys_play_the_turn_from_its_first_moment(scene: Opened, key: str) -> None:
    page = scene("other")
    _standing(page)
    _comes(page, turn(page, call=800))
    if key != "c":
        page.locator(".verb.call").focus()
    page.keyboard.press(key)
    assert [message["action"] for message in sent(page)] == ["call"]


def test_a_click_without_pointer_plays_after_the_turn_is_shown(scene: Opened) -> None:
    """A screen reader clicks a button without a press of a pointer."""
    page = scene("other")
    _standing(page)
    page.mouse.click(*middle(page, ".pre:visible >> nth=0"))
    page.mouse.click(*middle(page, ".pre:visible >> nth=0"))
    _comes(page, turn(page, call=800))
    page.clock.run_for(SEEN_MS)
    page.evaluate(
        "() => document.querySelector('.verb.call')"
        ".dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))"
    )
    assert [message["action"] for message in sent(page)] == ["call"]


@pytest.mark.parametrize(
    ("name", "size", "button", "event"),
    [
        ("other", (1280, 800), "button:has-text('Sit out')", {"type": "sat_out", "seat": 4}),
        ("other", (390, 844), "button:has-text('Sit out')", {"type": "sat_out", "seat": 4}),
        ("turn", (844, 390), ".bank", {"type": "time_bank_started", "seat": 4, "turn": 9}),
    ],
)
def test_a_double_click_on_a_tool_presses_no_other_that_moves_there(
    scene: Opened, name: str, size: tuple[int, int], button: str, event: dict[str, Any]
) -> None:
    page = scene(name, width=size[0], height=size[1])
    _standing(page)
    place = middle(page, f".tools {button}")
    page.mouse.click(*place)
    _comes(page, event | {"deadline_ms": page.evaluate("() => Date.now() + 60000")})
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    choice = page.locator(".showdown .choice")
    expect(choice).to_have_text("show if required")
    page.clock.run_for(SEEN_MS)
    page.mouse.click(*middle(page, ".showdown"))
    expect(choice).to_have_text("muck")
