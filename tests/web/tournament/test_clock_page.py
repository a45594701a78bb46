"""The tournament clock on a wall: it calls out changes, with sound once somebody switched it on."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from redis import Redis

from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Site
from tests.tournaments.cast import started
from tests.web.visiting import Visit, visit
from tournaments.engine.structure import BlindStructure, Break, Level
from tournaments.models import Tournament
from tournaments.models.structure import encoded
from tournaments.running import tick

__all__ = ["site", "visit"]

MINUTE_MS = 60_000
LEVEL_MS = 10 * MINUTE_MS
BREAK_MS = 5 * MINUTE_MS
STRUCTURE = BlindStructure(
    (
        Level(small_blind=25, big_blind=50, lasts_ms=LEVEL_MS),
        Level(small_blind=50, big_blind=100, lasts_ms=LEVEL_MS),
        Break(lasts_ms=BREAK_MS),
        Level(small_blind=100, big_blind=200, lasts_ms=LEVEL_MS),
    )
)
_COUNT_TONES = """
() => {
  window.tones = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) {
    window.tones.push([this.frequency.value, this.context.state]);
    return start.apply(this, when);
  };
}
"""
_NEAR_END = """
() => {
  const { dataset } = document.getElementById("tab-panel");
  dataset.ends = String(Number(dataset.ends) - 4.5 * 60_000);
}
"""


@pytest.fixture
def tournament(site: Site, room: Redis) -> Tournament:
    """A running tournament with two levels, a break and a third level."""
    made = started(3)
    made.structure = encoded(STRUCTURE)
    made.save(update_fields=["structure"])
    return made


def since_start(tournament: Tournament, ms: int) -> None:
    """Let the tournament have begun so long ago, and its clock tick."""
    began_ms = int(timezone.now().timestamp() * 1_000) - ms
    Tournament.objects.filter(pk=tournament.pk).update(started_ms=began_ms)
    tick.tick(tournament.pk)


def tones(page: Page) -> list[float]:
    """Frequencies that were sounded since the last question, each by a running sound system."""
    heard: list[tuple[float, str]] = page.evaluate("() => window.tones.splice(0)")
    assert {state for _, state in heard} <= {"running"}
    return [frequency for frequency, _ in heard]


def test_the_clock_calls_last_minute_level_and_break_with_sound(
    tournament: Tournament, visit: Visit
) -> None:
    since_start(tournament, LEVEL_MS - 5 * MINUTE_MS)
    page = visit(None, f"/tournaments/{tournament.pk}/clock/")
    page.evaluate(_COUNT_TONES)
    call, switch = page.locator("#clock-call"), page.locator("#clock-sound")
    expect(switch).to_have_text("Sound is off")
    switch.click()
    expect(switch).to_have_text("Sound is on")
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert tones(page) == [880, 880], "switching on is heard"
    # The end of the level comes nearer by four and a half of its five minutes.
    page.evaluate(_NEAR_END)
    expect(call).to_have_text("Last minute")
    assert tones(page) == [880, 880]
    since_start(tournament, LEVEL_MS + 1_000)
    expect(call).to_have_text("Level 2")
    assert tones(page) == [523, 659, 784]
    since_start(tournament, 2 * LEVEL_MS + 1_000)
    expect(call).to_have_text("Break")
    assert tones(page) == [784, 523]
    # Off again: what follows is seen and not heard.
    switch.click()
    expect(switch).to_have_text("Sound is off")
    since_start(tournament, 2 * LEVEL_MS + BREAK_MS + 1_000)
    expect(call).to_have_text("Play goes on")
    expect(call).to_be_visible()
    assert tones(page) == []


def test_a_clock_that_is_opened_late_calls_nothing_old(
    tournament: Tournament, visit: Visit
) -> None:
    since_start(tournament, LEVEL_MS - MINUTE_MS // 2)
    page = visit(None, f"/tournaments/{tournament.pk}/clock/")
    expect(page.locator(".wall-clock .time")).to_have_text(re.compile(r"^0:[012]\d$"))
    expect(page.locator("#clock-call")).to_be_hidden()
    expect(page.locator("#clock-sound")).to_have_text("Sound is off")


def test_a_double_click_on_the_clock_does_not_stop_it(tournament: Tournament, visit: Visit) -> None:
    since_start(tournament, LEVEL_MS // 2)
    page = visit(None, f"/tournaments/{tournament.pk}/clock/")
    what = page.locator(".wall-clock .what")
    expect(what).to_have_text("Level 1")
    what.dblclick()
    since_start(tournament, LEVEL_MS + 1_000)
    expect(what).to_have_text("Level 2")


def test_the_clock_says_when_the_next_break_is(tournament: Tournament, visit: Visit) -> None:
    since_start(tournament, LEVEL_MS // 2)
    page = visit(None, f"/tournaments/{tournament.pk}/clock/")
    numbers = page.locator(".numbers")
    expect(numbers).to_contain_text(re.compile(r"Break in\s*1[45]:\d\d"))
    since_start(tournament, 2 * LEVEL_MS + 1_000)
    expect(page.locator(".wall-clock .what")).to_have_text("Break")
    expect(numbers).not_to_contain_text("Break in")


def test_times_above_an_hour_stay_in_their_panel(tournament: Tournament, visit: Visit) -> None:
    long, next_one = (
        Level(small_blind=small, big_blind=2 * small, lasts_ms=180 * MINUTE_MS)
        for small in (25, 50)
    )
    tournament.structure = encoded(BlindStructure((long, next_one)))
    tournament.save(update_fields=["structure"])
    since_start(tournament, 1_000)
    page = visit(None, f"/tournaments/{tournament.pk}/clock/")
    expect(page.locator(".wall-clock .time")).to_contain_text("2:59:")
    for width, height in ((1280, 800), (1920, 1080), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        beyond = page.evaluate(
            "() => [...document.querySelectorAll('.wall-clock > *')]"
            ".filter((part) => part.scrollWidth > part.parentElement.clientWidth).length"
        )
        assert beyond == 0, (width, height)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
