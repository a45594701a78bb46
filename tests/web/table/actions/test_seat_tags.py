"""Word at a seat that names its last action."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browsing import browser
from tests.web.scenes import Opened, happens, scene, turn

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


_BATCH = """([began, cards]) => room.model.events([
  { type: "deck_cut", hand: 43, cuts: [] },
  { type: "button_drawn", button: 1, cards },
  began,
  { type: "posted", seat: 2, kind: "small_blind", amount: 100, all_in: false },
  { type: "posted", seat: 3, kind: "big_blind", amount: 200, all_in: false },
  ...[2, 3, 4].map((seat) => (
    { type: "hole_cards_dealt", seat, cards: seat === 4 ? ["As", "Kd"] : ["??", "??"] }
  )),
])"""


@pytest.mark.rule("C-04")
def test_the_draw_for_the_button_is_named_until_the_first_action(scene: Opened) -> None:
    page = scene("waiting")
    page.evaluate(_BATCH, [_BEGAN, [[2, "9d"], [3, "Kc"], [4, "Ah"]]])
    happens(page, turn(page, call=200))
    tags = [page.locator(f".seat[data-key='{seat}'] .tag") for seat in (2, 3, 4)]
    for tag, words in zip(tags, ("Drew 9♦", "Drew K♣", "Drew A♥"), strict=True):
        expect(tag).to_have_text(words)
    expect(page.locator(".seat[data-me] .hand .card")).to_have_count(2)
    drawn_by = re.compile(r"High card for the button: anna \(Bernd\.K 9♦, carlos_77 K♣, Dörte A♥\)")
    expect(page.locator(".log .lines li", has_text=drawn_by)).to_have_count(1)
    happens(page, {"type": "called", "seat": 4, "amount": 200, "all_in": False})
    expect(tags[0]).to_have_text("Small blind")
    expect(page.locator(".tag[data-kind=drawn]")).to_have_count(0)
