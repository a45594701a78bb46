"""The page of a proof in a real browser: the colour of its shield, its checks, and its rights."""

from __future__ import annotations

import json
import random
from collections.abc import Collection
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from redis import Redis

from accounts.models import User
from room_client.cutter import Cutter
from room_client.messages.commands import CutDeck
from room_client.view import seat_of
from tables.dealer.state import TableState
from tables.fairlog import proofs
from tables.fairness.signing import public_key_of
from tables.history import hand_proofs
from tables.models import CallKey, Hand, Table
from tables.records import stored
from tables.store import inbox
from tables.workers import recovery, sealing
from tests.tables import playing
from tests.tables.client_side import command, snapshot
from tests.tables.fairness.verifier import failures
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import PLAIN
from tests.web.visiting import PHONE, Visit, speak, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.django_db(transaction=True)

SHIELD = "#shield"


@pytest.fixture
def table(room: Redis) -> Table:
    """A table with three settled hands: seat 1 cuts the second, seats 1 and 2 the third."""
    sealing.publish_call_key()
    made = playing.sit_down([900] * 3)
    recovery.open_tables(room, [made.pk])
    cutters: dict[int, Cutter] = {}
    for cutting in ({1}, {1, 2}, {1, 2, 3}):
        for phase in ("hand", "granted"):
            while (state := playing.step_on(room, made.pk)).phase != phase:
                pass
            _say(room, state, cutters, cutting)
    return made


def _say(
    room: Redis, state: TableState, cutters: dict[int, Cutter], seats: Collection[int]
) -> None:
    """Let the browsers of these seats answer what they see."""
    for seat in state.seats:
        if seat.seat not in seats:
            continue
        if seat.user not in cutters:
            cutters[seat.user] = Cutter(partial(random.Random(seat.seat).randbytes, 32))
            cutters[seat.user].enter(sealing.room().hex())
        shown = snapshot(state, seat.user)
        own = seat_of(shown, seat.user)
        assert own is not None
        for message in cutters[seat.user].shown(shown, own):
            assert isinstance(message, CutDeck)
            inbox.append_cut(room, state.table, seat.user, command(message))


def _user(table: Table, seat: int) -> User:
    return User.objects.get(seat__table=table, seat__seat=seat)


def _address(table: Table, number: int) -> str:
    return reverse("hand_fair", args=[table.pk, number])


def _shield(page: Page, colour: str, words: str) -> None:
    expect(page.locator(SHIELD)).to_have_attribute("data-colour", colour)
    expect(page.locator(SHIELD)).to_contain_text(words)


@pytest.mark.sample
def test_the_shield_says_what_this_browser_found(visit: Visit, table: Table) -> None:
    mine = visit(_user(table, 2), _address(table, 3))
    _shield(mine, "green", "sealed before your cut")
    checks = mine.locator("#checks li")
    expect(checks).to_have_count(15)
    expect(checks.nth(12)).to_contain_text("within a minute")
    expect(checks.nth(4)).to_contain_text("has no notes of the hand")
    expect(mine.locator("main")).not_to_contain_text("[object")
    expect(mine.locator("#checks .is-false")).to_have_count(0)
    expect(checks.nth(2)).to_have_class("is-true")
    kept = stored.decode(bytes(Hand.objects.get(table=table, number=3).record))
    rows = mine.locator("#cuts tr")
    expect(rows.nth(0)).to_contain_text(kept.seats[0].name)
    expect(rows.nth(0)).to_contain_text("in time")
    expect(rows.nth(2)).to_contain_text("no pledge")
    expect(mine.locator("#envelopes li")).to_have_count(52)
    # All three hands were shown down: their cards, and the board.
    shown = len(json.loads(mine.locator("#given").inner_text())["proof"]["openings"])
    expect(mine.locator("#envelopes li.open")).to_have_count(shown)
    late = visit(_user(table, 3), _address(table, 3))
    _shield(late, "yellow", "you had just arrived")
    _shield(visit(None, _address(table, 3)), "green", "before the players' cut")
    first = visit(_user(table, 1), _address(table, 1))
    _shield(first, "yellow", "Nobody cut this deck")
    _shield(first, "yellow", "no pledge yet, as in a player's first hand")


