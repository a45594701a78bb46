"""Own words for the cut: kept in the browser alone, mixed into its seeds, told to nobody."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, expect
from redis import Redis

from accounts.models import User
from tables.fairness.cutting import pledge_of
from tables.fairness.encoding import digest, tag
from tables.models import Hand
from tables.records import stored
from tables.workers import recovery, sealing
from tests.tables import playing
from tests.tables.gateway.socket_site import site
from tests.tournaments.club_scene import person
from tests.web.browsing import wait_until
from tests.web.visiting import PHONE, Visit, speak, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = "Mein Großvater zählt bis 7"
LOT = re.compile(r"([a-z2-9]{4} ){4}[a-z2-9]{4}")
KNOWN = """() => {
  const drawn = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (bytes) => (bytes.length === 32 ? bytes.fill(7) : drawn(bytes));
}"""


def _sent(page: Page) -> list[str]:
    """Everything that the page sends from now on: addresses, bodies, frames of its socket."""
    sent: list[str] = []
    page.on("request", lambda one: sent.append(f"{one.url} {one.post_data or ''}"))

    def follow(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(str(frame)))

    page.on("websocket", follow)
    return sent


def _kept(page: Page) -> str | None:
    found: str | None = page.evaluate("() => localStorage.getItem('room.own_seed')")
    return found


def test_words_are_kept_in_the_browser_and_wrong_ones_change_nothing(visit: Visit) -> None:
    page = visit(person("Ann"), "/account/", PHONE)
    sent = _sent(page)
    page.get_by_role("link", name="Own words for the cut").click()
    box, note = page.get_by_label("Your words"), page.locator("#words-note")
    box.fill(f"  {WORDS.replace(' ', '   ')} ")
    box.press("Enter")
    expect(note).to_contain_text("Kept in this browser.")
    expect(box).to_have_value(WORDS)
    assert _kept(page) == WORDS
    for wrong, why in (
        ("x" * 201, "At most 200 characters."),
        ("left \u202e right", "characters that cannot be shown"),
    ):
        box.fill(wrong)
        page.get_by_role("button", name="Keep").click()
        expect(note).to_contain_text(why)
        expect(box).to_have_attribute("aria-invalid", "true")
        assert _kept(page) == WORDS
    page.reload()
    expect(box).to_have_value(WORDS)
    page.get_by_role("button", name="New lot").click()
    expect(box).to_have_value(LOT)
    lot = box.input_value()
    page.get_by_role("button", name="New lot").click()
    expect(box).not_to_have_value(lot)
    expect(box).to_have_value(LOT)
    speak(page, "de")
    for width, height in (PHONE, (844, 390), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
    page.get_by_role("button", name="Keine").click()
    expect(page.locator("#words-note")).to_contain_text("keine Worte mehr")
    assert _kept(page) is None
    assert not [one for one in sent if WORDS in one or "Gro" in one or lot in one]


def test_a_browser_without_storage_says_that_it_keeps_no_words(visit: Visit) -> None:
    page = visit(person("Ann"), "/account/own-words/")
    page.evaluate(
        """() => {
          const set = Storage.prototype.setItem;
          Storage.prototype.setItem = function (name, value) {
            if (name === 'room.own_seed') throw new Error('full');
            set.call(this, name, value);
          };
        }"""
    )
    box = page.get_by_label("Your words")
    box.fill(WORDS)
    page.get_by_role("button", name="Keep").click()
    expect(page.locator("#words-note")).to_contain_text("This browser keeps nothing")
    expect(box).to_have_value("")


def _cuts(sent: list[str]) -> list[dict[str, Any]]:
    frames = [json.loads(one) for one in sent if one.startswith("{")]
    return [one for one in frames if one.get("type") == "cut"]


def test_a_pledge_follows_from_the_words_and_the_room_never_sees_them(
    room: Redis, visit: Visit
) -> None:
    sealing.publish_call_key()
    table = playing.sit_down([9_000] * 3)
    recovery.open_tables(room, [table.pk])
    user = User.objects.get(seat__table=table, seat__seat=2)
    page = visit(user, "/account/own-words/")
    page.get_by_label("Your words").fill(WORDS)
    page.get_by_role("button", name="Keep").click()
    expect(page.locator("#words-note")).to_contain_text("Kept in this browser.")
    page.add_init_script(f"({KNOWN})()")
    sent = _sent(page)
    page.goto(page.url.replace("/account/own-words/", f"/tables/{table.pk}/"))
    wait_until(page, lambda: _cuts(sent))
    room_id = bytes.fromhex(page.evaluate("() => JSON.parse(localStorage.getItem('cuts')).room"))
    entry = table.seats.get(seat=2).entry
    seed = digest(tag("ownseed"), b"\x07" * 32, WORDS.encode())
    pledge = pledge_of(room_id, entry, seed).hex()
    first = _cuts(sent)[0]
    assert (first.get("seed"), first["pledge"]) == (None, pledge)
    assert not [one for one in sent if seed.hex() in one], "a pledge hides its seed"
    while not any(one.get("seed") for one in _cuts(sent)):
        playing.step_on(room, table.pk)
        page.wait_for_timeout(40)
    opened = next(one for one in _cuts(sent) if one.get("seed"))
    assert opened["seed"] == seed.hex(), "the words are mixed into the random number"
    while not Hand.objects.filter(table=table, number__gte=opened["hand"]).exists():
        playing.step_on(room, table.pk)
    assert not [one for one in sent if "vater" in one or "room.own_seed" in one]
    kept = bytes(Hand.objects.get(table=table, number=opened["hand"]).record)
    called = stored.decode(kept).called
    assert called is not None and seed in {cut.seed for cut in called.cuts}
    assert WORDS.encode() not in kept
