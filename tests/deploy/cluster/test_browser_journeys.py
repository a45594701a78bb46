"""Journeys in a real browser against a real room: playing to a prize, and watching."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import Error as PlaywrightError

from tables.bots.client.connection import Identity
from tables.fairness.cutting import CutState
from tables.records import stored
from tests.deploy.cluster.living import Living
from tests.web import browsing
from tests.web.puppets import Puppet, call, shove

PLAYERS, SEATS = 6, 3
PATIENCE_S = 600
SOON_MS = 60_000
UNHURRIED_MS = 60_000
"""Time to act at a table whose player is a page of this browser, on a machine that is slow."""

_HAND = "() => document.querySelector('poker-table').model.state.hand"

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing.headless() as opened:
        yield opened


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB")
    opened = context.new_page()
    opened.set_default_timeout(SOON_MS)
    expect.set_options(timeout=SOON_MS)
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda line: faults.append(line.text) if _is_fault(line.text) else None)
    yield opened
    context.close()
    assert faults == []


@pytest.mark.rule("Z-04")
def test_sign_up_register_play_move_and_win_a_prize(living: Living, page: Page) -> None:
    tournament = living.offer(
        players=PLAYERS, seats=SEATS, calm_ms=600_000, fields={"action_ms": UNHURRIED_MS}
    )
    puppets = [Puppet(living.layout.url, who, call) for who in _identities(living, PLAYERS - 1)]
    for puppet in puppets:
        puppet.register(tournament)
        puppet.start()
    try:
        _sign_up(page, living.layout.url, "Journey.1")
        expect(page.locator("#balance")).to_have_text("10,000.00")
        _register(page, tournament)
        living.wait(lambda: living.open_tables(tournament), 20.0, "the tables are open")
        page.wait_for_selector("poker-table")
        first = page.url
        for puppet in puppets:
            puppet.choose = shove  # not earlier, or the first table might be closed already
        tables = {first} | _play_to_the_end(living, page)
    finally:
        for puppet in puppets:
            puppet.stop()
    assert len(tables) >= 2, "the final table has new seats and the page followed"
    living.wait(lambda: living.state_of(tournament) == "finished", 30.0, "it is over")
    way = page.locator("poker-table .notice button")
    expect(way, "there is no other table").to_have_text("To the tournament")
    (prize,) = living.sql(
        "SELECT e.prize, e.place FROM tournaments_entry e WHERE e.tournament_id = %s"
        " AND e.name = %s",
        tournament,
        "Journey.1",
    )
    assert prize in [(42_00, 1), (18_00, 2)], "both remaining places are paid"
    cuts = _cuts_of(living, tournament, "Journey.1")
    assert cuts[CutState.OPENED] > cuts[CutState.SILENT], "this browser cut its decks"
    page.goto(f"{living.layout.url}/wallet/")
    expect(page.locator("#wallet-balance")).to_have_text(
        f"{(10_000_00 - 11_00 + prize[0]) / 100:,.2f}"
    )
    rows = page.locator("table.list tbody tr")
    expect(rows.first).to_contain_text("Prize")
    expect(rows.first).to_contain_text(f"+{prize[0] / 100:.2f}")
    page.goto(f"{living.layout.url}/tournaments/{tournament}/?tab=players")
    expect(page.locator("tr.own")).to_contain_text(f"{prize[0] / 100:.2f}")


def _cuts_of(living: Living, tournament: int, name: str) -> Counter[CutState]:
    """Count the states of a player's seeds in the settled hands of a tournament."""
    found: Counter[CutState] = Counter()
    for (raw,) in living.sql(
        "SELECT h.record FROM tables_hand h JOIN tables_table t ON t.id = h.table_id"
        " WHERE t.director = 'tournament' AND t.game = %s",
        tournament,
    ):
        kept = stored.decode_open(bytes(raw))
        own = [seat.seat for seat in kept.seats if seat.name == name]
        rows = kept.called.roster() if kept.called else ()
        found.update(row.state for row in rows if row.seat in own)
    return found


def test_a_spectator_sees_the_play_but_no_hole_cards_and_comes_back_after_a_cut(
    living: Living, page: Page
) -> None:
    tournament = living.offer(players=3, seats=3, calm_ms=600_000)
    puppets = [Puppet(living.layout.url, who, call) for who in _identities(living, 3)]
    for puppet in puppets:
        puppet.register(tournament)
        puppet.start()
    try:
        living.wait(lambda: living.open_tables(tournament), 20.0, "the tables are open")
        page.goto(f"{living.layout.url}/")
        page.locator(f"#tournament-{tournament}").get_by_role("link", name="Watch").click()
        page.wait_for_selector("poker-table .seat .name")
        expect(page.locator(".action-panel .status")).to_contain_text("watching")
        _only_hidden_cards_before_the_river(page)
        hand = page.evaluate(_HAND)
        living.kill("web")
        expect(page.locator("#line-banner")).to_be_visible()
        expect(page.locator("#line-banner")).to_contain_text("attempt")
        expect(page.locator("poker-table[data-stale]")).to_have_count(1)
        living.wait(lambda: living.supervisor.pid("web"), 20.0, "the web process is back")
        living.wait(lambda: not page.locator("#line-banner").is_visible(), 30.0, "it is connected")
        living.wait(lambda: page.evaluate(_HAND) > hand + 1, 30.0, "play goes on")
        expect(page.locator("poker-table[data-stale]")).to_have_count(0)
        assert page.locator(".verb:visible").count() == 0, "a spectator has no action buttons"
    finally:
        for puppet in puppets:
            puppet.choose = shove
        living.wait(lambda: living.state_of(tournament) == "finished", 60.0, "it is over")
        for puppet in puppets:
            puppet.stop()


