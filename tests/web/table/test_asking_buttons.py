"""Buttons that buy or leave at the table ask first, and take no answer that was not meant."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.browsing import browser, stand_still
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
        "async (stack) => (await import('/static/js/leave_button.js')).offerLeaving(5, stack)",
        stack,
    )


@pytest.mark.parametrize("size", [DESK, PHONE])
@pytest.mark.parametrize("name", ["turn", "other"])
def test_the_button_to_buy_lies_on_no_other_button_and_says_all_it_asks(
    scene: Opened, name: str, size: Size
) -> None:
    page = scene(name, width=size[0], height=size[1])
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
    assert page.locator(".area").bounding_box() == area, "the table keeps its place"


def test_the_second_tap_of_a_stray_double_tap_on_a_phone_buys_nothing(scene: Opened) -> None:
    page = scene("turn", width=PHONE[0], height=PHONE[1])
    asked = posts(page)
    offer_rebuy(page, REBUY)
    place = middle(page, ".rebuy")
    page.mouse.dblclick(*place)
    page.mouse.click(*place)
    assert asked == []
    assert sent(page) == []


def test_a_double_click_asks_and_buys_nothing(scene: Opened) -> None:
    page = scene("turn")
    asked = posts(page)
    offer_rebuy(page, REBUY)
    page.locator(".rebuy").dblclick()
    expect(page.locator(".rebuy")).to_contain_text("sure?")
    assert asked == []


def test_a_question_nobody_answered_is_not_answered_by_a_click_much_later(scene: Opened) -> None:
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


def test_a_question_is_over_with_a_tap_elsewhere_where_buttons_take_no_focus(
    scene: Opened,
) -> None:
    page = scene("turn")
    offer_rebuy(page, REBUY)
    # As Safari does: a button that is tapped does not get the focus by that.
    page.evaluate(
        "() => addEventListener('mousedown',"
        " (event) => event.target.closest('button') && event.preventDefault())"
    )
    page.locator(".rebuy").click()
    expect(page.locator(".rebuy")).to_be_focused()
    page.locator(".area").click(position={"x": 5, "y": 5})
    expect(page.locator(".rebuy")).to_have_text("Buy 1,500 chips for 9.50")


@pytest.mark.parametrize("wait", [False, True])
def test_who_asked_to_leave_and_then_raises_with_the_keyboard_raises(
    scene: Opened, wait: bool
) -> None:
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


def test_a_question_stands_while_the_room_says_the_same_again(scene: Opened) -> None:
    page = scene("other")
    asked = posts(page)
    stand_still(page)
    offer_rebuy(page, REBUY)
    page.locator(".rebuy").click()
    for _ in range(2):
        offer_rebuy(page, REBUY)
    offer_rebuy(page, {**REBUY, "entry": 3})
    expect(page.locator(".rebuy")).to_contain_text("sure?")
    expect(page.locator(".rebuy")).to_be_focused()
    page.locator(".rebuy").click()
    expect(page.locator(".toast")).to_contain_text("Done.")
    assert len(asked) == 1


def test_a_purchase_under_way_cannot_be_made_again(scene: Opened) -> None:
    page = scene("other")
    asked = posts(page, lambda route: None)
    stand_still(page)
    offer_rebuy(page, REBUY)
    page.locator(".rebuy").click()
    page.locator(".rebuy").click()
    expect(page.locator(".rebuy")).to_be_disabled()
    offer_rebuy(page, REBUY)
    expect(page.locator(".rebuy")).to_have_count(1)
    expect(page.locator(".rebuy")).to_be_disabled()
    assert len(asked) == 1


def test_what_is_offered_no_more_goes_even_while_it_asks(scene: Opened) -> None:
    page = scene("other")
    offer_rebuy(page, REBUY)
    _leaving(page, 1500)
    page.locator(".leave").click()
    _leaving(page, None)
    expect(page.locator(".leave")).to_have_count(0)
    page.locator(".rebuy").click()
    offer_rebuy(page, None)
    expect(page.locator(".rebuy")).to_have_count(0)


def test_a_button_that_is_gone_when_the_answer_comes_does_not_come_back(scene: Opened) -> None:
    page = scene("other")
    held: list[Route] = []
    posts(page, held.append)
    stand_still(page)
    offer_rebuy(page, REBUY)
    _leaving(page, 1500)
    for button in (".leave", ".rebuy"):
        page.locator(button).click()
        page.locator(button).click()
        expect(page.locator(button)).to_be_disabled()
    offer_rebuy(page, None)
    _leaving(page, None)
    for route in held:
        route.fulfill(json={"ok": False, "code": "x", "message": "You play no more."})
    expect(page.locator(".toast")).to_have_count(2)
    expect(page.locator(".leave, .rebuy")).to_have_count(0)
