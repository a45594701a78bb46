"""Connection of a page on a failing network: the page shows the loss, times out and reconnects."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, WebSocket, expect
from redis import Redis

from config import limits
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.sockets import PATIENCE_S, Site, users, wait_for
from tests.web import browsing
from tests.web.visiting import Visit, visit

__all__ = ["game", "site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

# One more connection of a page, on a clock that the test moves, and its reports.
_LINE = """async (address) => {
  const { Line } = await import("/static/js/shared/socket.js");
  window.line = new Line(address);
  window.told = [];
  line.addEventListener("line", ({ detail }) => told.push(detail.state));
  line.open();
}"""


@pytest.fixture
def silence() -> Iterator[str]:
    """Address of a server that accepts every connection and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"ws://127.0.0.1:{listening.getsockname()[1]}/"


@pytest.fixture
def page() -> Iterator[Page]:
    """A page whose clock stands until the test moves it."""
    with browsing.files() as address, browsing.headless() as browser:
        shown = browser.new_page()
        shown.clock.install(time=0)
        shown.goto(f"{address}/static/icon.svg")
        shown.clock.pause_at(60_000)
        yield shown


def _told(page: Page) -> list[str]:
    told: list[str] = page.evaluate("() => told")
    return told


def test_a_connection_that_does_not_open_times_out_and_is_retried(page: Page, silence: str) -> None:
    page.evaluate(_LINE, silence)
    page.clock.run_for(7_900)
    assert _told(page) == ["connecting"]
    page.clock.run_for(600)
    assert _told(page) == ["connecting", "lost", "connecting"]


def test_a_stale_connection_is_not_awaited_when_the_network_is_back(
    page: Page, silence: str
) -> None:
    page.evaluate(_LINE, silence)
    page.clock.run_for(500)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    assert _told(page) == ["connecting"]
    page.clock.run_for(1_000)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    assert _told(page) == ["connecting", "lost", "connecting"]


# Offset in ms that the page reckons from answered pings: [sent, told by the room, received].
_OFFSET = """async (pings) => {
  const { heard, now } = await import("/static/js/shared/clock.js");
  for (const ping of pings) heard(...ping);
  return now() - Date.now();
}"""


def test_a_clock_that_is_set_is_noticed_with_the_next_ping(page: Page) -> None:
    before = [(at, at + 1_005, at + 10) for at in range(0, 30_000, 5_000)]
    assert page.evaluate(_OFFSET, before) == 1_000
    # An hour back: the answer on its way says nothing, and the next is slower than those before.
    during = (30_000, 31_005, 30_010 - 3_600_000)
    after = (35_000 - 3_600_000, 36_020, 35_040 - 3_600_000)
    assert page.evaluate(_OFFSET, [during, after]) == 3_601_000


