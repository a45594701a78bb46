"""Cards of the table stay in their area and off other name plates; names are readable."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.web.browsing import browser
from tests.web.scenes import drawn

__all__ = ["browser"]

# Overlaps in whole pixels, as "owner of the card: fault"; animations are finished first.
_FAULTS = """
() => {
  document.getAnimations().forEach((animation) => {
    if (animation.effect.getComputedTiming().iterations !== Infinity) animation.finish();
  });
  const box = (node) => node.getBoundingClientRect();
  const area = box(document.querySelector(".area"));
  const seats = [...document.querySelectorAll("poker-table .seat:not([data-free])")];
  const name = (seat) => seat.querySelector(".name").textContent;
  const faults = [];
  for (const seat of seats) {
    for (const part of seat.querySelectorAll(".card, .pod")) {
      const own = box(part);
      if (
        own.left < area.left || own.right > area.right ||
        own.top < area.top || own.bottom > area.bottom
      )
        faults.push(`${name(seat)}: ${part.className} leaves the area`);
      for (const other of seats.filter((one) => one !== seat)) {
        const plate = box(other.querySelector(".pod"));
        const wide = Math.min(own.right, plate.right) - Math.max(own.left, plate.left);
        const high = Math.min(own.bottom, plate.bottom) - Math.max(own.top, plate.top);
        if (wide >= 1 && high >= 1)
          faults.push(`${name(seat)}: ${part.className} lies on ${name(other)}`);
      }
    }
  }
  return { cards: document.querySelectorAll(".seat .card").length, faults };
}
"""

# Each seat as if it had the turn and the button.
_AT_THE_EDGES = """
() => {
  const area = document.querySelector(".area").getBoundingClientRect();
  const seats = [...document.querySelectorAll("poker-table .seat:not([data-free])")];
  const parts = seats.flatMap((seat) => {
    seat.dataset.turn = "";
    const [face, button] = [seat.querySelector(".avatar"), seat.querySelector(".dealer")];
    button.hidden = false;
    return [face, button];
  });
  const cut = parts.filter((part) => {
    const own = part.getBoundingClientRect();
    return own.width === 0 || own.left < area.left || own.right > area.right;
  });
  return { parts: parts.length, cut: cut.map((part) => part.className) };
}
"""

_NAMES = """
() => {
  const names = [...document.querySelectorAll(".seat .name")];
  for (const name of names) name.textContent = "bot-0023";
  const box = (node) => node.getBoundingClientRect();
  const button = box(document.querySelector(".seat .dealer:not([hidden])"));
  const covered = names.map(box).filter((box) =>
    Math.min(box.right, button.right) - Math.max(box.left, button.left) >= 1 &&
    Math.min(box.bottom, button.bottom) - Math.max(box.top, button.top) >= 1);
  const cut = names.filter((name) => name.scrollWidth > name.clientWidth);
  return { cut: cut.length, covered: covered.length };
}
"""


@pytest.mark.parametrize(
    ("scene", "seats", "cards"),
    [
        ("start", 9, 16),
        ("showdown", 9, 6),
        ("omaha", 9, 32),
        ("omaha5", 9, 20),
        ("omaha_shown", 9, 16),
        ("stud3", 8, 21),
        ("stud5", 8, 35),
        ("stud7", 8, 49),
        ("stud_shown", 8, 49),
    ],
)
def test_cards_stay_in_the_area_and_off_other_name_plates(
    browser: tuple[Browser, str], scene: str, seats: int, cards: int
) -> None:
    opened, address = browser
    page = opened.new_page(locale="en-GB")
    page.goto(f"{address}/tests/web/demo/table.html?scene={scene}&seats={seats}")
    page.wait_for_function(
        "(cards) => document.querySelectorAll('.seat .card').length === cards", arg=cards
    )
    for width, height in ((390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        drawn(page)
        assert page.evaluate(_FAULTS) == {"cards": cards, "faults": []}, width
    page.close()


def test_a_name_of_eight_letters_is_readable_on_a_desktop(browser: tuple[Browser, str]) -> None:
    opened, address = browser
    page = opened.new_page(locale="en-GB")
    page.goto(f"{address}/tests/web/demo/table.html?scene=start&seats=9")
    page.wait_for_function("() => document.querySelectorAll('.seat .card').length === 16")
    for width, height in ((1024, 768), (1200, 900), (1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        drawn(page)
        assert page.evaluate(_NAMES) == {"cut": 0, "covered": 0}, width
    page.close()


def test_the_face_and_the_button_of_every_seat_stay_in_the_area(
    browser: tuple[Browser, str],
) -> None:
    opened, address = browser
    page = opened.new_page(locale="en-GB")
    page.goto(f"{address}/tests/web/demo/table.html?scene=start&seats=9")
    page.wait_for_function("() => document.querySelectorAll('.seat .card').length === 16")
    for width, height in ((320, 640), (390, 844), (844, 390), (640, 400), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        drawn(page)
        found = page.evaluate(_AT_THE_EDGES)
        assert found == {"parts": 16, "cut": []}, width
    page.close()
