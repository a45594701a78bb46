"""Overlay before three tables of a real room for some seconds; `make overlay-hour` takes longer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.bench.overlaid import close_tables, described, open_tables, overlay
from tests.deploy.cluster.living import Living
from tests.web import browsing

SAMPLES, EVERY_S, DELAY_MS = 3, 2.0, 1_000

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing.headless() as opened:
        yield opened


def test_the_page_of_an_overlay_is_watched_while_bots_play(
    living: Living, browser: Browser
) -> None:
    tournament = open_tables(living, players=6, seats=2, think="fast", delay_ms=DELAY_MS)
    try:
        with overlay(living, browser, tournament) as watch:
            samples = list(watch.samples(SAMPLES, EVERY_S, living.supervisor.tend))
        tables = len(living.open_tables(tournament))
    finally:
        close_tables(living, tournament)
    report = described(samples, tables)
    assert report["tables"] == 3
    assert report["hands"] > 0 and report["frames"] >= report["hands"]
    assert all(one.documents >= 1 and one.nodes > 100 and one.listeners > 0 for one in samples)
    # The face of a card is a document of its own, drawn when it is first told: seconds are too few
    # to see all 52, and nodes and documents grow until then.
    assert [one for one in report["grew"] if one.startswith(("heap", "listeners"))] == []
