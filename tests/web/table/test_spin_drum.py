"""The drum of a spin stops at the drawn multiplier, respects reduced motion, and disappears."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.web import browsing
from tests.web.browsing import browser
from tournaments.engine.spin import ODDS

__all__ = ["browser"]

SPIN = {
    "drawn": 99_000,
    "multiplier": 10,
    "pool": 50_00,
    "prizes": [50_00],
    "odds": [[multiplier, count] for multiplier, count in sorted(ODDS.items())],
}

_SHOW = """
async ([spin, ago_ms]) => {
  const { SpinDrum } = await import('/static/js/table/spin_drum.js');
  const { now } = await import('/static/js/shared/clock.js');
  const room = document.body.appendChild(document.createElement('div'));
  const drum = new SpinDrum(room);
  const fresh = { ...spin, at_ms: now() - ago_ms };
  drum.show(null);
  drum.show(fresh);
  drum.show(fresh);
  await new Promise((done) => setTimeout(done, 50));
  return {
    drums: room.querySelectorAll('.drum').length,
    words: room.querySelector('.drum-words')?.textContent ?? null,
    moves: room.querySelector('.drum-strip')?.getAnimations().length ?? 0,
  };
}
"""


@pytest.fixture(params=["reduce", "no-preference"])
def page(request: pytest.FixtureRequest, browser: tuple[Browser, str]) -> Iterator[Page]:
    """A page of the site with or without reduced motion."""
    with browsing.windows(browser) as show:
        page = show("table.html")
        page.emulate_media(reduced_motion=request.param)
        yield page


@pytest.mark.rule("F-05")
def test_the_drum_shows_the_drawn_multiplier(page: Page) -> None:
    seen = page.evaluate(_SHOW, [SPIN, 0])
    assert seen["drums"] == 1, "one draw shows one drum, even if announced twice"
    calm = page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    assert (seen["moves"] == 0) == calm
    assert ("×10" in seen["words"] and "50" in seen["words"]) == calm
    cells = page.evaluate(
        "async (spin) => (await import('/static/js/table/spin_drum.js')).reel(spin)", SPIN
    )
    assert cells[-2] == 10 and set(cells) <= set(ODDS) and len(cells) > 20


@pytest.mark.rule("F-05")
def test_the_drum_of_an_older_draw_is_not_shown_again(page: Page) -> None:
    assert page.evaluate(_SHOW, [SPIN, 60_000])["drums"] == 0
