"""Bots with browsers ask for what a real browser asks for at the table of a real room."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, WebSocket

from tables.bots.client import history_rows
from tables.bots.client.connection import Identity, Site
from tables.bots.crowd import Crowd, SwarmPlan
from tests.deploy.cluster.living import Living
from tests.web import browsing
from tests.web.puppets import Puppet, call

PLAYERS = 3
SEATED_S = 20
PATIENCE_S = 40.0
KEPT_FILES = ("/static/", "/jsi18n/", "/manifest", "/service-worker", "/pictures/")
"""Beginnings of addresses of files that a browser keeps."""

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing.headless() as opened:
        yield opened


def shape(text: str) -> str:
    """Return an address or a stream with every number as N."""
    return re.sub(r"\d+(,\d+)*", "N", text)


class Asked:
    """Requests of one player to the room: addresses, and messages over sockets."""

    def __init__(self) -> None:
        self.addresses: Counter[str] = Counter()
        self.streams: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()

    def read(self, method: str, url: str) -> None:
        """Note a request."""
        path = urlsplit(url)
        if method == "GET" and not path.path.startswith(KEPT_FILES):
            query = f"?{path.query}" if path.query else ""
            self.addresses[shape(path.path + query)] += 1

    def say(self, text: str) -> None:
        """Note a message to the room."""
        message: dict[str, Any] = json.loads(text)
        self.kinds[message["type"]] += 1
        if message["type"] == "subscribe":
            given = sorted(message.keys() - {"type", "stream", "after"})
            self.streams[f"{shape(message['stream'])} {' '.join(given)}".strip()] += 1


class Bots:
    """Bots with browsers in a thread of their own; the first one's requests are noted."""

    def __init__(self, url: str, who: list[Identity], tournament: int, notes: Path) -> None:
        self.asked = Asked()
        self._url, self._who, self._notes = url, who, notes
        self._plan = SwarmPlan(
            pace="human", tournament=tournament, browsers=True, history=str(notes)
        )
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._run(),))

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._crowd.stop)
        self._thread.join()
        first = self._notes / f"{quote(self._who[0].name, safe='')}.jsonl"
        for row in history_rows.read(first.read_bytes().splitlines()):
            if bytes(row.sent):
                self.asked.say(bytes(row.sent).decode())

    async def _run(self) -> None:
        site = Site(self._url)
        site.http.event_hooks["request"].append(self._note)
        self._crowd = Crowd(site, self._who, self._plan)
        await self._crowd.run()
        await site.close()

    async def _note(self, request: httpx.Request) -> None:
        if f"={self._who[0].session}" in request.headers.get("Cookie", ""):
            self.asked.read(request.method, str(request.url))


class Person:
    """Person at a real browser, whose requests are noted; nobody clicks."""

    def __init__(self, browser: Browser, url: str, who: Identity) -> None:
        self.asked = Asked()
        self._context = browser.new_context(viewport={"width": 1280, "height": 800})
        cookie = {"name": "sessionid", "value": who.session, "url": url}
        self._context.add_cookies([cookie])  # type: ignore[list-item]
        self.page = self._context.new_page()
        self.page.on("request", lambda request: self.asked.read(request.method, request.url))
        self.page.on("websocket", self._hear)

    def _hear(self, line: WebSocket) -> None:
        line.on("framesent", lambda text: self.asked.say(str(text)))

    def wait_for(self, kind: str) -> None:
        """Wait until the page has sent a message of a kind, and a moment longer for the bots."""
        ends_s = time.monotonic() + PATIENCE_S
        while kind not in self.asked.kinds:
            assert time.monotonic() < ends_s, f"no {kind} after {PATIENCE_S:g} s"
            self.page.wait_for_timeout(500)
        self.page.wait_for_timeout(3_000)

    def leave(self) -> None:
        """Close the browser window."""
        self._context.close()


def test_a_bot_asks_for_what_the_pages_of_a_person_ask_for(
    living: Living, browser: Browser, tmp_path: Path
) -> None:
    """From the lobby to a tournament that waits, to its table, and twenty seconds of play there.

    Rows of the lobby are left out: no bot stays there.
    """
    tournament = living.offer(
        players=PLAYERS, seats=PLAYERS, calm_ms=600_000, fields={"action_ms": 5_000}
    )
    url = living.layout.url
    lines = living.sessions.read_text().splitlines()[:PLAYERS]
    me, *others = [Identity(**json.loads(line)) for line in lines]
    person, bots = Person(browser, url, me), Bots(url, others, tournament, tmp_path)
    try:
        person.page.goto(f"{url}/")
        person.page.wait_for_selector("#lobby")
        person.page.goto(f"{url}/tournaments/{tournament}/")
        person.page.wait_for_selector("#tab-panel")
        bots.start()
        Puppet(url, me, call).register(tournament)
        living.wait(lambda: living.open_tables(tournament), 60.0, "the table is open")
        person.page.wait_for_selector("poker-table .seat .name")
        person.page.wait_for_timeout(SEATED_S * 1_000)
        person.wait_for("ask_rank")
    finally:
        person.leave()
        bots.stop()
    real, played = person.asked, bots.asked
    real.addresses.pop("/tournaments/N/row/", None)
    assert set(played.addresses) == set(real.addresses)
    assert set(played.streams) == set(real.streams)
    assert real.kinds.keys() - {"unsubscribe"} <= played.kinds.keys()
    share = played.kinds["ping"] / real.kinds["ping"]
    assert 0.5 <= share <= 2, (played.kinds, real.kinds)
