"""Pictures of the shield in its four colours and of the page of a proof, on a desk and a phone.

SHIELD_PICTURES=docs/images writes them anew; else they go to the folder of the test.
"""

from __future__ import annotations

import os
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from redis import Redis

from accounts.models import User
from room_client.cutter import Cutter
from room_client.messages.commands import CutDeck
from room_client.view import seat_of
from tables.fairlog import proofs
from tables.history import hand_proofs
from tables.models import Table
from tables.store import inbox
from tables.workers import recovery, sealing
from tests.tables import playing
from tests.tables.client_side import command, snapshot
from tests.tables.fairlog.log_scene import keep_all
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.web.visiting import DESK, PHONE, Visit, speak, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.django_db(transaction=True)

SHIELD = "#shield"
CUTTER, SILENT = 1, 2
"""Seats of a player who cuts the third hand, and of one who does not."""

COLOURS = ("grey", "green", "yellow", "red")
WORDS = {
    "en": ("Your browser is checking it", "before your cut", "just arrived", "does not match"),
    "de": ("Dein Browser prüft", "vor deinem Abheben", "gerade erst", "passt nicht"),
}
"""Words of the shields by language, in the order of the colours."""


@pytest.fixture
def table(room: Redis) -> Table:
    """A table with three settled and logged hands; the player in seat 1 cut the third."""
    sealing.publish_call_key()
    made = playing.sit_down([900] * 3)
    recovery.open_tables(room, [made.pk])
    cutter = Cutter(partial(random.Random(1).randbytes, 32))
    cutter.enter(sealing.room().hex())
    state = playing.step_on(room, made.pk)
    while state.hand_number < 4:
        if state.phase in ("granted", "hand"):
            shown = snapshot(state, state.at(CUTTER).user)
            own = seat_of(shown, state.at(CUTTER).user)
            assert own is not None
            for message in cutter.shown(shown, own):
                assert isinstance(message, CutDeck)
                inbox.append_cut(room, made.pk, state.at(CUTTER).user, command(message))
        state = playing.step_on(room, made.pk)
    keep_all()
    return made


def _folder(tmp_path: Path) -> Path:
    return Path(os.environ.get("SHIELD_PICTURES") or tmp_path)


def _forged(*args: Any, **options: Any) -> dict[str, Any]:
    """Proof of a hand with another signature of its call."""
    return {**(hand_proofs.hand_proof(*args, **options) or {}), "call_signature": "00" * 64}


def _opened(visit: Visit, table: Table, colour: str, size: tuple[int, int], language: str) -> Page:
    """Open the page of the third hand with a shield of this colour, in a language."""
    seat = SILENT if colour == "yellow" else CUTTER
    user = User.objects.get(seat__table=table, seat__seat=seat)
    page = visit(user, "/", size)
    if language != "en":
        speak(page, language)
    if colour == "grey":  # as long as nothing is checked
        page.route("**/js/fair/page*.js", lambda route: route.abort())
    page.goto(f"{ORIGIN}/tables/{table.pk}/hands/3/fair/")
    expect(page.locator(SHIELD)).to_have_attribute("data-colour", colour)
    return page


@pytest.mark.parametrize(
    ("language", "size"), [("en", DESK), ("de", PHONE)], ids=["english-desk", "german-phone"]
)
def test_the_shield_is_drawn_in_four_colours_with_their_words(
    visit: Visit,
    table: Table,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    size: tuple[int, int],
) -> None:
    folder, fills, pictures = _folder(tmp_path), set(), set()
    for colour, words in zip(COLOURS, WORDS[language], strict=True):
        if colour == "red":
            monkeypatch.setattr(proofs, "hand_proof", _forged)
        page = _opened(visit, table, colour, size, language)
        shield = page.locator(SHIELD)
        expect(shield).to_contain_text(words)
        fills.add(shield.locator("svg").evaluate("one => getComputedStyle(one).fill"))
        box = shield.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= size[0]
        picture = folder / f"shield-{colour}-{language}.png"
        pictures.add(shield.screenshot(path=picture))
        if colour == "green":
            expect(page.locator("#checks .is-true")).to_have_count(11)
            page.screenshot(path=folder / f"proof-{language}.png", full_page=True)
    assert len(fills) == len(pictures) == len(COLOURS)
