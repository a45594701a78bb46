"""Overlay before three tables of bots: python -m tests.bench.overlaid MINUTES [REPORT.json].

Starts a room of its own with eighteen bots at three tables, at the pace of people and with a delay
of the cards of one minute, opens the overlay in a real browser, and samples the size of its page
every minute. Ends with code 1 when the page or its frames grew.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, sync_playwright

from deploy.processes import layout as layouts
from deploy.processes import programs
from tests.bench.shared.page_sizes import TICK_MS, PageSize, PageWatch, growth, line_of
from tests.browser import FLAGS, chromium
from tests.deploy.cluster.living import Living

SEATS, TABLES = 6, 3
CALM_MS = 12 * 3_600_000
STACK = 1_000_000
"""Deep enough that bots of the room play for hours without breaking a table."""
DELAY_MS = 60_000
SESSION_HOURS = 12
PATIENCE_MS = 60_000


def open_tables(living: Living, players: int, seats: int, think: str, delay_ms: int) -> int:
    """Start bots in a tournament that shows its cards; return it once its tables are open."""
    fields = {
        "name": "Overlay",
        "cards_up": "everybody",
        "starting_stack": STACK,
        "hand_pause_ms": 2_000,
        "showdown_pause_ms": 2_000,
        "action_ms": 20_000,
    }
    tournament = living.offer(players=players, seats=seats, calm_ms=CALM_MS, fields=fields)
    living.sql(
        "UPDATE tournaments_tournament SET cards_up_delay_ms = %s, cards_up_final_ms = %s"
        " WHERE id = %s RETURNING id",
        *(delay_ms, delay_ms, tournament),
    )
    path = living.layout.run / "overlaid.jsonl"
    living.operate("sessions", str(path), str(players), str(SESSION_HOURS))
    arguments = ["--players", str(players), "--think", think, "--sessions", str(path)]
    report = living.layout.run / "overlaid.json"
    swarm = programs.swarm(living.layout, [*arguments, "--tournament", str(tournament)], report)
    living.supervisor.start([swarm, programs.cards_up(living.layout)])
    tables = players // seats
    living.wait(lambda: len(living.open_tables(tournament)) == tables, 60.0, "the tables are open")
    return tournament


def close_tables(living: Living, tournament: int) -> None:
    """Stop the bots and the streams, and call the tournament off."""
    for name in ("swarm", "cardsup"):
        living.supervisor.retire(name)
    living.operate("cancel", str(tournament))


@contextmanager
def overlay(living: Living, browser: Browser, tournament: int) -> Iterator[PageWatch]:
    """Open the overlay of a tournament in a context of its own, until a hand is told there."""
    link = living.operate("overlay", str(tournament))
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    watch = PageWatch(page)
    page.goto(f"{living.layout.url}/overlay/{link}/")
    cards = page.locator(".plate .card:not(.back)")

    def is_told() -> bool:
        page.wait_for_timeout(TICK_MS)
        return cards.count() > 0

    living.wait(is_told, 240.0, "a hand is told")
    yield watch
    context.close()


def described(samples: list[PageSize], tables: int) -> dict[str, Any]:
    """Return the report of a run: samples, sums, and what grew."""
    return {
        "tables": tables,
        "seconds": samples[-1].at_s - samples[0].at_s,
        "hands": sum(one.hands for one in samples),
        "frames": sum(one.frames for one in samples),
        "grew": growth(samples),
        "samples": msgspec.to_builtins(samples),
    }


@contextmanager
def _browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=FLAGS)
        yield browser
        browser.close()


def main(minutes: int, path: Path | None) -> int:
    """Run the room and its overlay; return 1 when something grew."""
    os.environ.setdefault("STATIC_GATHERED", "0")  # static files as they lie here
    home = Path(tempfile.mkdtemp(prefix="room-overlaid-"))
    home.chmod(0o711)
    living = Living(home)
    samples: list[PageSize] = []
    try:
        living.start()
        layouts.remember(living.layout)
        print(f"room: ROOM_LOCAL={home}", flush=True)  # for tests.bench.retold beside it
        tournament = open_tables(living, SEATS * TABLES, SEATS, "human", DELAY_MS)
        with _browser() as browser, overlay(living, browser, tournament) as watch:
            for sample in watch.samples(minutes, 60.0, living.supervisor.tend):
                samples.append(sample)
                print(line_of(sample), flush=True)
        tables = len(living.open_tables(tournament))
    finally:
        living.stop()
        shutil.rmtree(home, ignore_errors=True)
    report = described(samples, tables)
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(report, indent=2) + "\n")
    print(f"{report['hands']} hands at {tables} tables; {report['grew'] or 'nothing grew'}")
    return int(bool(report["grew"]) or not report["hands"])


if __name__ == "__main__":
    named = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    sys.exit(main(int(sys.argv[1]), named))
