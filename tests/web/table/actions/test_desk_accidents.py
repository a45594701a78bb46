"""Offers and amounts at the action panel: no accidental purchase and no accidental raise."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import browser
from tests.web.scenes import (
    REBUY,
    Opened,
    drawn,
    happens,
    lies_off_the_buttons,
    middle,
    offer_rebuy,
    posts,
    scene,
    sent,
    show_offer,
    turn_comes,
)
from tests.web.visiting import DESK, PHONE

__all__ = ["browser", "scene"]


def test_an_offer_covers_no_button_of_the_action_panel(scene: Opened) -> None:
    page = scene("turn")
    offer_rebuy(page, REBUY)
    show_offer(page)
    for width, height in (DESK, PHONE, (844, 390), (1024, 600)):
        page.set_viewport_size({"width": width, "height": height})
        drawn(page)
        lies_off_the_buttons(page, "#offers .toast")
        panel = page.locator("#offers .toast").bounding_box()
        assert panel is not None and panel["height"] < height / 2
        assert panel["x"] + panel["width"] <= width


def test_an_offer_on_a_phone_away_from_a_table_stays_at_the_foot(scene: Opened) -> None:
    page = scene("turn", width=PHONE[0], height=PHONE[1])
    page.evaluate("() => document.body.classList.remove('at-table')")
    show_offer(page)
    panel = page.locator("#offers .toast").bounding_box()
    assert panel is not None and panel["height"] < 250
    assert panel["y"] + panel["height"] > PHONE[1] - 40


def test_pressing_raise_never_changes_an_illegal_amount(
    scene: Opened,
) -> None:
    page = scene("turn")
    page.locator(".amount").fill("50000")
    page.mouse.move(*middle(page, ".verb.raise"))
    page.mouse.down()
    expect(page.locator(".verb.raise")).to_be_disabled()
    expect(page.locator(".verb.raise .sum")).to_have_text("–")
    page.mouse.up()
    assert sent(page) == []
    expect(page.locator(".amount")).to_have_value("50000")


@pytest.mark.parametrize("part", [".lines", ".dial input[type=range]"])
def test_enter_confirms_while_no_button_has_the_focus(scene: Opened, part: str) -> None:
    page = scene("turn")
    page.locator(part).focus()
    expect(page.locator(part)).to_be_focused()
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    assert [message["amount"] for message in sent(page)] == [4333]


def test_enter_on_the_focused_hand_log_sends_nothing_until_a_game_key_is_pressed(
    scene: Opened,
) -> None:
    page = scene("turn")
    page.locator(".log .lines").focus()
    page.keyboard.press("Enter")
    assert sent(page) == []
    page.keyboard.press("c")
    assert [message["action"] for message in sent(page)] == ["call"]


def test_the_key_of_the_time_bank_does_nothing_while_its_button_is_not_offered(
    scene: Opened,
) -> None:
    page = scene("turn")
    happens(page, {"type": "time_bank_started", "seat": 4, "deadline_ms": 9_999_999_999_999})
    expect(page.locator(".bank")).to_be_hidden()
    page.keyboard.press("t")
    turn_comes(page, call=800)
    expect(page.locator(".bank")).to_be_hidden()
    page.keyboard.press("t")
    assert sent(page) == []


def test_enter_presses_the_focused_button_until_a_game_key_is_pressed(
    scene: Opened,
) -> None:
    page = scene("turn")
    unit = page.locator(".tools button", has_text="In BB")
    unit.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".tools button", has_text="In chips")).to_be_focused()
    assert sent(page) == []
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    assert [message["amount"] for message in sent(page)] == [4333]
    expect(page.locator(".tools button", has_text="In chips")).to_be_visible()


def test_an_offer_with_the_focus_lets_the_player_play_on_but_not_by_enter_alone(
    scene: Opened,
) -> None:
    page = scene("other")
    asked = posts(page)
    show_offer(page)
    expect(page.locator("#offers .toast")).to_be_focused()
    turn_comes(page, call=800)
    page.keyboard.press("Enter")
    assert sent(page) == []
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    assert [message["action"] for message in sent(page)] == ["raise"]
    assert asked == []


def test_enter_twice_on_an_offer_buys_once_and_raises_nothing(scene: Opened) -> None:
    page = scene("turn")
    asked = posts(page, lambda route: None)
    show_offer(page)
    page.get_by_role("button", name="Buy", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Buy", exact=True)).to_be_disabled()
    happens(page, {"type": "street_dealt", "street": "turn", "cards": ["2c"]})
    page.keyboard.press("Enter")
    assert len(asked) == 1
    assert sent(page) == []


def test_an_offer_is_read_out_by_its_question(scene: Opened) -> None:
    page = scene("other")
    show_offer(page)
    expect(page.get_by_role("alertdialog", name="Add-on?")).to_be_visible()


def _silence(page: Page, is_silent: bool) -> None:
    """Let the connection of the page fall silent, or answer again."""
    page.evaluate(
        "(isSilent) => { room.model.stale = isSilent;"
        " room.model.dispatchEvent(new Event('change')); }",
        is_silent,
    )
    drawn(page)


def test_an_amount_is_typed_on_while_the_room_is_silent(scene: Opened) -> None:
    page = scene("turn")
    page.keyboard.press("r")
    page.keyboard.type("3")
    _silence(page, True)
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    assert sent(page) == []
    _silence(page, False)
    page.keyboard.type("00")
    page.keyboard.press("Enter")
    assert [message["amount"] for message in sent(page)] == [3500]


def test_enter_folds_by_the_focused_button_after_a_silence(scene: Opened) -> None:
    page = scene("turn")
    page.locator(".verb.fold").focus()
    _silence(page, True)
    page.keyboard.press("Enter")
    assert sent(page) == []
    _silence(page, False)
    page.keyboard.press("Enter")
    assert [message["action"] for message in sent(page)] == ["fold"]


def test_a_silent_room_hides_the_buttons_without_the_focus(scene: Opened) -> None:
    page = scene("turn")
    _silence(page, True)
    expect(page.locator(".verb.fold")).to_be_hidden()


def test_enter_at_the_end_of_a_focused_advance_action_raises_nothing(scene: Opened) -> None:
    page = scene("other")
    page.locator(".pre", has_text="Check/Fold").focus()
    turn_comes(page, call=800)
    page.keyboard.press("Enter")
    assert sent(page) == []
    expect(page.get_by_role("group", name="Your turn", exact=True)).to_be_focused()
    page.keyboard.press("f")
    assert [message["action"] for message in sent(page)] == ["fold"]


def test_a_call_for_the_last_chips_says_that_it_is_all_in(scene: Opened) -> None:
    page = scene("other")
    call = page.locator(".pre-actions button", has_text="Call")
    expect(call).to_have_text("Call 800")
    happens(page, {"type": "raised", "seat": 5, "to": 9_344, "amount": 9_344})
    expect(call).to_have_text("Call 9,344 – all-in")
    turn_comes(page, call=9_344)
    expect(page.locator(".verb.call")).to_have_text("CCall – all-in9,344")
    turn_comes(page, call=9_343)
    expect(page.locator(".verb.call")).to_have_text("CCall9,343")
