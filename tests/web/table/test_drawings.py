"""Drawings of the cards: there before their cards, and never waited for with a blank card."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.web.browsing import browser, wait_until
from tests.web.scenes import happens

__all__ = ["browser"]

Shown = Callable[..., Page]
_SAVES = "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"


@pytest.fixture
def slow(browser: tuple[Browser, str]) -> Iterator[tuple[Shown, list[Route]]]:
    """A demo table whose drawings are asked for and not answered yet."""
    opened, address = browser
    context = opened.new_context(locale="en-GB")
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)

    context.route("**/cards/**/*.svg", hold)

    def show(script: str = "") -> Page:
        page = context.new_page()
        page.add_init_script(script)
        page.goto(f"{address}/tests/web/demo/table.html?scene=turn", wait_until="commit")
        page.wait_for_selector(".board .card")
        return page

    yield show, asked
    for route in asked:
        route.abort()
    context.close()


def test_a_card_is_read_before_its_drawing_comes_and_after_it_failed(
    slow: tuple[Shown, list[Route]],
) -> None:
    show, asked = slow
    page = show()
    card = page.locator(".board .card").first
    expect(card.locator(".face")).to_be_visible()
    expect(card.locator("img")).to_be_hidden()
    name = f"{card.get_attribute('data-card')}.svg"
    drawing = page.locator(".board .card").nth(1).get_attribute("data-card")
    for route in asked:
        if route.request.url.endswith(name):
            route.continue_()
        elif route.request.url.endswith(f"{drawing}.svg"):
            route.abort()
    asked[:] = [
        route for route in asked if not route.request.url.endswith((name, f"{drawing}.svg"))
    ]
    expect(card.locator("img")).to_be_visible()
    expect(card.locator(".face")).to_be_hidden()
    expect(page.locator(".board .card").nth(1).locator(".face")).to_be_visible()


def test_the_whole_deck_is_fetched_before_its_cards_come(
    slow: tuple[Shown, list[Route]],
) -> None:
    show, asked = slow
    page = show()
    wait_until(page, lambda: len({route.request.url for route in asked}) == 52)


def test_a_browser_that_saves_data_fetches_only_cards_that_lie_there(
    slow: tuple[Shown, list[Route]],
) -> None:
    show, asked = slow
    page = show(_SAVES)
    happens(page, {"type": "street_dealt", "street": "river", "cards": ["Qh"]})
    wait_until(page, lambda: any(one.request.url.endswith("Qh.svg") for one in asked))
    lying = page.locator(".card[data-suit]").evaluate_all(
        "(all) => all.map((one) => one.dataset.card)"
    )
    names = {one.request.url.rpartition("/")[2].removesuffix(".svg") for one in asked}
    assert names == set(lying)
