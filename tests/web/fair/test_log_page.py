"""The page of fair dealing and the log in a real browser: a rewritten log is red."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Page, Route, expect
from redis import Redis

from tables.fairlog import log_keys, proofs
from tables.fairness.notes import LogHead, sign_head
from tables.models import Hand, Table
from tests.tables import playing
from tests.tables.fairlog.log_scene import keep_all, play
from tests.tables.fairness.verifier import failures
from tests.tables.gateway.socket_site import site
from tests.web.visiting import PHONE, Visit, speak, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(room: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table with two settled hands, all logged."""
    monkeypatch.setenv("LOG_KEY_FILE", str(tmp_path / "log_key"))
    made = play(room, 2)
    keep_all()
    return made


def test_a_browser_keeps_heads_and_notices_a_rewritten_log(
    room: Redis, visit: Visit, table: Table
) -> None:
    page = visit(None, f"/tables/{table.pk}/hands/1/fair/")
    checks = page.locator("#checks li")
    expect(checks.nth(13)).to_have_class("is-true")
    expect(checks.nth(14)).to_contain_text("kept no head")
    before = page.locator("#given").inner_text()
    while Hand.objects.count() < 3:
        playing.step_on(room, table.pk)
    keep_all()
    page.reload()
    expect(checks.nth(14)).to_contain_text("nothing in it was rewritten")
    expect(page.locator("#checks .is-false")).to_have_count(0)
    # The page that was read before has an older head than the one kept since.
    assert _judged(page, before)["found"]["V15"] is True
    # A head that the room signed over another log.
    forged = _rewritten(page, 8)
    evidence = _evidence(page)
    assert evidence["log"]["older"]["checkpoint"] == forged
    assert _failures(evidence) == {"V15"}


def _evidence(page: Page) -> dict[str, Any]:
    """File that the page offers of a hand that does not match its seal."""
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the evidence").click()
    evidence: dict[str, Any] = json.loads(Path(saved.value.path()).read_text())
    return evidence


def _failures(evidence: dict[str, Any]) -> set[str]:
    """Checks of the script that fail with the room's keys."""
    keys = proofs.public_keys()
    return failures(evidence, *(bytes.fromhex(keys[kind][0]) for kind in ("log", "call")))


def _judged(page: Page, given: str) -> dict[str, Any]:
    """Judgement by the browser of a proof and keys that a page gave."""
    found: dict[str, Any] = page.evaluate(
        "async given => (await import('/static/js/fair/shield.js')).judge(given.proof, given.keys)",
        json.loads(given),
    )
    return found


def test_a_browser_notices_a_log_that_is_shorter_than_the_head_it_kept(
    visit: Visit, table: Table
) -> None:
    page = visit(None, f"/tables/{table.pk}/hands/1/fair/")
    checks = page.locator("#checks li")
    expect(checks.nth(14)).to_contain_text("kept no head")
    forged = _rewritten(page, 999)
    evidence = _evidence(page)
    assert evidence["log"]["newer"]["checkpoint"] == forged
    assert _failures(evidence) == {"V15"}, "the script finds what the page has found"


def test_a_room_that_does_not_answer_has_not_rewritten_its_log(
    room: Redis, visit: Visit, table: Table
) -> None:
    page = visit(None, f"/tables/{table.pk}/hands/1/fair/")
    checks, shield = page.locator("#checks li"), page.locator("#shield")
    expect(checks.nth(14)).to_contain_text("kept no head")
    kept = page.evaluate("localStorage.getItem('fair:head')")
    while Hand.objects.count() < 3:
        playing.step_on(room, table.pk)
    keep_all()
    answers: list[Callable[[Route], None]] = [
        lambda route: route.abort(),
        lambda route: route.fulfill(status=503),
        lambda route: route.fulfill(status=200, body="<html>"),
    ]
    for answer in answers:
        page.route("**/fair/consistency/**", answer)
        page.reload()
        expect(shield).to_contain_text("the room did not answer")
        expect(shield).to_have_attribute("data-colour", "grey")
        assert page.evaluate("localStorage.getItem('fair:head')") == kept, "it is compared later"
        page.unroute("**/fair/consistency/**")
    page.reload()
    expect(checks.nth(14)).to_contain_text("nothing in it was rewritten")


def _rewritten(page: Page, size: int) -> str:
    """Let the page keep a head that the room signed over another log of so many leaves, and find
    the log rewritten; return the head.
    """
    forged = sign_head(LogHead(settings.FAIR_ORIGIN, size, bytes(32)), log_keys.private_keys()[0])
    kept = {"origin": settings.FAIR_ORIGIN, "size": size, "checkpoint": forged}
    page.evaluate("kept => localStorage.setItem('fair:head', kept)", json.dumps(kept))
    page.reload()
    expect(page.locator("#shield")).to_have_attribute("data-colour", "red")
    expect(page.locator("#shield")).to_contain_text("it was rewritten")
    return forged


def test_the_page_of_fair_dealing_fits_a_phone_and_speaks_german(
    visit: Visit, table: Table
) -> None:
    page = visit(None, f"/fair/?table={table.pk}&hand=1", PHONE)
    expect(page.get_by_role("heading", level=1)).to_have_text("Fair dealing")
    expect(page.locator("#found tr")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    speak(page, "de")
    expect(page.get_by_role("heading", level=1)).to_have_text("Faires Geben")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
