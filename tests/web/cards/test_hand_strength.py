"""Hand strength shown by the page equals that of the engine."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

import pytest
from playwright.sync_api import Browser, Page, expect

from tables.engine.cards import DECK
from tables.engine.events import Card
from tables.engine.variants import VARIANTS
from tests.web import browsing
from tests.web.browsing import browser

__all__ = ["browser"]

_STRENGTHS = """
async (asked) => {
  const { strength } = await import('/static/js/cards/hand_strength.js');
  return asked.map(([variant, hole, board]) => strength(variant, hole, board));
}
"""
HANDS = 150
Asked = tuple[str, tuple[Card, ...], tuple[Card, ...]]


@pytest.fixture(scope="module")
def page(browser: tuple[Browser, str]) -> Iterator[Page]:
    """One page for all tests: they call its modules and change nothing on it."""
    with browsing.windows(browser) as show:
        yield show("table.html?scene=turn")


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_page_ranks_hands_like_the_engine(page: Page, variant: str) -> None:
    chance = random.Random(variant)
    asked = [hand for _ in range(HANDS) for hand in _streets(variant, chance)]
    said = page.evaluate(_STRENGTHS, asked)
    kinds = set()
    for (_, hole, board), words in zip(asked, said, strict=True):
        assert words == _by_the_engine(variant, hole, board), (hole, board)
        kinds.add(words.partition(":")[0])
    assert {"high", "pair", "two_pair", "three", "straight", "flush", "full_house"} <= kinds


def test_few_cards_make_pairs_and_high_cards(page: Page) -> None:
    asked = {
        ("holdem", "As Kd", ""): "high:A",
        ("holdem", "9s 9d", ""): "pair:9",
        ("omaha", "Ks Kd 2c 2h", ""): "pair:K",
        ("omaha5_house", "7s 7d 7c 2h 3h", ""): "three:7",
        ("stud", "As Ad 5c", ""): "pair:A",
        ("stud", "Qs Qd 5c 5h", ""): "two_pair:Q5",
        ("holdem", "?? ??", ""): "",
        ("holdem", "", "As Kd 2c"): "",
    }
    cards = [(variant, hole.split(), board.split()) for variant, hole, board in asked]
    assert page.evaluate(_STRENGTHS, cards) == list(asked.values())


def test_only_the_own_seat_shows_its_hand_strength(page: Page) -> None:
    tags = page.locator(".seat .tag[data-kind=held]")
    expect(tags).to_have_text(["a pair of aces"])
    expect(page.locator(".seat[data-me] .tag")).to_have_text("a pair of aces")


def _streets(variant: str, chance: random.Random) -> Iterator[Asked]:
    """One deal on each street, from the first that makes five cards to the last."""
    game = VARIANTS[variant]
    deck = chance.sample(DECK, 16)
    hole: tuple[Card, ...] = ()
    board: tuple[Card, ...] = ()
    for street in game.streets:
        own, common = street.down + street.up, street.board
        hole, deck = hole + tuple(deck[:own]), deck[own:]
        board, deck = board + tuple(deck[:common]), deck[common:]
        if len(hole) + len(board) >= 5 and (board or game.brings_in):
            yield variant, hole, board


def _by_the_engine(variant: str, hole: tuple[Card, ...], board: tuple[Card, ...]) -> str:
    """Strength by the engine; of an unfinished hand, the best five cards so far."""
    game = VARIANTS[variant]
    if not board or len(board) == 5 or not variant.startswith("omaha"):
        return game.words(game.high(hole, board))
    own, common = (3, 2) if variant == "omaha5_house" else (2, 3)
    best = max(
        VARIANTS["holdem"].high(mine, theirs)
        for mine in combinations(hole, own)
        for theirs in combinations(board, common)
    )
    return game.words(best)
