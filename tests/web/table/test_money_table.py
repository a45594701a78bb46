"""Table that plays for money: stacks, buttons and typed amounts are written as money."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import browser
from tests.web.scenes import TURN, Opened, scene, sent

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


@pytest.mark.parametrize("typed", ["21.99", "98.45", "3.000", "22.001", "", "2200"])
def test_money_outside_of_the_limits_is_not_sent(page: Page, typed: str) -> None:
    page.locator(".amount").fill(typed)
    expect(page.locator(".verb.raise")).to_be_disabled()
    expect(page.locator(".sizing .hint")).to_have_text("From 22.00 to 98.44")
    page.locator(".amount").press("Enter")
    assert sent(page) == []
