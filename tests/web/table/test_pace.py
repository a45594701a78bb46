"""Pace of the page: a run-out as its events come, a plain showdown one event at a time."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from config import limits
from tests.web.browsing import page

__all__ = ["page"]

SHOWDOWN = ["cards_shown", "cards_shown", "pot_awarded", "hand_ended"]

_SHOWN_AT_ONCE = """
async ([timed, batches]) => {
  const { Pace } = await import('/static/js/state/pace.js');
  const shown = [];
  const pace = new Pace((event) => shown.push(event.type));
  pace.clear(timed);
  const after = batches.map((types) => {
    pace.push(types.map((type) => ({ type })));
    return shown.length;
  });
  pace.clear();
  return after;
}
"""


def _shown(page: Page, *batches: list[str], timed: bool = False) -> Any:
    """Number of events drawn after each batch, without time between batches."""
    return page.evaluate(_SHOWN_AT_ONCE, [timed, list(batches)])


@pytest.mark.rule("S-04")
def test_each_step_of_a_run_out_is_drawn_on_arrival(page: Page) -> None:
    hands_up = ["called", "bets_collected", "hands_revealed", "run_out_began"]
    beats = [hands_up, ["street_dealt"], ["street_dealt"], ["street_dealt"], SHOWDOWN]
    assert _shown(page, *beats) == [4, 5, 6, 7, 11]


def test_a_page_opened_during_a_run_out_draws_each_further_step_on_arrival(page: Page) -> None:
    assert _shown(page, ["street_dealt"], SHOWDOWN, timed=True) == [1, 5]


def test_a_plain_showdown_is_drawn_event_by_event_before_the_next_hand(
    page: Page,
) -> None:
    assert _shown(page, ["called", *SHOWDOWN], ["hand_began", "posted"]) == [1, 7]


def test_the_next_hand_has_its_own_pace(page: Page) -> None:
    run_out = ["run_out_began", *SHOWDOWN]
    assert _shown(page, run_out, ["hand_began", "called", *SHOWDOWN]) == [5, 7]


# Timers and frames run when the script says so: [shown after the push, then after each step].
_BY_HAND = """
async (steps) => {
  const { Pace } = await import('/static/js/state/pace.js');
  const { setTimeout, clearTimeout, requestAnimationFrame, cancelAnimationFrame } = window;
  const queues = { pause: new Map(), frame: new Map() };
  let asked = 0;
  const put = (queue) => (then) => queue.set(++asked, then) && asked;
  const drop = (queue) => (number) => queue.delete(number);
  Object.assign(window, {
    setTimeout: put(queues.pause),
    clearTimeout: drop(queues.pause),
    requestAnimationFrame: put(queues.frame),
    cancelAnimationFrame: drop(queues.frame),
  });
  const shown = [];
  const pace = new Pace((event) => shown.push(event.type));
  pace.push(['called', 'street_dealt', 'street_dealt'].map((type) => ({ type })));
  const counts = [shown.length];
  for (const step of steps) {
    const due = [...queues[step].values()];
    queues[step].clear();
    for (const then of due) then();
    counts.push(shown.length);
  }
  Object.assign(window, {
    setTimeout, clearTimeout, requestAnimationFrame, cancelAnimationFrame
  });
  return [...counts, queues.pause.size + queues.frame.size];
}
"""


def test_a_street_is_drawn_before_the_next_one_is_applied(page: Page) -> None:
    found = page.evaluate(_BY_HAND, ["pause", "frame", "pause", "frame"])
    assert found == [1, 1, 2, 2, 3, 0], "events wait for the frame that draws those before"


def test_a_window_that_draws_no_frame_does_not_stop(page: Page) -> None:
    assert page.evaluate(_BY_HAND, ["pause"] * 4) == [1, 1, 2, 2, 3, 0]


# Pauses in ms that the page asks for while it draws these events, waits for a frame left out.
_PAUSES = """
async (types) => {
  const { Pace } = await import('/static/js/state/pace.js');
  const { setTimeout, requestAnimationFrame } = window;
  const [pauses, due, shown] = [[], [], []];
  let isFrame = false;
  window.requestAnimationFrame = (then) => { isFrame = true; due.push(then); return 0; };
  window.setTimeout = (then, wait) => {
    if (!isFrame) { pauses.push(wait); due.push(then); }
    isFrame = false;
    return 0;
  };
  new Pace((event) => shown.push(event.type)).push(types.map((type) => ({ type })));
  for (let then = due.shift(); then; then = due.shift()) then();
  Object.assign(window, { setTimeout, requestAnimationFrame });
  return [shown, pauses];
}
"""

NEXT_HAND_MS = limits.HAND_PAUSE_MS + limits.SHOWDOWN_MS


def test_a_showdown_of_many_hands_and_pots_is_drawn_well_before_the_next_hand(page: Page) -> None:
    events = ["called", *["cards_shown"] * 8, *["pot_awarded"] * 7, "hand_ended"]
    shown, pauses = page.evaluate(_PAUSES, events)
    assert shown == events
    assert len(pauses) == 15 and min(pauses) > 0, "still one after the other"
    assert sum(pauses) < 0.6 * NEXT_HAND_MS, "the rest is left to read the result"


def test_a_showdown_of_two_hands_has_its_whole_pauses(page: Page) -> None:
    shown, pauses = page.evaluate(_PAUSES, ["called", *SHOWDOWN])
    assert shown == ["called", *SHOWDOWN]
    assert pauses == [500, 500, 700]
