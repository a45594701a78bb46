"""Text for screen readers: news, and no running clock."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browsing import browser, windows
from tests.web.scenes import TURN

__all__ = ["browser"]

_WAITS = """() => room.model.events([
  { type: "table_waiting", reason: "break", until_ms: Date.now() + 300_000 },
])"""


def test_a_waiting_table_reads_its_reason_once_and_shows_the_time(
    browser: tuple[Browser, str],
) -> None:
    with windows(browser) as opened:
        page = opened("table.html?scene=waiting")
        page.wait_for_selector("poker-table .seat")
        page.evaluate(_WAITS)
        waiting = page.locator(".middle .waiting")
        expect(waiting).to_contain_text(re.compile(r"Break · \d:\d\d"))
        told = page.locator(".middle [role=status]")
        assert told.inner_text() == "Break"
        before = waiting.inner_text()
        expect(waiting).not_to_have_text(before)
        assert told.inner_text() == "Break"


_SEALED = """async () => {
  const { keepShields } = await import("/static/js/table/hand_shields.js");
  keepShields(room.log, room.model, "3", { welcome: null });
  const ended = { type: "hand_ended", hand: 42, stacks: [] };
  room.model.events([{ type: "cut_called", hand: 42, seal: "ab".repeat(32), seats: [] }, ended]);
}"""


def test_the_shield_of_a_hand_is_not_read_out_until_it_is_pressed(
    browser: tuple[Browser, str],
) -> None:
    with windows(browser) as opened:
        page = opened("table.html?scene=turn")
        page.wait_for_selector("poker-table .seat")
        page.evaluate(_SEALED)
        shield = page.locator(".lines .fair-mark")
        expect(shield).to_have_attribute("aria-live", "off")
        expect(shield.get_by_role("status")).to_be_attached()
        expect(page.locator(".lines")).to_have_attribute("aria-live", "polite")


_AGAIN = """(isVoid) => {
  const { state } = room.model;
  if (isVoid) room.model.events([{ type: "hand_voided", hand: 42 }]);
  room.model.snapshot({ ...state, hand: 42 });
}"""


@pytest.mark.parametrize("is_void", [False, True])
def test_a_hand_dealt_anew_has_no_shield_of_the_void_hand_with_its_number(
    browser: tuple[Browser, str], is_void: bool
) -> None:
    with windows(browser) as opened:
        page = opened("table.html?scene=turn")
        page.wait_for_selector("poker-table .seat")
        page.evaluate(_SEALED)
        expect(page.locator(".lines .fair-mark")).to_have_count(1)
        page.evaluate(_AGAIN, is_void)
        expect(page.locator(".lines .fair-mark")).to_have_count(0 if is_void else 1)


_SNAPSHOT = """(turn) => {
  const { state } = room.model;
  room.model.snapshot({ ...state, turn: { ...state.turn, turn } });
}"""


def test_a_turn_is_read_out_once_also_from_a_snapshot(browser: tuple[Browser, str]) -> None:
    with windows(browser) as opened:
        page = opened("table.html?scene=turn")
        told = page.locator(".told p", has_text="Your turn:")
        expect(told).to_have_count(1)
        page.evaluate(_SNAPSHOT, TURN["turn"])
        expect(told).to_have_count(1)
        page.evaluate(_SNAPSHOT, TURN["turn"] + 1)
        expect(told).to_have_count(2)
