"""The table element follows mouse and keyboard and never sends an illegal action."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import browser
from tests.web.scenes import (
    TURN,
    Opened,
    apart,
    boxes,
    drawn,
    happens,
    scene,
    sent,
    turn,
    turn_comes,
)

__all__ = ["browser", "scene"]


def _choices(page: Page) -> list[dict[str, Any]]:
    told = page.evaluate("() => window.sent ?? []")
    return [message for message in told if message["type"] == "showdown"]


@pytest.mark.parametrize(
    ("button", "wanted"),
    [
        (".verb.fold", {"action": "fold"}),
        (".verb.call", {"action": "call"}),
        (".verb.raise", {"action": "raise", "amount": 2200}),
    ],
)
def test_a_button_sends_its_action_once_however_often_it_is_clicked(
    scene: Opened, button: str, wanted: dict[str, Any]
) -> None:
    page = scene("turn")
    page.locator(button).dblclick()
    assert sent(page) == [{"type": "act", **TURN, **wanted}]
    expect(page.locator(button)).to_be_disabled()


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        (["f"], {"action": "fold"}),
        (["c"], {"action": "call"}),
        (["Enter"], {"action": "raise", "amount": 2200}),
        (["ArrowUp", "ArrowUp", "ArrowDown", "Enter"], {"action": "raise", "amount": 2400}),
        (["4", "Enter"], {"action": "raise", "amount": 5900}),
        (["5", "Enter"], {"action": "raise", "amount": 9844}),
        (["r", "3", "0", "0", "0", "Enter"], {"action": "raise", "amount": 3000}),
        (["r", "f", "Escape", "f"], {"action": "fold"}),
    ],
)
def test_each_action_key_sends_its_action(
    scene: Opened, keys: list[str], wanted: dict[str, Any]
) -> None:
    page = scene("turn")
    for key in keys:
        page.keyboard.press(key)
    assert sent(page) == [{"type": "act", **TURN, **wanted}]


def test_a_key_that_is_held_down_does_not_act_again_in_the_next_turn(scene: Opened) -> None:
    page = scene("turn")
    page.keyboard.down("c")
    turn_comes(page, call=800)
    page.keyboard.down("c")
    assert [message["turn"] for message in sent(page)] == [9]
    page.keyboard.up("c")
    page.keyboard.press("c")
    assert [message["turn"] for message in sent(page)] == [9, 11]


@pytest.mark.parametrize(("name", "left"), [("turn", False), ("other", True)])
def test_arrow_keys_scroll_without_an_amount_to_set(scene: Opened, name: str, left: bool) -> None:
    page = scene(name)
    page.evaluate(
        "() => addEventListener('keydown', (key) => (window.used = key.defaultPrevented))"
    )
    page.keyboard.press("ArrowDown")
    assert page.evaluate("() => used") is not left


def test_the_time_bank_has_a_key_and_help_opens(scene: Opened) -> None:
    page = scene("turn")
    page.keyboard.press("t")
    assert sent(page) == [{"type": "time_bank", **TURN}]


def test_the_time_bank_is_asked_for_once_in_a_turn(scene: Opened) -> None:
    page = scene("turn")
    page.locator(".bank").dblclick()
    page.keyboard.press("t")
    assert sent(page) == [{"type": "time_bank", **TURN}]


def test_a_refused_time_bank_is_asked_for_again(scene: Opened) -> None:
    page = scene("turn")
    page.evaluate("() => (room.send = async () => ({ type: 'refused', code: 'line_lost' }))")
    for count in (1, 2):
        page.locator(".bank").click()
        expect(page.locator(".toast", has_text="nothing was sent")).to_have_count(count)


def test_the_slider_reads_out_its_amount(scene: Opened) -> None:
    page = scene("turn")
    slider = page.get_by_role("slider", name="Amount")
    expect(slider).to_have_attribute("aria-valuetext", "2,200")
    page.keyboard.press("3")
    expect(slider).to_have_attribute("aria-valuetext", "4,333")
    page.locator(".amount").fill("1")
    assert slider.get_attribute("aria-valuetext") is None


@pytest.mark.rule("S-02")
def test_the_showdown_choice_is_set_by_click_or_key_and_sent_at_every_new_seat(
    scene: Opened,
) -> None:
    page = scene("other")
    button = page.locator(".showdown")
    expect(button).to_have_text("Losing hands at showdown: show if required")
    button.click()
    expect(button).to_have_text("Losing hands at showdown: muck")
    page.keyboard.press("m")
    expect(button).to_have_text("Losing hands at showdown: show")
    assert [message["choice"] for message in _choices(page)] == ["auto", "muck", "show"]
    page = scene("other")
    expect(page.locator(".showdown")).to_have_text("Losing hands at showdown: show")
    happens(page, {"type": "seat_left", "seat": 4, "entry": 4, "reason": "moved"})
    expect(page.locator(".showdown")).to_be_hidden()
    happens(page, _seat_taken(5))
    expect(page.locator(".showdown")).to_be_visible()
    told = [{"type": "showdown", "table": 3, "choice": "show"}]
    assert _choices(page) == told * 2


def test_a_refused_showdown_choice_is_reverted(scene: Opened) -> None:
    page = scene("other")
    page.evaluate("() => (room.send = async () => ({ type: 'refused', code: 'line_lost' }))")
    page.locator(".showdown").click()
    expect(page.locator(".showdown")).to_have_text("Losing hands at showdown: show if required")
    expect(page.locator(".toast")).to_contain_text("nothing was sent")


def test_a_spectator_has_no_showdown_choice(scene: Opened) -> None:
    page = scene("watch")
    expect(page.locator(".showdown")).to_be_hidden()
    page.keyboard.press("m")
    assert _choices(page) == []


@pytest.mark.parametrize("typed", ["2199", "9845", ""])
def test_an_illegal_amount_cannot_be_sent(scene: Opened, typed: str) -> None:
    page = scene("turn")
    page.locator(".amount").fill(typed)
    expect(page.locator(".verb.raise")).to_be_disabled()
    expect(page.locator(".sizing .hint")).to_have_text("From 2,200 to 9,844")
    page.keyboard.press("Enter")
    assert sent(page) == []
    page.locator(".amount").blur()
    expect(page.locator(".amount")).to_have_value(typed)
    expect(page.locator(".sizing .hint")).to_have_text("From 2,200 to 9,844")
    expect(page.locator(".verb.raise")).to_be_disabled()
    page.keyboard.press("Enter")
    assert sent(page) == []


def test_presets_are_shares_of_the_pot_after_the_call(scene: Opened) -> None:
    page = scene("turn")
    # Pot 3,500 with a bet of 1,200 to call: 4,700 after the call.
    found = [button.get_attribute("title") for button in page.locator(".preset").all()]
    assert found == ["2,200 (1)", "3,550 (2)", "4,333 (3)", "5,900 (4)", "9,844 (5)"]


def test_before_the_flop_presets_are_multiples_of_the_highest_bet(scene: Opened) -> None:
    page = scene("start")
    found = [button.text_content() for button in page.locator(".preset").all()]
    assert found == ["Min", "2.2×", "2.5×", "3×", "All-in"]
    titles = [button.get_attribute("title") for button in page.locator(".preset").all()]
    assert titles == ["400 (1)", "440 (2)", "500 (3)", "600 (4)", "9,844 (5)"]


@pytest.mark.rule("H-08")
def test_the_pot_counts_antes_from_the_start(scene: Opened) -> None:
    page = scene("start")
    expect(page.locator(".total")).to_have_text("Pot 500")
    page.evaluate("() => room.model.snapshot(room.model.state)")
    expect(page.locator(".total")).to_have_text("Pot 500")


def test_an_advance_action_is_played_when_the_turn_comes_at_the_same_price(scene: Opened) -> None:
    page = scene("other")
    page.locator(".pre", has_text="Call 800").click()
    turn_comes(page, call=800)
    assert [message["action"] for message in sent(page)] == ["call"]


def test_an_advance_call_is_dropped_when_the_price_changes(scene: Opened) -> None:
    page = scene("other")
    page.locator(".pre", has_text="Call 800").click()
    happens(page, {"type": "raised", "seat": 5, "to": 2000, "amount": 2000})
    expect(page.locator(".pre[aria-pressed=true]")).to_have_count(0)
    turn_comes(page, call=2000)
    assert sent(page) == []
    expect(page.locator(".verb.call")).to_contain_text("2,000")


def test_check_or_fold_in_advance_folds_only_against_a_bet(scene: Opened) -> None:
    page = scene("other")
    page.locator(".pre", has_text="Check/Fold").click()
    turn_comes(page, call=800)
    assert [message["action"] for message in sent(page)] == ["fold"]


def test_an_advance_action_is_dropped_with_a_void_hand(scene: Opened) -> None:
    """The hand dealt in its place has its number, and may be the first that the page hears of."""
    page = scene("other")
    page.locator(".pre", has_text="Check/Fold").click()
    asked = turn(page, call=800)
    page.evaluate("(turn) => room.model.snapshot({ ...room.model.state, epoch: 2, turn })", asked)
    drawn(page)
    expect(page.locator(".verb.fold")).to_be_enabled()
    assert sent(page) == []


# State of a hidden window: it reports itself hidden and draws no frames.
_COVERED = """
  let covered = false;
  const frame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (draw) => frame((now) => covered || draw(now));
  Object.defineProperty(Document.prototype, "hidden", { get: () => covered });
  window.cover = () => {
    covered = true;
    document.dispatchEvent(new Event("visibilitychange"));
  };
