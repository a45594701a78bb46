"""Table that plays for money: stacks, buttons and typed amounts are written as money."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import browser
from tests.web.scenes import TURN, Opened, happens, scene, sent

__all__ = ["browser", "scene"]

_FOR_MONEY = (
    "document.addEventListener('readystatechange', () => document.body.dataset.chips = 'money')"
)
LEAST, MOST = 22_00, 98_44
"""The least and the largest raise of the scene, in cents."""


@pytest.fixture
def page(scene: Opened) -> Page:
    """Own turn at a table for money."""
    return scene("turn", script=_FOR_MONEY)


def test_chips_are_written_as_money(page: Page) -> None:
    chips = page.evaluate("() => room.model.seat.chips")
    expect(page.locator(".seat[data-me] .stack")).to_have_text(f"{chips / 100:,.2f}")
    expect(page.locator(".verb.raise .sum")).to_have_text("22.00")
    expect(page.locator(".amount")).to_have_value("22.00")
    expect(page.locator(".amount")).to_have_attribute("inputmode", "decimal")


@pytest.mark.parametrize(
    ("typed", "cents"), [("30", 30_00), ("30.5", 30_50), ("30,55", 30_55), ("98.44", MOST)]
)
def test_a_raise_is_typed_in_money_and_sent_in_cents(page: Page, typed: str, cents: int) -> None:
    page.locator(".amount").fill(typed)
    page.locator(".amount").press("Enter")
    assert sent(page) == [{"type": "act", **TURN, "action": "raise", "amount": cents}]


def test_money_outside_of_the_limits_is_not_sent(page: Page) -> None:
    for typed in ("21.99", "98.45", "3.000", "22.001", "", "2200"):
        page.locator(".amount").fill("30")
        expect(page.locator(".verb.raise")).to_be_enabled()
        page.locator(".amount").fill(typed)
        expect(page.locator(".verb.raise")).to_be_disabled()
        expect(page.locator(".sizing .hint")).to_have_text("From 22.00 to 98.44")
        page.locator(".amount").press("Enter")
        assert sent(page) == [], typed


def test_the_slider_moves_in_small_blinds_between_the_limits(page: Page) -> None:
    small = page.evaluate("() => room.model.state.stakes.small_blind")
    amounts = []
    for place in (0, 1, 137, 500, 777, 999, 1_000):
        page.locator(".dial input[type=range]").evaluate(
            "(node, place) => { node.value = place; node.dispatchEvent(new Event('input')); }",
            place,
        )
        amounts.append(round(float(page.locator(".amount").input_value()) * 100))
    assert (amounts[0], amounts[-1]) == (LEAST, MOST) and small > 1
    assert all(amount % small == 0 or amount in (LEAST, MOST) for amount in amounts), amounts
    assert amounts == sorted(amounts) and len(set(amounts)) >= 5


def test_words_of_a_table_for_money_name_no_chips_and_no_level(page: Page) -> None:
    own = page.locator(".seat[data-me]")
    label = own.get_attribute("aria-label") or ""
    assert "chips" not in label and own.locator(".stack").inner_text() in label
    expect(page.locator(".amount")).to_have_attribute("aria-label", "Amount")
    page.get_by_role("button", name="In BB").click()
    expect(page.get_by_role("button", name="As money")).to_be_visible()
    expect(page.locator(".strip .fact").first).to_be_hidden()
    stakes = {"small_blind": 50, "big_blind": 100, "ante_kind": "none", "ante": 0}
    happens(page, {"type": "level_began", "level": 1, "stakes": stakes})
    expect(page.locator(".log li").last).to_have_text("Blinds 0.50/1.00")


@pytest.mark.rule("R-02")
def test_the_rake_is_beside_a_pot_without_it(page: Page) -> None:
    pot = page.locator(".total")
    before = round(float(pot.inner_text().removeprefix("Pot ").replace(",", "")) * 100)
    pots = [{"amount": before, "seats": [1, 2]}]
    happens(page, {"type": "bets_collected", "pots": pots})
    happens(page, {"type": "rake_taken", "amount": 25})
    expect(pot).to_have_text(f"Pot {(before - 25) / 100:,.2f} · Rake 0.25")
    expect(page.locator(".log li").last).to_have_text("The room takes 0.25 of the pot")


@pytest.mark.rule("X-03")
def test_a_lost_connection_is_shown_with_its_seconds(page: Page) -> None:
    turn = page.evaluate("() => room.model.turn")
    event = {"type": "disconnect_time_started", "seat": turn["seat"], "turn": turn["turn"]}
    happens(page, event | {"deadline_ms": turn["deadline_ms"] + 30_000})
    seat = page.locator(".seat[data-turn]")
    expect(seat.locator(".tag")).to_have_text("Connection lost")
    expect(seat.locator(".seconds")).to_be_visible()
    expect(page.locator(".log li").last).to_contain_text("lost the connection: 30 s more")


@pytest.mark.rule("H-07")
def test_a_seat_that_is_not_dealt_waits(page: Page) -> None:
    other = page.evaluate(
        "() => room.model.state.seats.find((seat) => seat.seat !== room.model.seat.seat)"
    )
    happens(page, {"type": "seat_left", "seat": other["seat"], "reason": "left"})
    newcomer = {"entry": 900, "user": 900, "name": "nora", "chips": 10_000}
    happens(page, {"type": "seat_taken", "seat": other["seat"], **newcomer})
    happens(page, {"type": "dealt_out", "seat": other["seat"]})
    seat = page.locator(".seat[data-waiting]")
    expect(seat.locator(".name")).to_have_text("nora")
    expect(seat.locator(".tag")).to_have_text("Waits")
    happens(page, {"type": "dealt_in", "seat": other["seat"]})
    expect(seat).to_have_count(0)
