"""Words of the pot stay readable at an all-in: no card of a seat lies on them."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browsing import browser
from tests.web.scenes import Opened, apart, boxes, drawn, happens, scene, settled, words

__all__ = ["browser", "scene"]

WINDOWS = [(844, 390), (667, 375), (390, 844), (360, 640), (1280, 800)]
STREETS = {
    "before the flop": [],
    "flop": ["6h", "6s", "7c"],
    "turn": ["6h", "6s", "7c", "9c"],
    "river": ["6h", "6s", "7c", "9c", "Kd"],
}


@pytest.mark.parametrize("view", ["everybody", "everybody&watch=1"], ids=["seated", "watched"])
@pytest.mark.parametrize("seats", [2, 3, 6, 9])
def test_no_card_of_a_seat_lies_on_the_words_of_the_pot(
    scene: Opened, seats: int, view: str
) -> None:
    page = scene(view, seats=seats)
    faults: list[str] = []
    for street, board in STREETS.items():
        if board:
            dealt = board if street == "flop" else board[-1:]
            happens(page, {"type": "street_dealt", "street": street, "cards": dealt})
            expect(page.locator(".common .card:visible")).to_have_count(len(board))
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            drawn(page)
            settled(page)
            told = words(page, ".middle .total, .middle .sum")
            cards = boxes(page, ".seat .card")
            assert len(cards) == 2 * seats
            assert len(told) == (2 if seats == 2 else 3), "the pot, and each of several"
            faults += [
                f"{street}, {width}x{height}: {card} on {word}"
                for card in cards
                for word in told
                if not apart(card, word)
            ]
    assert not faults, "\n".join(faults)
