"""Demo table in a browser: its situations in windows of any size, and events in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.web import browsing

Opened = Callable[..., Page]
Size = tuple[int, int]
Box = dict[str, float]
REBUY = {"entry": 2, "chips": 1500, "price": 900, "fee": 50}
TURN = {"table": 3, "epoch": 1, "hand": 42, "turn": 9}

_SETTLE = """
() => {
  for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
}
"""

_BOXES = """
(parts) => [...document.querySelectorAll(parts)]
  .filter((part) => part.checkVisibility({ visibilityProperty: true }))
  .map((part) => part.getBoundingClientRect())
  .filter((box) => box.width && box.height)
  .map(({ x, y, width, height }) => ({ x, y, width, height }))
"""

# The boxes of texts themselves, as far as their elements show them.
_WORDS = """
(parts) => [...document.querySelectorAll(parts)]
  .filter((part) => part.firstChild && part.checkVisibility({ visibilityProperty: true }))
  .map((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    const [text, box] = [range.getBoundingClientRect(), part.getBoundingClientRect()];
    const [x, right] = [Math.max(text.left, box.left), Math.min(text.right, box.right)];
    return { x, y: text.y, width: right - x, height: text.height };
  })
"""


@pytest.fixture
def scene(browser: tuple[Browser, str]) -> Iterator[Opened]:
    """Open one situation of the demo table in a window of a given size."""
    with browsing.windows(browser) as opened:

        def show(
            name: str, *, width: int = 1280, height: int = 800, seats: int = 9, script: str = ""
        ) -> Page:
            path = f"table.html?scene={name}&seats={seats}"
            page = opened(path, script=script, size=(width, height))
            page.wait_for_selector("poker-table .seat")
            return page

        yield show


def sent(page: Page) -> list[dict[str, Any]]:
    """Commands of the player, without the showdown choice that each page sends by itself."""
    told = page.evaluate("() => window.sent ?? []")
    return [message for message in told if message["type"] != "showdown"]


def happens(page: Page, event: dict[str, Any]) -> None:
    """Give the page an event of the room and wait until it is drawn."""
    page.evaluate("(event) => room.model.events([event])", event)
    drawn(page)


def drawn(page: Page) -> None:
    """Wait until all events and a new window size are drawn."""
    for _ in range(3):
        page.evaluate("() => new Promise(requestAnimationFrame)")


def settled(page: Page) -> None:
    """End what glides to a new place, such as the bets after a change of the window's size."""
    page.evaluate(_SETTLE)
    drawn(page)


def turn_comes(page: Page, *, call: int) -> None:
    """Wait until the player's turn is drawn."""
    happens(page, turn(page, call=call))


def turn(page: Page, *, call: int) -> dict[str, Any]:
    """Give the player of the demo a turn with time to act."""
    return {
        "type": "turn_began",
        "hand": 42,
        "seat": 4,
        "turn": 11,
        "deadline_ms": page.evaluate("() => Date.now() + 14000"),
        "bank_ms": 0,
        "option": {"check": False, "call": call, "raise_min": 2 * call, "raise_max": 9344},
    }


def apart(one: Any, other: Any) -> bool:
    """Return whether two boxes on the screen do not overlap, with a tolerance of one pixel."""
    return bool(
        one["x"] + one["width"] <= other["x"] + 1
        or other["x"] + other["width"] <= one["x"] + 1
        or one["y"] + one["height"] <= other["y"] + 1
        or other["y"] + other["height"] <= one["y"] + 1
    )


def percentages_are_apart(page: Page) -> None:
    """Assert that the percentages of hands overlap no name, no stack, no rank and each other."""
    chances = boxes(page, ".seat .chance")
    names = words(page, ".seat :is(.name, .stack)")
    cards = boxes(page, ".seat .hand[data-open] .card")
    ranks = [card | {"height": card["height"] / 3} for card in cards]
    assert chances and names and ranks
    for at, chance in enumerate(chances):
        for other in (*names, *ranks, *chances[at + 1 :]):
            assert apart(chance, other), (chance, other)


def boxes(page: Page, parts: str) -> list[Box]:
    """Return the boxes of all visible elements, in one question to the page instead of one each."""
    return list(page.evaluate(_BOXES, parts))


def words(page: Page, parts: str) -> list[Box]:
    """Return the boxes of the texts of all visible elements, as far as these show them."""
    return list(page.evaluate(_WORDS, parts))


def posts(page: Page, answer: Callable[[Route], None] | None = None) -> list[str]:
    """Record all POST requests of the page from now on; each is answered with success."""
    asked: list[str] = []

    def hear(route: Route) -> None:
        asked.append(route.request.url)
        if answer:
            answer(route)
        else:
            route.fulfill(json={"code": "done", "message": "Done.", "balance": 0})

    page.evaluate("""() => document.body.setAttribute("hx-headers", '{"X-CSRFToken": "token"}')""")
    for address in ("**/tournaments/**", "**/offers/**"):
        page.route(address, hear)
    return asked


def offer_rebuy(page: Page, rebuy: dict[str, Any] | None) -> None:
    """Give the page a re-buy a seat with chips may make; None withdraws it."""
    page.evaluate(
        "async (rebuy) =>"
        " (await import('/static/js/table/seat/rebuy_button.js')).offerRebuy(5, rebuy)",
        rebuy,
    )


def show_offer(page: Page) -> None:
    """Show an offer of an add-on and wait until it is visible."""
    offer = {"tournament": 5, "name": "Friday", "offer": 1, **REBUY, "kind": "add_on"}
    page.evaluate(
        "async (offer) => (await import('/static/js/everywhere/offers.js'))"
        ".show({ ...offer, until_ms: Date.now() + 60000 })",
        offer,
    )
    expect(page.locator("#offers .toast")).to_be_visible()


def lies_off_the_buttons(page: Page, part: str) -> None:
    """Assert that no button of the action panel or the tools overlaps `part`, except its own."""
    [box] = boxes(page, part)
    others = boxes(page, f":is(.action-panel :is(button, input), .tools > *):not({part})")
    assert all(apart(box, other) for other in others), (box, others)


def middle(page: Page, button: str) -> tuple[float, float]:
    """Centre of a button, for the pointer."""
    box = page.locator(button).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
