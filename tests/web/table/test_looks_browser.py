"""Theme, felt, deck and size chosen at the table, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from accounts.looks.models import TableLook
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.sockets import ORIGIN, wait_for
from tests.web.scenes import apart, boxes
from tests.web.visiting import DESK, Visit, visit

__all__ = ["game", "site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

LOADED = "(images) => images.every((image) => image.naturalWidth > 0)"

DRAWN = """
() => [...document.querySelectorAll(".card[data-suit] img")]
  .map((image) => [image.closest("[data-card]").dataset.card, image.getAttribute("src")])
"""


def test_a_look_is_chosen_at_the_table_and_kept(visit: Visit, game: Game) -> None:
    page = visit(game.user(game.actor), f"/tables/{game.row.pk}/")
    expect(page.locator(".action-panel .verb").first).to_be_visible()
    green = page.locator(".felt").evaluate("node => getComputedStyle(node).backgroundImage")
    page.keyboard.press("?")
    page.get_by_label("Felt", exact=True).select_option(label="Blue")
    page.get_by_label("Deck", exact=True).select_option(label="Two colours")
    page.get_by_label("Size", exact=True).select_option(label="Large")
    page.keyboard.press("Escape")
    wait_for(lambda: TableLook.objects.filter(size="large").exists())
    row = TableLook.objects.get()
    assert (row.user, row.felt, row.deck, row.size) == (
        game.user(game.actor),
        *("blue", "two", "large"),
    )
    felt = page.locator(".felt").evaluate("node => getComputedStyle(node).backgroundImage")
    assert felt != green
    for _ in range(2):
        cards = page.evaluate(DRAWN)
        assert len(cards) == 2
        for card, source in cards:
            assert ("/two/" in source) == (card[1] in "dc"), card
        wait_for(lambda: page.locator(".card[data-suit] img").evaluate_all(LOADED))
        page.reload()
        expect(page.locator(".action-panel .verb").first).to_be_visible()
    assert game.moves_waiting() == 0


def _colour(page: Page, part: str, kind: str = "backgroundColor") -> str:
    return str(page.locator(part).first.evaluate("(node, k) => getComputedStyle(node)[k]", kind))


def test_panels_change_with_the_theme_and_the_felt_does_not(visit: Visit, game: Game) -> None:
    page = visit(game.user(game.actor), f"/tables/{game.row.pk}/")
    expect(page.locator(".action-panel .verb").first).to_be_visible()
    seen: dict[str, list[str]] = {}
    page.keyboard.press("?")
    for name in ("Night", "Day"):
        page.get_by_label("Theme", exact=True).select_option(label=name)
        wait_for(TableLook.objects.filter(theme=name.lower()).exists)
        parts = [".tools", ".log", ".strip", "body", ".pod", ".verb.call"]
        seen[name] = [_colour(page, part) for part in parts]
        seen[name].append(_colour(page, ".felt", "backgroundImage"))
    changed = [night != day for night, day in zip(seen["Night"], seen["Day"], strict=True)]
    assert changed == [True, True, True, True, False, False, False], seen
    page.emulate_media(color_scheme="dark")
    page.goto(f"{ORIGIN}/look/")
    assert _colour(page, "body") == seen["Day"][3], "a choice goes before the device's"
    page.get_by_label("Theme").select_option(label="Like my device")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "device")
    assert _colour(page, "body") == seen["Night"][3]
    page.emulate_media(media="print", color_scheme="dark")
    assert _colour(page, "body") == seen["Day"][3], "no light words on white paper"
    assert _colour(page, "h1", "color") == _colour(page, "body", "color")
    assert game.moves_waiting() == 0


def test_without_colours_of_its_own_the_table_still_tells_suits_and_turn(
    visit: Visit, game: Game
) -> None:
    page = visit(game.user(game.actor), f"/tables/{game.row.pk}/")
    page.emulate_media(forced_colors="active")
    expect(page.locator(".action-panel .verb").first).to_be_visible()
    expect(page.locator(".seat[data-turn] .pod")).to_have_css("outline-style", "solid")
    face = page.locator(".seat[data-me] .card[data-suit] .face").first
    assert face.evaluate("(node) => getComputedStyle(node).backgroundColor") in {
        "rgb(43, 47, 51)",
        "rgb(184, 40, 44)",
        "rgb(31, 95, 174)",
        "rgb(35, 122, 60)",
    }
    page.keyboard.press("r")
    preset = page.locator(".preset").first
    preset.click()
    expect(preset).to_have_attribute("aria-pressed", "true")
    expect(preset).to_have_css("outline-style", "solid")


def test_a_large_table_lies_on_no_button(visit: Visit, game: Game) -> None:
    TableLook.objects.create(user=game.user(game.actor), size="large")
    page = visit(game.user(game.actor), f"/tables/{game.row.pk}/")
    for width, height in (DESK, (844, 390), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        expect(page.locator(".action-panel .verb").first).to_be_visible()
        expect(page.locator(".seat[data-me] .card").first).to_be_visible()
        pods, buttons = boxes(page, ".pod"), boxes(page, ".action-panel :is(button, input)")
        assert len(pods) == 3 and buttons
        for pod in pods:
            assert pod["x"] >= 0 and pod["x"] + pod["width"] <= width
            assert all(apart(pod, button) for button in buttons)
