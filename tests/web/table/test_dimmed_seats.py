"""Words of a seat that has folded, is away or waits are dimmed and can still be read."""

from __future__ import annotations

import pytest

from tests.web.browsing import browser
from tests.web.scenes import Opened, drawn, scene

__all__ = ["browser", "scene"]

CONTRAST_MIN = 4.5
"""Least contrast of words, as WCAG 2.2 asks (1.4.3); 3 for letters that only draw a face."""

# Ink and ground of each word as painted: both fade into the plate by the opacity of their part.
_WORDS = """
(state) => {
  const seat = document.querySelector(".seat:not([data-me], [data-free], [data-turn])");
  for (const one of ["data-folded", "data-absent", "data-waiting"]) seat.removeAttribute(one);
  if (state) seat.setAttribute(state, "");
  for (const flag of seat.querySelectorAll(".flag")) {
    flag.hidden = false;
    flag.textContent ||= "SE";
  }
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], ground, by = 1) =>
    [r, g, b].map((part, at) => part * a * by + ground[at] * (1 - a * by));
  const light = (colour) => {
    const [r, g, b] = colour.map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => parse(getComputedStyle(node).backgroundColor);
  const plate = over(ground(seat.querySelector(".pod")), [0, 0, 0]);
  const contrast = (node) => {
    const own = getComputedStyle(node);
    const part = node.closest(".avatar, .who");
    const by = Number(getComputedStyle(part).opacity);
    const holder = node.closest(".flag, .avatar") ?? part;
    const below = over(ground(holder), plate);
    const painted = (colour) => over(colour, plate, by);
    const pair = [painted(over(parse(own.color), below)), painted(below)].map(light);
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  };
  const places = [".flag[data-bot]", ".flag:not([data-bot])", ".name", ".stack"];
  const found = {};
  for (const place of places) found[place] = contrast(seat.querySelector(place));
  const avatar = seat.querySelector(".avatar");
  for (let tone = 0; tone < 8; tone += 1) {
    avatar.dataset.tone = tone;
    found[`letters ${tone}`] = contrast(seat.querySelector(".letters"));
  }
  return found;
}
"""


@pytest.mark.parametrize("state", ["", "data-folded", "data-absent", "data-waiting"])
def test_words_of_a_dimmed_seat_can_be_read(scene: Opened, state: str) -> None:
    page = scene("turn")
    drawn(page)
    found = page.evaluate(_WORDS, state)
    assert len(found) == 12
    least = {word: 3.0 if word.startswith("letters") else CONTRAST_MIN for word in found}
    assert {word: value for word, value in found.items() if value < least[word]} == {}