def test_a_second_tab_watches_until_it_is_asked_to_play_and_the_first_says_so(
    living: Living, page: Page
) -> None:
    tournament = living.offer(
        players=2, seats=2, calm_ms=600_000, fields={"action_ms": UNHURRIED_MS}
    )
    other, me = (Puppet(living.layout.url, who, call) for who in _identities(living, 2))
    other.register(tournament)
    me.register(tournament)
    other.start()
    try:
        living.wait(lambda: living.open_tables(tournament), 20.0, "the table is open")
        (table,) = living.open_tables(tournament)
        cookie = {"name": "sessionid", "value": me.identity.session, "url": living.layout.url}
        page.context.add_cookies([cookie])  # type: ignore[list-item]
        address = f"{living.layout.url}/tables/{table}/"
        page.goto(address)
        expect(page.locator(".seat[data-me]")).to_be_visible()
        second = page.context.new_page()
        second.goto(address)
        expect(second.locator(".seat[data-me]")).to_be_visible()
        expect(second.locator(".notice")).to_contain_text("in another window")
        expect(second.locator(".verb:visible")).to_have_count(0)
        expect(page.locator(".notice")).to_be_hidden()
        second.get_by_role("button", name="Play here").click()
        expect(second.locator(".notice")).to_be_hidden()
        expect(page.locator(".notice")).to_contain_text("in another window")
        expect(page.locator(".verb:visible")).to_have_count(0)
        second.close()
    finally:
        page.close()
        other.choose = me.choose = shove
        me.start()
        living.wait(lambda: living.state_of(tournament) == "finished", 60.0, "it is over")
        other.stop()
        me.stop()


def _is_fault(text: str) -> bool:
    """Return whether a console message is an error of the page, not a lost connection."""
    return "Content Security Policy" in text or ("Error" in text and "WebSocket" not in text)


def _identities(living: Living, count: int) -> list[Identity]:
    lines = living.sessions.read_text().splitlines()[:count]
    return [Identity(**json.loads(line)) for line in lines]


def _sign_up(page: Page, url: str, name: str) -> None:
    page.goto(url)
    page.locator(".hero").get_by_role("link", name="Sign up and play").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Sign up and play").click()
    page.wait_for_selector("#lobby")


def _register(page: Page, tournament: int) -> None:
    row = page.locator(f"#tournament-{tournament}")
    row.get_by_role("link", name="Register").click()
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("11.00")
    expect(dialog).to_contain_text("9,989.00")
    dialog.get_by_role("button", name="Register").click()


def _play_to_the_end(living: Living, page: Page) -> set[str]:
    """Fold with three or more players, then go all-in; return the addresses of the
    played tables.
    """
    tables = set()
    give_up_s = time.monotonic() + PATIENCE_S
    while not page.locator(".end-screen .prize").count():
        assert time.monotonic() < give_up_s, page.locator("main").inner_text()
        living.supervisor.tend()
        tables.add(page.url)
        _act(page)
        page.wait_for_timeout(100)
    return {address for address in tables if "/tables/" in address}


def _act(page: Page) -> None:
    if page.locator(".away:visible").count():
        _press(page.locator(".away"))
    if not page.locator("poker-table[data-my-turn]").count():
        return None
    left = page.locator("poker-table .strip .fact", has_text="Players").inner_text()
    if " 2 of" not in left.replace("\n", " "):
        return _press(page.locator(".verb.fold"))
    if page.locator(".preset:visible").count():
        _press(page.locator(".preset").last)
    verb = page.locator(".verb.raise")
    _press(verb if verb.is_visible() else page.locator(".verb.call"))
    return None


def _press(button: Locator) -> None:
    """Click, unless the page changed meanwhile."""
    with suppress(PlaywrightError):
        button.click(timeout=5_000)


def _only_hidden_cards_before_the_river(page: Page) -> None:
    looks = 0
    give_up_s = time.monotonic() + 60
    while looks < 5:
        assert time.monotonic() < give_up_s
        seen = page.evaluate(
            "async () => { const room = document.querySelector('poker-table');"
            " while (room.frame) await new Promise(requestAnimationFrame);"
            " const { state, moment } = room.model;"
            " return { street: state?.street, asked: Boolean(state?.turn),"
            " ended: moment.ended, made: moment.made,"
            " cards: [...document.querySelectorAll('.seat .hand .card')]"
            ".map((card) => card.dataset.card) }; }"
        )
        # A page that opens at the showdown has the shown cards, and no animation of the moment.
        if seen["cards"] and seen["asked"] and not seen["ended"] and not seen["made"]:
            assert set(seen["cards"]) == {"??"}, seen
            looks += 1
        page.wait_for_timeout(150)
