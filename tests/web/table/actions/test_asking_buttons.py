"""Buttons to buy or leave at the table ask for confirmation and ignore accidental answers."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.browsing import GESTURE_MS, browser, confirm, stand_still
from tests.web.scenes import (
    REBUY,
    TURN,
    Opened,
    Size,
    lies_off_the_buttons,
    middle,
    offer_rebuy,
    posts,
    scene,
    sent,
)
from tests.web.visiting import DESK, PHONE

__all__ = ["browser", "scene"]


def _leaving(page: Page, stack: int | None) -> None:
    page.evaluate(
        "async (stack) =>"
        " (await import('/static/js/table/seat/leave_button.js')).offerLeaving(5, stack)",
        stack,
    )


@pytest.mark.parametrize("size", [DESK, PHONE])
@pytest.mark.parametrize("name", ["turn", "other"])
def test_the_buy_button_covers_no_other_button_and_shows_its_whole_question(
    scene: Opened, name: str, size: Size
) -> None:
    page = scene(name, width=size[0], height=size[1])
    stand_still(page)  # the turn of the scene does not end while a slow page is measured
    area = page.locator(".area").bounding_box()
    offer_rebuy(page, REBUY)
    button = page.locator(".rebuy")
    expect(button).to_have_text("Buy 1,500 chips for 9.50")
    lies_off_the_buttons(page, ".rebuy")
    button.click()
    expect(button).to_have_text("Buy 1,500 chips for 9.50: sure?")
    lies_off_the_buttons(page, ".rebuy")
    assert button.evaluate("(node) => node.scrollWidth <= node.clientWidth")
    box = button.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= size[0]
    assert page.locator(".area").bounding_box() == area, "the table keeps its position"


def test_the_second_tap_of_a_stray_double_tap_on_a_phone_buys_nothing(scene: Opened) -> None:
    page = scene("turn", width=PHONE[0], height=PHONE[1])
    asked = posts(page)
    offer_rebuy(page, REBUY)
    place = middle(page, ".rebuy")
    page.mouse.dblclick(*place)
    expect(page.locator(".rebuy")).to_contain_text("sure?")
    page.wait_for_timeout(300)  # a purchase would have been asked for by now
    assert asked == []
    assert sent(page) == []


@pytest.mark.parametrize("clicks", [2, 3, 5])
def test_clicks_of_one_gesture_ask_and_buy_nothing(scene: Opened, clicks: int) -> None:
    page = scene("turn")
    asked = posts(page)
    stand_still(page)
    offer_rebuy(page, REBUY)
    for _ in range(clicks):
        page.locator(".rebuy").click()
        page.clock.run_for(300)
    expect(page.locator(".rebuy")).to_contain_text("sure?")
    assert asked == []
    page.clock.run_for(GESTURE_MS)
    page.locator(".rebuy").click()
    expect(page.locator(".toast")).to_contain_text("Done.")
    assert len(asked) == 1


def test_a_held_key_asks_and_buys_nothing(scene: Opened) -> None:
    page = scene("other")
    asked = posts(page)
    stand_still(page)
    offer_rebuy(page, REBUY)
    page.locator(".rebuy").focus()
    for pause in (500, 30, 30, 30):
        page.keyboard.down("Enter")  # repeated while it is held
        page.clock.run_for(pause)
    page.keyboard.up("Enter")
    expect(page.locator(".rebuy")).to_contain_text("sure?")
    assert asked == []


def test_an_unanswered_question_expires_before_a_later_click(scene: Opened) -> None:
    page = scene("turn")
    asked = posts(page)
    stand_still(page)
    offer_rebuy(page, REBUY)
    page.locator(".rebuy").click()
    expect(page.locator(".rebuy")).to_contain_text("sure?")
    page.clock.fast_forward(6_000)
    expect(page.locator(".rebuy")).to_have_text("Buy 1,500 chips for 9.50")
    page.locator(".rebuy").click()
    expect(page.locator(".rebuy")).to_contain_text("sure?")
    assert asked == []


def test_a_tap_elsewhere_ends_a_question_where_buttons_take_no_focus(
    scene: Opened,
) -> None:
    page = scene("turn")
    offer_rebuy(page, REBUY)
    # As in Safari, where a tapped button does not get the focus.
    page.evaluate(
        "() => addEventListener('mousedown',"
        " (event) => event.target.closest('button') && event.preventDefault())"
    )
    page.locator(".rebuy").click()
    expect(page.locator(".rebuy")).to_be_focused()
    page.locator(".area").click(position={"x": 5, "y": 5})
    expect(page.locator(".rebuy")).to_have_text("Buy 1,500 chips for 9.50")


@pytest.mark.parametrize("wait", [False, True])
def test_a_raise_by_keyboard_after_asking_to_leave_raises(scene: Opened, wait: bool) -> None:
    page = scene("turn")
    asked = posts(page)
    if wait:
        page.clock.install()
    _leaving(page, 1500)
    page.locator(".leave").click()
    expect(page.locator(".leave")).to_contain_text("sure?")
    if wait:
        page.clock.fast_forward(6_000)
    page.keyboard.press("3")
    expect(page.locator(".leave")).to_have_text("Leave: 15.00")
    page.keyboard.press("Enter")
    assert sent(page) == [{"type": "act", **TURN, "action": "raise", "amount": 4333}]
    assert asked == []


def test_a_question_stays_open_when_the_server_repeats_the_same_state(scene: Opened) -> None:
    page = scene("other")
    asked = posts(page)
    stand_still(page)
    offer_rebuy(page, REBUY)
    page.locator(".rebuy").click()
    for _ in range(2):
        offer_rebuy(page, REBUY)
    offer_rebuy(page, {**REBUY, "entry": 3})
    page.clock.run_for(GESTURE_MS)
    expect(page.locator(".rebuy")).to_contain_text("sure?")
    expect(page.locator(".rebuy")).to_be_focused()
    page.locator(".rebuy").click()
    expect(page.locator(".toast")).to_contain_text("Done.")
    assert len(asked) == 1


def test_a_pending_purchase_cannot_be_sent_twice(scene: Opened) -> None:
    page = scene("other")
    asked = posts(page, lambda route: None)
    stand_still(page)
    offer_rebuy(page, REBUY)
    confirm(page, ".rebuy", still=True)
    expect(page.locator(".rebuy")).to_be_disabled()
    offer_rebuy(page, REBUY)
    expect(page.locator(".rebuy")).to_have_count(1)
    expect(page.locator(".rebuy")).to_be_disabled()
    assert len(asked) == 1


def test_a_withdrawn_offer_disappears_even_while_its_question_is_open(scene: Opened) -> None:
    page = scene("other")
    offer_rebuy(page, REBUY)
    _leaving(page, 1500)
    page.locator(".leave").click()
    _leaving(page, None)
    expect(page.locator(".leave")).to_have_count(0)
    page.locator(".rebuy").click()
    offer_rebuy(page, None)
    expect(page.locator(".rebuy")).to_have_count(0)


def test_a_button_removed_before_the_answer_arrives_stays_removed(scene: Opened) -> None:
    page = scene("other")
    held: list[Route] = []
    posts(page, held.append)
    stand_still(page)
    offer_rebuy(page, REBUY)
    _leaving(page, 1500)
    for button in (".leave", ".rebuy"):
        confirm(page, button, still=True)
        expect(page.locator(button)).to_be_disabled()
    offer_rebuy(page, None)
    _leaving(page, None)
    for route in held:
        route.fulfill(status=409, json={"code": "x", "detail": "You play no more."})
    expect(page.locator(".toast")).to_have_count(2)
    expect(page.locator(".leave, .rebuy")).to_have_count(0)