class _Room:
    """Second connection of a page to the real room, on a clock that the test moves."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pongs = 0
        address = page.evaluate("() => `ws://${location.host}/ws/v1/?second`")
        page.on("websocket", lambda line: self._follow(line, address))
        page.clock.install()
        page.evaluate(_LINE, address)
        self.wait_for_pongs(1)
        page.evaluate("() => told.splice(0)")

    def _follow(self, line: WebSocket, address: str) -> None:
        if line.url == address:
            line.on("framereceived", self._hear)

    def _hear(self, frame: str | bytes) -> None:
        self.pongs += '"pong"' in str(frame)

    def wait_for_pongs(self, count: int) -> None:
        browsing.wait_until(self.page, lambda: self.pongs >= count)


def test_a_healthy_connection_survives_timers_throttled_to_once_a_minute(visit: Visit) -> None:
    [ann] = users("ann")
    room = _Room(visit(ann, "/"))
    for count in (2, 3):
        room.page.clock.fast_forward(60_000)
        room.wait_for_pongs(count)
    assert _told(room.page) == []


def test_a_room_that_says_something_is_pinged_only_for_its_clock(visit: Visit) -> None:
    [ann] = users("ann")
    room = _Room(visit(ann, "/"))
    browsing.stand_still(room.page)
    room.wait_for_pongs(2)
    for _ in range(6):
        room.page.clock.run_for(3_000)
        said = room.page.evaluate("() => line.command({ type: 'sit_out' })")
        assert said["code"] not in ("line_lost", "no_answer")
    assert room.pongs == 2
    room.page.clock.run_for(3_000)
    room.wait_for_pongs(3)


def test_a_clock_that_is_set_back_delays_no_ping(visit: Visit) -> None:
    [ann] = users("ann")
    room = _Room(visit(ann, "/"))
    browsing.stand_still(room.page)
    room.wait_for_pongs(2)
    room.page.clock.set_system_time(0)
    room.page.clock.run_for(7_000)
    room.wait_for_pongs(3)


@pytest.mark.parametrize("news", ["visibilitychange", "online"])
def test_a_page_that_wakes_asks_at_once(visit: Visit, news: str) -> None:
    [ann] = users("ann")
    room = _Room(visit(ann, "/"))
    browsing.stand_still(room.page)
    room.wait_for_pongs(2)
    target = "document" if news == "visibilitychange" else "window"
    room.page.evaluate(f"() => {target}.dispatchEvent(new Event('{news}'))")
    room.wait_for_pongs(3)


@contextmanager
def _mute(site: Site) -> Iterator[None]:
    """Let the server accept messages without an answer."""
    stuck, over = threading.Event(), threading.Event()

    def hang() -> None:
        stuck.set()
        over.wait(PATIENCE_S)

    assert site.loop is not None
    site.loop.call_soon_threadsafe(hang)
    stuck.wait(PATIENCE_S)
    yield
    over.set()


def test_a_connection_without_pongs_is_closed(visit: Visit, site: Site) -> None:
    [ann] = users("ann")
    room = _Room(visit(ann, "/"))
    with _mute(site):
        for _ in range(4):
            room.page.clock.fast_forward(10_000)
        assert "lost" in _told(room.page)


@pytest.mark.parametrize(("urgent", "within_ms"), [(True, 3_000), (False, 10_000)])
def test_silence_is_reported_sooner_during_the_own_turn(
    visit: Visit, site: Site, urgent: bool, within_ms: int
) -> None:
    [ann] = users("ann")
    room = _Room(visit(ann, "/"))
    room.page.evaluate("(urgent) => { line.urgent = urgent }", urgent)
    browsing.stand_still(room.page)
    room.wait_for_pongs(2)
    with _mute(site):
        room.page.clock.run_for(within_ms)
        assert _told(room.page) == ["silent"]
        said = room.page.evaluate("() => line.command({ type: 'sit_out' })")
        assert said == {"type": "refused", "code": "line_lost"}
    room.page.wait_for_function("() => told.includes('answers')", polling=50)
    assert _told(room.page) == ["silent", "answers"]


def test_an_offline_browser_is_reported_at_once_until_the_server_answers(visit: Visit) -> None:
    [ann] = users("ann")
    room = _Room(visit(ann, "/"))
    room.page.evaluate("() => dispatchEvent(new Event('offline'))")
    assert _told(room.page)[:1] == ["silent"]
    room.page.wait_for_function("() => told.includes('answers')", polling=50)


def test_the_table_reports_silence_and_hides_the_buttons_until_an_answer(
    visit: Visit, game: Game, site: Site
) -> None:
    page = visit(game.user(game.actor), f"/tables/{game.row.pk}/")
    expect(page.locator(".verb.fold")).to_be_visible()
    with _mute(site):
        expect(page.locator("#line-banner")).to_contain_text("The room does not answer.")
        expect(page.locator("poker-table[data-stale]")).to_have_count(1)
        expect(page.locator(".verb.fold")).to_be_hidden()
    expect(page.locator("#line-banner")).to_be_hidden()
    expect(page.locator(".verb.fold")).to_be_visible()


def test_a_refusal_for_too_many_connections_is_shown_and_retried(visit: Visit, site: Site) -> None:
    [ann] = users("ann")
    others = [site.client(ann) for _ in range(limits.SOCKETS_PER_USER_MAX)]
    page = visit(ann, "/")
    banner = page.locator("#line-banner")
    expect(banner).to_contain_text("Too many connections, perhaps from other pages of yours.")
    expect(banner).to_contain_text(re.compile("attempt [2-9]"))
    others[0].close()
    expect(banner).to_be_hidden()
    wait_for(lambda: len(site.ask(lambda here: here.sockets.of(ann.pk))) == len(others))


# Another connection of the page, which says too much and then follows the lobby.
_TALKATIVE = """async (said) => {
  const { Line } = await import("/static/js/shared/socket.js");
  const line = new Line(`ws://${location.host}/ws/v1/`);
  window.heard = [];
  line.addEventListener("line", ({ detail }) => {
    if (detail.state !== "open") return;
    const { socket } = line;
    const receive = socket.onmessage;
    socket.onmessage = (message) => {
      heard.push(JSON.parse(message.data).code);
      receive(message);
    };
    for (let at = 0; at < said; at += 1) line.say({ type: "ping", sent_ms: 0 });
    line.follow("lobby", { snapshot: () => heard.push("lobby"), events: () => {} });
  });
  line.open();
}"""


def test_a_stream_whose_request_was_not_read_is_requested_again(visit: Visit) -> None:
    page = visit(None, "/")
    page.evaluate(_TALKATIVE, limits.CLIENT_MESSAGES_BURST_MAX + 60)
    browsing.wait_until(page, lambda: "lobby" in page.evaluate("() => heard"))
    assert "slow_down" in page.evaluate("() => heard.slice(0, heard.indexOf('lobby'))")


def test_a_player_without_an_open_table_window_is_marked(
    visit: Visit, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LINE_GRACE_MS", 50)
    away, other = game.others
    there = game.client(away)
    page = visit(game.user(game.actor), f"/tables/{game.row.pk}/")
    seats = {
        seat: page.get_by_role("group", name=re.compile(f"^{game.user(seat).name},"))
        for seat in (game.actor, away, other)
    }
    gone = re.compile(", disconnected")
    expect(seats[other]).to_have_accessible_name(gone)
    expect(seats[other].get_by_title("Disconnected")).to_be_visible()
    expect(seats[away]).not_to_have_accessible_name(gone)
    expect(seats[game.actor]).not_to_have_accessible_name(gone)
    there.close()
    expect(seats[away]).to_have_accessible_name(gone)
    game.client(away)
    game.client(other)
    for seat in seats.values():
        expect(seat).not_to_have_accessible_name(gone)
        expect(seat.get_by_title("Disconnected")).to_be_hidden()


def test_a_command_sent_into_a_breaking_connection_is_not_reported_unsent(
    visit: Visit, game: Game, room: Redis
) -> None:
    page = visit(game.user(game.actor), f"/tables/{game.row.pk}/")
    page.locator(".verb.fold").click()
    wait_for(game.waiting)
    page.evaluate("async () => (await import('/static/js/shared/socket.js')).line().socket.close()")
    expect(page.locator(".toast[data-kind=error]")).to_contain_text("look at the table")
    expect(page.locator(".verb.fold")).to_be_enabled()
