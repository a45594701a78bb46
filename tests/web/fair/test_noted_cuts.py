"""Cuts that a browser notes as sent in time."""

from __future__ import annotations

import pytest

from tests.web.browsing import browser
from tests.web.scenes import Opened, scene

__all__ = ["browser", "scene"]

# A call of the own seat, a cut that is sent at once, and the deal without its seed.
_LEFT_OUT = """async (absent) => {
  const { Noter } = await import("/static/js/table/noter.js");
  const { note, noted } = await import("/static/js/fair/notes.js");
  const { heard, now } = await import("/static/js/shared/clock.js");
  heard(Date.now() - 10, Date.now() - 5, Date.now());
  const room = "0f".repeat(16);
  const at = { room, table: 3, epoch: 1, hand: 43 };
  const noter = new Noter({ welcome: { room }, socket: null });
  const [own, state] = [{ seat: 4, entry: 2 }, { ...at, seats: [{ seat: 4, absent }] }];
  const called = { seal: "", call: "", signature: "", seats: [4], deal_ms: now() + 300 };
  noter.heard({ type: "cut_called", hand: 43, ...called }, state, own);
  note(at, { sent_ms: now(), pledge: "aa", seed: "bb" });
  noter.heard({ type: "deck_cut", hand: 43, cuts: [[4, 1, "aa"]] }, state, own);
  return noted(at).in_time;
}"""


@pytest.mark.parametrize("absent", [False, True], ids=["present", "away"])
def test_a_cut_left_out_is_held_against_the_room_where_it_waits(
    scene: Opened, absent: bool
) -> None:
    page = scene("turn")
    assert page.evaluate(_LEFT_OUT, absent) is not absent
