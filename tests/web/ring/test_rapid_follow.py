"""Way of a page to the next hand of a rapid pool."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.web import browsing
from tests.web.browsing import browser

__all__ = ["browser"]

# Tables whose decks were cut for a player who folded: the page goes there once that is done.
_CUTS = """async () => {
  const { followPool } = await import("/static/js/table/rapid_follow.js");
  const room = document.createElement("div");
  Object.assign(room.dataset, { rapid: "5", table: "7" });
  const model = Object.assign(new EventTarget(), { seat: { folded: true } });
  const cuts = [];
  followPool(room, model, (table) => new Promise(() => cuts.push(table)));
  model.dispatchEvent(new Event("change"));
  const dealt = (table) => {
    const detail = { type: "rapid_dealt_in", game: 5, table };
    document.body.dispatchEvent(new CustomEvent("room:mine", { detail }));
  };
  dealt(8);
  dealt(9);
  dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  dealt(10);
  return cuts;
}"""


def test_a_kept_page_follows_its_player_again(browser: tuple[Browser, str]) -> None:
    with browsing.windows(browser) as show:
        assert show("notices.html").evaluate(_CUTS) == [8, 10]