"""


@pytest.mark.parametrize("order", [["cover", "turn"], ["turn", "cover"]])
def test_an_advance_action_is_played_in_a_hidden_window(scene: Opened, order: list[str]) -> None:
    page = scene("other", script=_COVERED)
    page.locator(".pre", has_text="Check/Fold").click()
    event = turn(page, call=800)
    page.evaluate(
        "([order, event]) => order.forEach((step) =>"
        " (step === 'cover' ? window.cover() : room.model.events([event])))",
        [order, event],
    )
    # Waits by the clock: a hidden window draws no frames to wait for.
    page.wait_for_function("() => sent.some((message) => message.type === 'act')", polling=50)
    assert [message["action"] for message in sent(page)] == ["fold"]


def test_an_absent_player_returns_with_one_button(scene: Opened) -> None:
    page = scene("away")
    page.get_by_role("button", name="I'm back").click()
    assert sent(page) == [{"type": "come_back", "table": 3}]


def test_a_spectator_has_no_action_buttons_and_sees_no_hole_cards(scene: Opened) -> None:
    page = scene("watch")
    expect(page.locator(".action-panel .status")).to_contain_text("You are watching")
    assert page.locator(".verb:visible, .pre:visible").count() == 0
    cards = page.locator(".seat .hand .card").all()
    assert {card.get_attribute("data-card") for card in cards} == {"??"}


def test_a_lost_connection_greys_the_table_and_hides_the_buttons(scene: Opened) -> None:
    page = scene("turn")
    expect(page.locator(".verb.fold")).to_be_visible()
    _line(page, "lost")
    expect(page.locator("poker-table[data-stale]")).to_have_count(1)
    expect(page.locator(".verb.fold")).to_be_hidden()
    page.keyboard.press("f")
    assert sent(page) == []


def test_a_typed_amount_survives_a_lost_connection(scene: Opened) -> None:
    page = scene("turn")
    page.keyboard.press("r")
    page.keyboard.type("5000")
    _line(page, "lost")
    expect(page.locator(".action-bar")).to_have_attribute("data-waits", "")
    page.keyboard.press("Enter")
    assert sent(page) == []
    _line(page, "back")
    expect(page.locator(".amount")).to_have_value("5000")
    page.keyboard.press("Enter")
    assert sent(page) == [{"type": "act", **TURN, "action": "raise", "amount": 5000}]


def test_an_unanswered_action_may_be_repeated_after_a_reconnect(scene: Opened) -> None:
    page = scene("turn")
    page.evaluate("() => (room.send = () => new Promise((say) => (window.answered = say)))")
    page.keyboard.press("f")
    _line(page, "lost")
    page.evaluate("() => answered({ type: 'refused', code: 'no_answer' })")
    _line(page, "back")
    expect(page.locator(".verb.fold")).to_be_enabled()
    expect(page.locator(".toast")).to_contain_text("look at the table before you act again")


def test_a_late_refusal_does_not_unlock_the_next_turn(scene: Opened) -> None:
    page = scene("turn")
    page.evaluate("() => (room.send = () => new Promise((say) => (window.answered ??= say)))")
    page.keyboard.press("c")
    turn_comes(page, call=800)
    page.keyboard.press("c")
    page.evaluate("() => answered({ type: 'refused', code: 'no_answer' })")
    expect(page.locator(".toast")).to_have_count(1)
    expect(page.locator(".verb.call")).to_be_disabled()


# Records the number of visible board cards at each change.
_BOARDS = """
  window.boards = [];
  new MutationObserver(() => {
    const count = document.querySelectorAll(".board .card").length;
    if (count !== boards.at(-1)) boards.push(count);
  }).observe(document, { childList: true, subtree: true });
