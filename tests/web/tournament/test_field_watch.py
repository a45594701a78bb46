"""News of the tournament on a table page: visible to all, audible to its players."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web import browsing
from tests.web.browsing import browser

__all__ = ["browser"]

Watched = Callable[..., Page]

OVERVIEW = {
    "summary": {"left": 12, "entrants": 40, "starting_stack": 1_000, "state": "running"},
    "places_paid": 10,
    "average": 3_333,
    "level_ends_at_ms": 99,
    "break_until_ms": None,
    "clock_runs": True,
    "hand_for_hand": False,
    "stands_why": "",
}
OUT = {"type": "player_out", "entry": 3, "user": 3, "name": "Ada", "place": None, "prize": 0}
MONEY = "In the money: everybody left wins a prize"

_HIDDEN = 'Object.defineProperty(Document.prototype, "hidden", { get: () => true });'

# A table's model and connection as far as the watch needs them; `asked` counts the snapshots.
_WATCH = """async ([seated, overview]) => {
  const { FieldWatch } = await import("/static/js/table/field_watch.js");
  window.model = {
    seat: seated ? { seat: 4 } : null,
    field: null,
    tell: (field) => (model.field = field),
  };
  window.asked = 0;
  const line = {
    follow: (stream, handler) => {
      window.asked += 1;
      window.snapshot = (changed = {}) =>
        handler.snapshot({ overview: { ...overview, ...changed }, tables: [], heads: {} });
      window.events = handler.events;
    },
  };
  const ignored = { happened: () => {}, opened: () => {} };
  new FieldWatch(line, 5, model, ignored).follow();
  snapshot();
}"""


@pytest.fixture
def watched(browser: tuple[Browser, str]) -> Iterator[Watched]:
    """Open a page that watches the field of a tournament, with or without a seat."""
    with browsing.windows(browser) as show:

        def open_page(*, seated: bool) -> Page:
            page = show("notices.html", script=browsing.SOUNDS_COUNTED + _HIDDEN)
            page.locator("body").click()
            page.evaluate(_WATCH, [seated, OVERVIEW])
            return page

        yield open_page


def _hear(page: Page, *events: dict[str, Any]) -> None:
    page.evaluate("(told) => events(told)", list(events))


def _toast(page: Page, words: str) -> None:
    expect(page.locator(".toast", has_text=words)).to_have_count(1)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"type": "hand_for_hand_began", "left": 11, "places_paid": 10}, "Hand for hand"),
        ({"type": "hand_for_hand_ended"}, "The tables play at their own pace again"),
        ({"type": "final_table", "table": 9, "left": 11}, "Final table"),
        ({"type": "break_began", "until_ms": 700}, "The break begins after this hand"),
        ({**OUT, "left": 9}, MONEY),
    ],
)
def test_players_hear_news_of_the_field_and_spectators_see_it(
    watched: Watched, event: dict[str, Any], words: str
) -> None:
    player, watcher = watched(seated=True), watched(seated=False)
    for page in (player, watcher):
        _hear(page, event)
        _toast(page, words)
    assert player.evaluate("() => tones") >= 1
    assert words in player.title()
    assert watcher.evaluate("() => tones") == 0
    assert words not in watcher.title()


def test_the_end_of_a_break_is_announced(watched: Watched) -> None:
    page = watched(seated=True)
    level = {"type": "level_began", "level": 5, "ends_at_ms": 900}
    _hear(page, level)
    expect(page.locator(".toast")).to_have_count(0)
    _hear(page, {"type": "break_began", "until_ms": 700}, level)
    _toast(page, "The break is over")


def test_the_money_is_announced_once_when_a_hand_crosses_the_bubble_by_three(
    watched: Watched,
) -> None:
    page = watched(seated=True)
    _hear(page, *[{**OUT, "left": 9}] * 3)
    _hear(page, {**OUT, "left": 8})
    page.evaluate("() => snapshot({ summary: { ...model.field, left: 8, entrants: 40 } })")
    _toast(page, MONEY)


def test_the_money_is_announced_when_reached_during_a_lost_connection(watched: Watched) -> None:
    page = watched(seated=True)
    page.evaluate("() => snapshot({ summary: { left: 8, entrants: 40, state: 'running' } })")
    _toast(page, MONEY)


def test_the_money_is_not_announced_to_a_winner_or_where_there_was_no_bubble(
    watched: Watched,
) -> None:
    page = watched(seated=True)
    fresh = "(changed) => { model.field = null; snapshot(changed); }"
    cases: tuple[tuple[int, list[dict[str, Any]]], ...] = (
        (2, [{"type": "pool_fixed", "entrants": 2, "prizes": [700, 300]}, {**OUT, "left": 1}]),
        (2, [{"type": "pool_fixed", "entrants": 2, "prizes": [1_000]}, {**OUT, "left": 1}]),
        (40, [{"type": "pool_fixed", "entrants": 40, "prizes": [1_000]}, {**OUT, "left": 1}]),
        (40, [{**OUT, "left": 1}, {"type": "finished"}]),
    )
    for entrants, events in cases:
        left = {"left": min(entrants, 11), "entrants": entrants, "starting_stack": 1_000}
        page.evaluate(fresh, {"summary": left | {"state": "running"}, "places_paid": 0})
        _hear(page, *events)
        page.evaluate("() => new Promise((done) => setTimeout(done))")
        expect(page.locator(".toast", has_text=MONEY)).to_have_count(0)


@pytest.mark.rule("T-09")
def test_the_clock_continues_after_the_bubble_from_a_fresh_snapshot(
    watched: Watched,
) -> None:
    page = watched(seated=True)
    browsing.stand_still(page)
    page.evaluate("() => snapshot({ clock_runs: false, hand_for_hand: true })")
    _hear(page, {"type": "hand_for_hand_ended"}, {**OUT, "left": 11}, {"type": "resumed"})
    # A snapshot of this very second may be older than the event.
    page.clock.run_for(1_000)
    assert page.evaluate("() => [asked, model.field.players_left, model.field.paused]") == [
        *(1, 11, True)
    ]
    page.clock.run_for(1_100)
    assert page.evaluate("() => asked") == 2
    page.evaluate("() => snapshot({ level_ends_at_ms: 555 })")
    assert page.evaluate("() => [model.field.paused, model.field.level_ends_ms]") == [False, 555]
    page.clock.run_for(5_000)
    assert page.evaluate("() => asked") == 2


@pytest.mark.parametrize("kind", ["paused", "resumed", "room_message"])
def test_a_private_notice_of_a_player_is_not_repeated_at_the_table(
    watched: Watched, kind: str
) -> None:
    player, watcher = watched(seated=True), watched(seated=False)
    for page in (player, watcher):
        _hear(page, {"type": kind, "reason": "", "text": "Dinner is served"})
    expect(watcher.locator(".toast")).to_have_count(1)
    expect(player.locator(".toast")).to_have_count(0)


@pytest.mark.rule("T-13")
@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("frozen", "A fault is being mended; all tables go on together."),
        ("Fire <b>drill</b>", "Fire <b>drill</b>"),
    ],
)
def test_a_spectator_sees_why_the_tournament_is_stopped(
    watched: Watched, reason: str, words: str
) -> None:
    page = watched(seated=False)
    _hear(page, {"type": "paused", "reason": reason})
    _toast(page, words)
    assert page.evaluate("() => model.field.why") == reason


def test_the_winner_is_named_by_the_screen_of_the_end_where_there_is_one(watched: Watched) -> None:
    page, words = watched(seated=True), "Ada wins the tournament"
    end = {"type": "finished", "entry": 3, "user": 3, "name": "Ada", "prize": 0, "left": 1}
    _hear(page, end)
    _toast(page, words)
    page.evaluate(
        """() => {
          const panel = document.createElement("aside");
          panel.id = "end-panel";
          panel.dataset.tournament = "5";
          document.body.append(panel);
        }"""
    )
    _hear(page, end)
    _toast(page, words)
    assert page.evaluate("() => model.field.over")
