"""Word at a seat that names its last action."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browsing import browser
from tests.web.scenes import Opened, happens, scene

__all__ = ["browser", "scene"]

_BEGAN = {
    "type": "hand_began",
    "hand": 43,
    "variant": "holdem",
    "limit": "no_limit",
    "stakes": {"small_blind": 100, "big_blind": 200, "ante": 200, "ante_kind": "big_blind"},
    "button": 1,
    "small_blind": 2,
    "big_blind": 3,
    "stacks": [{"seat": seat, "chips": 900} for seat in (2, 3, 4)],
}


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        (["big_blind", "ante"], "Big blind"),
        (["big_blind", "dead"], "Big blind"),
        (["straddle", "penalty"], "Straddle"),
        (["ante", "big_blind"], "Big blind"),
        (["ante"], "Ante"),
    ],
)
def test_a_blind_is_named_at_its_seat_whatever_the_seat_posts_beside_it(
    scene: Opened, kinds: list[str], words: str
) -> None:
    page = scene("start")
    tag = page.locator(".seat[data-key='3'] .tag")
    expect(tag).to_have_text("Big blind")
    happens(page, _BEGAN)
    for kind in kinds:
        happens(page, {"type": "posted", "seat": 3, "kind": kind, "amount": 200, "all_in": False})
    expect(tag).to_have_text(words)


def test_an_ante_that_takes_the_last_chips_of_the_big_blind_makes_it_all_in(
    scene: Opened,
) -> None:
    page = scene("start")
    happens(page, _BEGAN)
    for kind, amount in (("big_blind", 200), ("ante", 700)):
        post = {"type": "posted", "seat": 3, "kind": kind, "amount": amount}
        happens(page, {**post, "all_in": kind == "ante"})
    action = page.evaluate("() => room.model.moment.actions[3]")
    assert action == {"kind": "big_blind", "amount": 200, "all_in": True}
