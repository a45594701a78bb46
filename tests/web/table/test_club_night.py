"""A guest of a club night: a browser on another machine plays and checks hands over plain http."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connections
from playwright.sync_api import Browser, Page, expect
from redis import Redis

from accounts.logins.minting import mint
from accounts.models import User
from config import limits
from tables.chance.cut_shares import count_shares
from tables.fairness.cutting import CutState
from tables.models import Hand, Table
from tables.records import stored
from tables.store import fenced
from tables.workers import advance, recovery, sealing
from tests.browser import chromium
from tests.tables import playing
from tests.tables.fairlog.log_scene import keep_all
from tests.tables.gateway.sockets import Site
from tests.web.browsing import PATIENCE_MS, started, wait_until
from tests.web.table import apart
from tests.web.table.apart import SITE, TwoMachines

pytestmark = pytest.mark.django_db(transaction=True)

OWN = 2
"""Seat of the guest."""

HANDS = 5
SHIELD = "#shield"

FORGED = """
const real = window.fetch;
window.fetch = async (address, ...more) => {
  const answer = await real(address, ...more);
  if (!String(address).endsWith("/proof.json")) return answer;
  return Response.json({ ...(await answer.json()), call_signature: "00".repeat(64) });
};
"""
"""Script that gives the page every proof with another signature of its call."""


@pytest.fixture
def machines() -> Iterator[TwoMachines | None]:
    """Two machines; None, and a warning with the reason, where the system makes no namespaces."""
    if reason := apart.why_not():
        warnings.warn(f"a browser on another machine was not tried: {reason}", stacklevel=1)
        yield None
        return
    with apart.two_machines() as made:
        yield made


@pytest.fixture
def site(
    transactional_db: None,
    room: Redis,
    broker: Redis,
    machines: TwoMachines | None,
    settings: LazySettings,
) -> Iterator[None]:
    """Web server of the room, on the machine of the site."""
    if machines is None:
        yield
        return
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, SITE]
    settings.SOCKET_ORIGINS.append(machines.origin)
    running = Site(listening=machines.listening())
    running.start()
    yield
    running.stop()
    settings.SOCKET_ORIGINS.remove(machines.origin)


@pytest.fixture
def guest(
    site: None, machines: TwoMachines | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Browser | None]:
    """Browser on the machine of the guest."""
    if machines is None:
        yield None
        return
    # The browser's event loop runs in this thread; Django's async check would refuse queries.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    with started(machines.browser(chromium(), tmp_path)) as browser:
        yield browser
        connections.close_all()


@pytest.fixture
def table(room: Redis, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table of three whose deals wait for a cut as long as a busy machine needs."""
    monkeypatch.setattr(limits, "CUT_WAIT_MS", PATIENCE_MS)
    sealing.publish_call_key()
    made = playing.sit_down([9_000] * 3)
    recovery.open_tables(room, [made.pk])
    return made


def _page(guest: Browser, machines: TwoMachines, table: Table) -> Page:
    """Page of the table, of the player in the own seat."""
    user = User.objects.get(seat__table=table, seat__seat=OWN)
    [(_, key)] = mint([user], 1)
    context = guest.new_context(locale="en-GB", service_workers="block")
    context.add_cookies([{"name": "sessionid", "value": key, "url": machines.origin}])
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{machines.origin}/tables/{table.pk}/")
    expect(page.locator("poker-table .seat")).not_to_have_count(0)
    return page


def _play(room: Redis, table: Table, page: Page, hands: int) -> None:
    """Play so many hands; the browser is given time to hear of each step, and to cut."""
    while Hand.objects.filter(table=table).count() < hands:
        wait_until(page, lambda: _is_dealt(room, table))
        playing.step_on(room, table.pk)
        page.wait_for_timeout(40)


def _is_dealt(room: Redis, table: Table) -> bool:
    """Obey what the browser sent; return whether no granted hand waits for its seed any more."""
    state = fenced.peek(room, table.pk)
    if state is not None and state.phase == "granted":
        advance.advance(room, table.pk)
        state = fenced.peek(room, table.pk)
    assert state is not None
    return state.phase != "granted"


def test_a_browser_on_another_machine_cuts_and_checks_over_plain_http(
    room: Redis, table: Table, machines: TwoMachines | None, guest: Browser | None
) -> None:
    if machines is None or guest is None:
        assert apart.why_not()
        return
    page = _page(guest, machines, table)
    # 1. The page is no secure context, and its browser lives on the guest's machine alone.
    assert page.url.startswith(f"http://{SITE}:"), "neither localhost nor encrypted"
    assert not page.evaluate("isSecureContext || Boolean(crypto.subtle)")
    assert machines.inhabitants(), "the browser is on the machine of the guest"
    # 2. Its pledges are called, opened in time, and counted as cuts.
    _play(room, table, page, HANDS)
    keep_all()
    records = [stored.decode(bytes(row.record)) for row in Hand.objects.order_by("number")]
    own = [
        row
        for kept in records
        if kept.called is not None
        for row in kept.called.roster()
        if row.seat == OWN
    ]
    assert [row.state for row in own[-3:]] == [CutState.OPENED] * 3
    assert len({row.seed for row in own[-3:]}) == 3
    counted = count_shares()[playing.NAME]
    assert counted.hands == HANDS and counted.in_time == counted.hands_cut >= 3
    assert counted.called == counted.in_time
    # 3. The shields of table, replay and proof are green by checks in this browser.
    page.goto(f"{machines.origin}/tables/{table.pk}/hands/{HANDS}/")
    mark = page.locator(".fair-mark")
    expect(mark).to_have_attribute("data-colour", "grey")
    mark.click()
    expect(mark).to_have_attribute("data-colour", "green")
    page.goto(f"{machines.origin}/tables/{table.pk}/hands/{HANDS}/fair/")
    expect(page.locator(SHIELD)).to_have_attribute("data-colour", "green")
    expect(page.locator(SHIELD)).to_contain_text("sealed before your cut")
    checks = page.locator("#checks li")
    for code in (1, 3, 4, 5, 7, 8, 9, 10, 11, 13, 14):
        expect(checks.nth(code - 1)).to_have_class("is-true")
    assert not page.evaluate("isSecureContext")
    # 4. They are checks: a wrong signature is found.
    page.add_init_script(FORGED)
    page.goto(f"{machines.origin}/tables/{table.pk}/hands/{HANDS}/")
    mark.click()
    expect(mark).to_have_attribute("data-colour", "red")
    expect(mark).to_contain_text("its signature is wrong")
