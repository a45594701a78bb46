"""Showdown and all-in on the page: raised cards, named hands, and the reading order."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web import browsing
from tests.web.browsing import browser
from tests.web.scenes import (
    Opened,
    apart,
    drawn,
    happens,
    percentages_are_apart,
    scene,
    settled,
)

__all__ = ["browser", "scene"]

# Texts added to the live regions, in order.
_HEARD = """
  window.heard = [];
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes)
      if (target.closest?.(".lines, [role=log]"))
        for (const node of addedNodes) heard.push(node.textContent);
  }).observe(document, { childList: true, subtree: true });
"""
WINS = {"type": "pot_awarded", "pot": 0, "amount": 900, "winners": [{"seat": 4, "amount": 900}]}


def _wins(page: Page) -> Locator:
    return page.locator(".log .lines li", has_text=" wins ")


def _marked(page: Page, part: str) -> set[str]:
    cards = page.locator(f"{part}[data-five]").all()
    return {card.get_attribute("data-card") or "" for card in cards}


def test_the_deciding_kicker_is_named_and_the_winning_five_cards_are_raised(scene: Opened) -> None:
    page = scene("showdown_kicker")
    expect(page.locator(".seat[data-me] .tag")).to_have_text("a pair of aces, king kicker")
    expect(page.locator(".seat[data-me] .gain")).to_have_text("+26,300")
    tags = page.locator(".tag[data-kind=made]").all_inner_texts()
    assert sorted(tags) == [
        "a pair of aces, king kicker",
        "a pair of aces, ten kicker",
        "a pair of queens",
    ]
    assert _marked(page, ".board .card") == {"Ah", "Tc", "7d"}
    assert _marked(page, ".hand .card") == {"As", "Kd"}
    expect(page.locator(".hand[data-beaten]")).to_have_count(2)
    page.get_by_role("button", name="In BB").click()
    expect(page.locator(".seat[data-me] .gain")).to_have_text("+131.5 BB")


def test_a_phone_shows_the_gain_beside_the_hand_of_the_lowest_seat(scene: Opened) -> None:
    page = scene("showdown_kicker", width=390, height=844)
    gain, tag = page.locator(".gain:visible"), page.locator(".seat[data-me] .tag")
    expect(gain).to_have_text("+26,300")
    drawn(page)
    where, named = gain.bounding_box(), tag.bounding_box()
    area = page.locator("poker-table .area").bounding_box()
    assert where is not None and named is not None and area is not None
    assert apart(where, named)
    assert where["y"] + where["height"] <= area["y"] + area["height"], "not below the felt"
    assert where["x"] + where["width"] <= 390


def test_the_pictures_of_all_cards_are_loaded(scene: Opened) -> None:
    page = scene("turn")
    pictures = page.locator(".card img:visible")
    expect(pictures).not_to_have_count(0)
    page.wait_for_load_state("networkidle")
    widths = pictures.evaluate_all("(all) => all.map((one) => one.naturalWidth)")
    assert all(widths), widths


def test_no_kicker_is_named_when_the_hand_names_differ(scene: Opened) -> None:
    page = scene("showdown")
    expect(page.locator(".seat[data-me] .tag")).to_have_text("two pair, aces and kings")
    expect(_wins(page)).not_to_have_count(0)
    expect(_wins(page).filter(has_text=" with ")).to_have_count(0)


def test_the_log_names_the_deciding_kicker_of_the_winner(scene: Opened) -> None:
    page = scene("showdown_kicker")
    expected = ["Dörte wins 26,300 (the pot) with a pair of aces, king kicker"]
    expect(_wins(page)).to_have_text(expected)
    # A beaten player leaves, cards are shown after the award, and a snapshot writes the log anew.
    happens(page, {"type": "cards_shown", "seat": 9, "cards": ["Ac", "Ks"]})
    happens(page, {"type": "seat_left", "seat": 5})
    page.evaluate("() => room.model.snapshot(room.model.state)")
    drawn(page)
    expect(_wins(page)).to_have_text(expected)


def test_the_log_names_no_kicker_of_a_pot_that_folds_decided(scene: Opened) -> None:
    page = scene("turn")
    for seat in (4, 3):
        happens(page, {"type": "folded", "seat": seat})
    happens(page, {"type": "cards_shown", "seat": 5, "cards": ["Ad", "9c"]})
    winner = {"seat": 5, "amount": 900}
    happens(page, {"type": "pot_awarded", "pot": 0, "amount": 900, "winners": [winner]})
    expect(_wins(page)).to_have_text([re.compile(r"wins 900 \(the pot\)$")])


def test_equities_of_an_all_in_stand_at_the_seats_and_change_with_each_street(
    scene: Opened,
) -> None:
    page = scene("allin")
    expect(page.locator(".chance:visible")).to_have_count(3)
    before = page.locator(".chance:visible").all_inner_texts()
    percents = [int(words.removesuffix(" %")) for words in before]
    assert 99 <= sum(percents) <= 101
    expect(page.locator(".slot")).to_have_count(2)
    expect(page.locator(".slot[data-next]")).to_have_count(1)
    happens(page, {"type": "street_dealt", "street": "turn", "cards": ["Qh"]})
    expect(page.locator(".slot")).to_have_count(1)
    own = page.locator(".seat[data-me]")
    expect(own.locator(".chance")).to_have_text(re.compile(r"^[0-9] %$|^1[0-9] %$"))
    expect(own).to_have_accessible_name(re.compile("percent to win"))


@pytest.mark.parametrize("size", [(844, 390), (667, 375), (390, 844), (1280, 800)])
def test_percentages_of_an_all_in_cover_no_name(scene: Opened, size: tuple[int, int]) -> None:
    page = scene("allin", width=size[0], height=size[1])
    expect(page.locator(".chance:visible")).to_have_count(3)
    drawn(page)
    settled(page)
    percentages_are_apart(page)


def test_all_events_are_read_out_in_order(scene: Opened) -> None:
    page = scene("allin", script=_HEARD)
    page.wait_for_function("() => heard.some((line) => line.includes(' percent'))")
    happens(page, {"type": "street_dealt", "street": "turn", "cards": ["3h"]})
    page.wait_for_function("() => heard.filter((line) => line.includes(' percent')).length === 2")
    happens(page, WINS)
    page.wait_for_function("() => heard.at(-1).includes('wins')")
    marks = ("turns up", " percent", "Turn: 3", " percent", "wins 900")
    heard = page.evaluate("() => heard")
    at = 0
    for mark in marks:
        at = next(place for place in range(at, len(heard)) if mark in heard[place]) + 1


def test_the_own_turn_and_each_seat_are_read_out_with_their_chips(scene: Opened) -> None:
    page = scene("turn", script=_HEARD)
    heard = page.evaluate("() => heard")
    assert "Your turn: 1,200 to call, your stack is 9,344." in heard
    expect(page.locator(".seat[data-me]")).to_have_accessible_name(
        re.compile("^Dörte, seat 4, 9,344 chips, .*your turn$")
    )
    expect(page.locator(".seat[data-key='5']")).to_have_accessible_name(
        re.compile("seat 5, 9,855 chips, bet 1,200")
    )


@pytest.mark.parametrize("calm", [False, True])
def test_the_pot_moves_to_its_winner_unless_motion_is_reduced(
    browser: tuple[Browser, str], calm: bool
) -> None:
    count = "new MutationObserver((all) => { window.flights = (window.flights ?? 0) + all.filter("
    count += "({ addedNodes }) => [...addedNodes].some((n) => n.matches?.('.flying'))).length"
    count += " }).observe(document, { childList: true, subtree: true })"
    with browsing.windows(browser) as opened:
        page = opened("table.html?scene=allin", script=count)
        page.emulate_media(reduced_motion="reduce" if calm else "no-preference")
        page.wait_for_selector("poker-table .seat")
        happens(page, WINS)
        expect(page.locator(".seat[data-me] .gain")).to_have_text("+900")
        assert page.evaluate("() => window.flights ?? 0") == (0 if calm else 1)
        expect(page.locator(".flying")).to_have_count(0)


def test_a_pot_on_its_way_is_counted_as_the_table_counts(scene: Opened) -> None:
    page = scene("allin", script="Element.prototype.animate = () => ({});")
    page.get_by_role("button", name="In BB").click()
    happens(page, WINS)
    expect(page.locator(".flying")).to_have_text("4.5 BB")


def test_before_the_first_state_a_placeholder_has_no_buttons(
    browser: tuple[Browser, str],
) -> None:
    with browsing.windows(browser) as opened:
        page = opened("table.html?scene=loading")
        expect(page.locator("poker-table[aria-busy=true] .ghost")).to_have_count(6)
        assert page.locator("poker-table button:visible, poker-table input:visible").count() == 0
        for key in ("f", "c", "Enter", "m", "t", "1"):
            page.keyboard.press(key)
        assert page.evaluate("() => window.sent ?? []") == []
        assert page.evaluate("() => localStorage.getItem('room.showdown')") is None