def test_a_deck_that_waited_for_cuts_in_vain_says_so(
    room: Redis, visit: Visit, table: Table
) -> None:
    state = playing.step_on(room, table.pk)
    while state.phase != "hand" or state.hand_number != 5:
        state = playing.step_on(room, table.pk)
    while state.hand_number == 5:
        state = playing.step_on(room, table.pk)
    _shield(visit(None, _address(table, 5)), "yellow", "No cut came in time.")


@pytest.mark.sample
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seal": "0f" * 32}, "The seal is not that of these envelopes."),
        ({"cut": [*range(52)]}, "The cut does not follow from the call and the seeds."),
        ({"sealed_ms": 10**15}, "The deck was not sealed before the call"),
        ({"openings": []}, "A card that was shown is not opened, or was another one."),
        ({"call_signature": "00" * 64}, "its signature is wrong"),
        ({"roster": None}, "The seal is not that of these envelopes."),
        ({"envelopes": 52}, "The seal is not that of these envelopes."),
    ],
)
def test_a_forged_hand_is_red_and_offers_its_evidence(
    visit: Visit,
    table: Table,
    monkeypatch: pytest.MonkeyPatch,
    change: dict[str, Any],
    words: str,
) -> None:
    real = hand_proofs.hand_proof
    monkeypatch.setattr(proofs, "hand_proof", lambda *a, **k: {**(real(*a, **k) or {}), **change})
    page = visit(None, _address(table, 3))
    _shield(page, "red", words)
    expect(page.get_by_role("link", name="Save the evidence")).to_be_visible()


def test_an_old_hand_in_no_log_is_yellow(
    visit: Visit, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = hand_proofs.hand_proof

    def older(*given: Any, **wishes: Any) -> dict[str, Any]:
        told = real(*given, **wishes) or {}
        times = {name: told[name] - 7_200_000 for name in told if name.endswith("_ms")}
        return {**told, **times}

    page = visit(None, _address(table, 3))
    _shield(page, "green", "before the players' cut")
    monkeypatch.setattr(proofs, "hand_proof", older)
    page.reload()
    _shield(page, "yellow", "The public log does not hold this hand")
    expect(page.locator("#checks .is-false")).to_have_count(0)


def test_the_page_fits_a_phone_and_speaks_german(visit: Visit, table: Table) -> None:
    page = visit(_user(table, 2), f"/tables/{table.pk}/hands/3/", PHONE)
    page.get_by_role("link", name="Proof").click()
    _shield(page, "green", "sealed before your cut")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    speak(page, "de")
    _shield(page, "green", "vor deinem Abheben versiegelt")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_a_browser_without_a_secure_connection_checks_in_plain_script(
    visit: Visit, table: Table
) -> None:
    page = visit(None, _address(table, 3), origin=PLAIN)
    assert not page.evaluate("isSecureContext || Boolean(crypto.subtle)")
    _shield(page, "green", "before the players' cut")
    expect(page.locator("#checks .is-true")).to_have_count(9)


def test_the_proof_of_a_cut_deck_holds_for_the_script(room: Redis, table: Table) -> None:
    key = public_key_of(sealing.call_key())
    assert [bytes(row.public) for row in CallKey.objects.all()] == [key]
    sealing.publish_call_key()
    assert CallKey.objects.count() == 1, "published once"
    for number, states in ((1, [0, 0, 0]), (2, [2, 0, 0]), (3, [2, 2, 0])):
        answer = Client().get(reverse("hand_proof", args=[table.pk, number]))
        proof = json.loads(answer.content)
        assert [row["state"] for row in proof["roster"]] == states
        assert failures(proof, None, key) == set()


def test_a_hand_that_is_not_released_or_not_there_has_no_page(room: Redis, table: Table) -> None:
    client = Client()
    assert client.get(_address(table, 3)).status_code == 200
    for number in (4, 99):
        assert client.get(_address(table, number)).status_code == 404
    Hand.objects.filter(table=table, number=3).update(released_at="2099-01-01T00:00:00Z")
    assert client.get(_address(table, 3)).status_code == 404


def test_the_script_is_served_as_one_file() -> None:
    answer = Client().get(reverse("fair_script"))
    assert answer.status_code == 200 and "verify.py" in answer["Content-Disposition"]
    assert answer.getvalue().startswith(b'"""Check the proof of one poker hand')
