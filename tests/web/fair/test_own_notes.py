"""A player's browser notes its hands, and its shields say what it found."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect
from redis import Redis

from accounts.models import User
from tables.models import Hand, Table
from tables.workers import recovery, sealing
from tests.tables import playing
from tests.tables.fairlog.log_scene import keep_all
from tests.tables.fairness.verifier import failures
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN, PLAIN
from tests.web.visiting import Visit, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.django_db(transaction=True)


def _play(room: Redis, table: Table, page: Page, hands: int) -> None:
    """Play so many hands; the browser is given time to hear of each step.

    A hand takes longer than a pledge may be on its way: the next one's is surely there.
    """
    while Hand.objects.filter(table=table).count() < hands:
        playing.step_on(room, table.pk)
        page.wait_for_timeout(120)


def _notes(page: Page, hand: int) -> dict[str, object]:
    page.wait_for_function(
        "hand => Object.entries(localStorage).some(([name, kept]) =>"
        " name.endsWith(`:${hand}`) && kept.includes('course'))",
        arg=hand,
    )
    found: str = page.evaluate(
        "hand => Object.entries(localStorage).find(([name]) =>"
        " name.startsWith('fair:') && name.endsWith(`:${hand}`))[1]",
        hand,
    )
    notes: dict[str, object] = json.loads(found)
    return notes


@pytest.mark.parametrize("origin", [ORIGIN, PLAIN], ids=["secure", "plain"])
def test_notes_of_a_played_hand_agree_with_its_proof(
    room: Redis, visit: Visit, origin: str
) -> None:
    sealing.publish_call_key()
    table = playing.sit_down([9_000] * 3)
    recovery.open_tables(room, [table.pk])
    user = User.objects.get(seat__table=table, seat__seat=2)
    page = visit(user, "/", origin=origin)
    assert page.evaluate("isSecureContext && Boolean(crypto.subtle)") == (origin == ORIGIN)
    page.add_init_script("Math.random = () => 0.5")
    home = page.url.rstrip("/")
    page.goto(f"{home}/tables/{table.pk}/")
    expect(page.locator("poker-table .seat")).not_to_have_count(0)
    _play(room, table, page, 3)
    keep_all()
    notes = _notes(page, 3)
    assert notes["seed"] and notes["pledge"] and len(notes["hole"]) == 2  # type: ignore[arg-type]
    # The shield in the table's log is grey until it is pressed.
    mark = page.locator(".fair-mark").last
    expect(mark).to_have_attribute("data-colour", "grey")
    mark.dispatch_event("click")
    expect(mark).to_have_attribute("data-colour", "green")
    # A connection that comes back may bring the lines of that hand anew.
    shields = page.locator(".fair-mark").count()
    page.evaluate(
        "() => { const { model } = document.querySelector('poker-table');"
        " model.snapshot(model.state); }"
    )
    expect(page.locator(".fair-mark")).to_have_count(shields)
    expect(mark).to_have_attribute("data-colour", "green")
    page.goto(f"{home}/tables/{table.pk}/hands/3/fair/")
    expect(page.locator("#shield")).to_have_attribute("data-colour", "green")
    expect(page.locator("#checks li").nth(4)).to_contain_text("as this browser noted it")
    given = json.loads(page.locator("#given").inner_text())
    keys = (bytes.fromhex(given["keys"][name][0]) for name in ("log", "call"))
    assert failures({**given["proof"], "notes": {"in_time": False, **notes}}, *keys) == set()
    # Another call than the one that was told convicts the room.
    page.evaluate(
        "() => { const name = Object.keys(localStorage).find((one) => /^fair:.*:3$/.test(one));"
        " const kept = JSON.parse(localStorage.getItem(name));"
        " localStorage.setItem(name, JSON.stringify({ ...kept, call: '0f'.repeat(32) })); }"
    )
    page.goto(f"{home}/tables/{table.pk}/hands/3/")
    replay = page.locator(".fair-mark")
    replay.click()
    expect(replay).to_have_attribute("data-colour", "red")
    expect(replay).to_contain_text("not as this browser noted it")
