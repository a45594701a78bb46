"""The page of the own cards in a browser: tests, graphs, a download, three sizes."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest
from playwright.sync_api import expect

from accounts.models import User
from tables.dealt import counting
from tables.dealt.boxed import DealtKey
from tables.dealt.figures import DealtFigures
from tests.tables.gateway.socket_site import site
from tests.tournaments.club_scene import person
from tests.web.visiting import PHONE, Visit, speak, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

SIZES = ((390, 844), (844, 390), (1280, 800))


def _played(user: User, days: int, hands: int) -> None:
    """Store days of honest hold'em hands, and a favour of aces on the last one."""
    lot = Random(9)
    for day in range(days):
        ranks, suits = [0] * 13, [0] * 4
        for _ in range(hands):
            for card in lot.sample(range(52), 2):
                ranks[card // 4] += 1
                suits[card % 4] += 1
        figures = DealtFigures(
            hands=hands, ranks=tuple(ranks), suits=tuple(suits), pairs=hands // 17,
            suited=hands * 4 // 17, premium=hands // 39, board_ranks=tuple(ranks),
            board_suits=tuple(suits), all_ins=3, won=lot.randint(0, 12_000), due=6_000,
            spread=9_000_000,
        )  # fmt: skip
        counting.write({DealtKey(user.pk, date(2026, 11, 1) + timedelta(days=day), 2): figures})


def test_the_own_cards_are_read_with_their_tests_and_graphs(visit: Visit) -> None:
    ann = person("Ann")
    page = visit(ann, "/account/cards/", PHONE)
    expect(page.locator("main")).to_contain_text("No hands with cards of yours")
    _played(ann, 12, 250)
    page.goto(page.url.replace("cards/", ""))
    page.get_by_role("link", name="My cards").click()
    expect(page.locator("main")).to_contain_text("3,000 finished hands with 6,000 cards")
    expect(page.locator(".dealt-tests tbody tr")).to_have_count(4)
    expect(page.locator('.dealt-tests [data-verdict="few"]')).to_have_count(0)
    expect(page.locator(".kind-bars svg")).to_have_count(4)
    expect(page.get_by_role("img", name="Ranks of my hole cards")).to_be_visible()
    expect(page.get_by_role("img", name="Big blinds won more than due")).to_be_visible()
    with page.expect_download() as file:
        page.get_by_role("link", name="CSV").click()
    assert file.value.suggested_filename == "cards.csv"
    for language in ("de", "en"):
        speak(page, language)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, width