"""


def test_a_run_out_is_shown_street_by_street_and_ends_with_its_result(scene: Opened) -> None:
    page = scene("showdown", script=_BOARDS)
    expect(page.locator(".board .card")).to_have_count(5)
    assert page.evaluate("boards") == [0, 3, 4, 5]
    expect(page.locator(".tag[data-kind=made]")).to_have_text("two pair, aces and kings")
    expect(page.locator(".seat[data-me] .gain")).to_have_text("+20,300")
    expect(page.locator(".lines")).to_contain_text("wins 6,000 (side pot 1)")


@pytest.mark.parametrize("seats", [2, 6, 9, 10])
def test_every_seat_is_on_the_screen_and_overlaps_no_other(scene: Opened, seats: int) -> None:
    page = scene("start" if seats > 3 else "waiting", seats=seats)
    for width, height in [(390, 844), (360, 640), (1280, 800), (1920, 1080)]:
        page.set_viewport_size({"width": width, "height": height})
        drawn(page)
        pods = boxes(page, ".pod")
        assert len(pods) == len([number for number in range(1, seats + 1) if number != 6])
        for index, box in enumerate(pods):
            assert box["x"] >= 0, (width, box)
            assert box["x"] + box["width"] <= width + 0.5, (width, box)
            assert box["y"] >= 0
            assert all(apart(box, other) for other in pods[index + 1 :]), (width, box)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def _line(page: Page, state: str) -> None:
    """Tell the table that the connection was lost or restored."""
    page.evaluate(
        "(stale) => { room.model.stale = stale; room.model.dispatchEvent(new Event('change')) }",
        state == "lost",
    )
    drawn(page)


def _seat_taken(seat: int) -> dict[str, Any]:
    """Seat the player of the demo again, with another entry."""
    return {
        "type": "seat_taken",
        "seat": seat,
        "entry": 90 + seat,
        "user": 14,
        "name": "Dörte",
        "chips": 5000,
        "bank_ms": 0,
        "absent": False,
    }


@pytest.mark.parametrize("typed", ["f", "3k"])
def test_letters_in_the_amount_are_refused_where_they_are_typed(scene: Opened, typed: str) -> None:
    page = scene("turn")
    page.keyboard.press("r")
    page.locator(".amount").fill("3000")
    page.keyboard.type(typed)
    digits = "".join(char for char in typed if char in "0123456789 ")
    expect(page.locator(".amount")).to_have_value("3000" + digits)
    expect(page.locator(".sizing .hint")).to_contain_text("Digits only.")
    assert sent(page) == [], "a letter in the amount field is no game key"
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    assert [message["action"] for message in sent(page)] == ["fold"]
