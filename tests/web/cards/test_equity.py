"""Equities shown at an all-in equal those of the engine's own ranking."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tables.engine.cards import DECK
from tables.engine.events import Card
from tables.engine.variants import VARIANTS, Variant
from tests.web import browsing
from tests.web.browsing import browser

__all__ = ["browser"]

_CHANCES = """
async (asked) => {
  const { chances } = await import('/static/js/cards/equity.js');
  return Promise.all(asked.map((situation) => chances(situation)));
}
"""
_TOLD_AFTER = """
async () => {
  const { AllIn } = await import('/static/js/cards/all_in.js');
  const card = document.createElement('span');
  card.className = 'card';
  document.querySelector('poker-table').append(card);
  const { animationDuration } = getComputedStyle(card);
  card.remove();
  const seats = ['AsAd', 'KcKd'].map((cards, seat) => (
    { seat, in_hand: true, folded: false, cards: cards.match(/../g) }
  ));
  const state = { seats, variant: 'holdem', board: ['2c', '7d', '9h', 'Jc', '3s'], log: [] };
  const began = performance.now();
  const told = new Promise((known) => {
    new AllIn(known).update(state, { revealed: true, ended: false, won: {} });
  });
  await told;
  return [performance.now() - began, 1_000 * Number.parseFloat(animationDuration)];
}
"""
Hands = list[list[Card]]

ACES_AGAINST_KINGS = 0.82637
"""Part of the pot of As Ah against Ks Kh before the flop: all 1,712,304 boards by the engine."""


@pytest.fixture(scope="module")
def page(browser: tuple[Browser, str]) -> Iterator[Page]:
    """One page for all tests: they call its modules and change nothing on it."""
    with browsing.windows(browser) as show:
        yield show("table.html?scene=turn")


@pytest.mark.parametrize("variant", VARIANTS)
def test_equities_with_one_street_to_come_count_every_run_out(page: Page, variant: str) -> None:
    chance = random.Random(variant)
    asked = [_situation(VARIANTS[variant], chance, players) for players in (2, 2, 3)]
    told = page.evaluate(_CHANCES, asked)
    for situation, found in zip(asked, told, strict=True):
        if not found["exact"]:
            assert len(situation["hands"]) == 3 and VARIANTS[variant].brings_in
            continue
        wanted = _by_the_engine(situation)
        assert found["shares"] == pytest.approx(wanted, abs=1e-9), situation
        assert found["margin"] == 0


@pytest.mark.parametrize("variant", ["holdem", "omaha_hilo", "stud"])
def test_a_sample_is_equal_on_every_screen_and_states_its_error(page: Page, variant: str) -> None:
    game = VARIANTS[variant]
    chance = random.Random(f"first street of {variant}")
    asked = [_situation(game, chance, 3, streets=1)] * 2
    one, other = page.evaluate(_CHANCES, asked)
    assert one == other
    assert not one["exact"]
    assert 0 < one["margin"] < 0.025
    assert sum(one["shares"]) == pytest.approx(1)
    wanted = _sampled(asked[0], random.Random(1), 3_000)
    assert one["shares"] == pytest.approx(wanted, abs=one["margin"] + 0.03)


def test_a_sample_lies_within_its_margin_of_the_exact_equity(page: Page) -> None:
    hands = [["As", "Ah"], ["Ks", "Kh"]]
    [found] = page.evaluate(_CHANCES, [{"variant": "holdem", "hands": hands, "board": []}])
    assert found["shares"][0] == pytest.approx(ACES_AGAINST_KINGS, abs=found["margin"])


def test_a_publicly_seen_card_is_not_dealt_in_run_outs(page: Page) -> None:
    game = {"variant": "holdem", "board": ["2c", "7d", "9h", "Jc"]}
    hands = [["As", "Ad"], ["Kc", "Kd"]]
    free, dead = page.evaluate(
        _CHANCES, [{**game, "hands": hands}, {**game, "hands": hands, "gone": ["Kh", "Ks"]}]
    )
    assert free["shares"][1] == pytest.approx(2 / 44)
    assert dead["shares"][1] == 0


def test_chances_of_a_street_are_told_when_its_card_lies_on_the_table(page: Page) -> None:
    waited_ms, appears_ms = page.evaluate(_TOLD_AFTER)
    assert waited_ms >= appears_ms > 0


def test_no_equities_are_shown_when_the_deck_does_not_suffice(page: Page) -> None:
    hands = [list(DECK[6 * number : 6 * number + 6]) for number in range(8)]
    assert page.evaluate(_CHANCES, [{"variant": "stud", "hands": hands, "board": []}]) == [None]


def _situation(
    game: Variant, chance: random.Random, players: int, streets: int | None = None
) -> dict[str, Any]:
    """Open hands with all streets but the last dealt, or with a given number of streets."""
    deck = chance.sample(DECK, len(DECK))
    dealt = game.streets[:-1] if streets is None else game.streets[:streets]
    own = sum(street.down + street.up for street in dealt)
    hands = [[deck.pop() for _ in range(own)] for _ in range(players)]
    board = [deck.pop() for _ in range(sum(street.board for street in dealt))]
    return {"variant": game.name, "hands": hands, "board": board, "gone": [deck.pop()]}


def _by_the_engine(situation: dict[str, Any]) -> list[float]:
    hands, board = situation["hands"], situation["board"]
    unseen = _unseen(situation)
    shares = [0.0] * len(hands)
    if VARIANTS[situation["variant"]].brings_in:
        runs = list(permutations(unseen, len(hands)))
        for run in runs:
            ended = [[*hand, card] for hand, card in zip(hands, run, strict=True)]
            _award(situation["variant"], ended, [], shares)
    else:
        runs = list(combinations(unseen, 5 - len(board)))
        for run in runs:
            _award(situation["variant"], hands, [*board, *run], shares)
    return [share / len(runs) for share in shares]


def _sampled(situation: dict[str, Any], chance: random.Random, count: int) -> list[float]:
    hands, board = situation["hands"], situation["board"]
    unseen = _unseen(situation)
    shares = [0.0] * len(hands)
    for _ in range(count):
        deck = chance.sample(unseen, len(unseen))
        if VARIANTS[situation["variant"]].brings_in:
            ended = [hand + [deck.pop() for _ in range(7 - len(hand))] for hand in hands]
            _award(situation["variant"], ended, [], shares)
        else:
            _award(situation["variant"], hands, [*board, *deck[: 5 - len(board)]], shares)
    return [share / count for share in shares]


def _unseen(situation: dict[str, Any]) -> list[Card]:
    seen = {card for hand in situation["hands"] for card in hand}
    return [card for card in DECK if card not in seen | {*situation["board"], *situation["gone"]}]


def _award(variant: str, hands: Hands, board: Sequence[Card], shares: list[float]) -> None:
    game = VARIANTS[variant]
    highs = [game.high(tuple(hand), tuple(board)) for hand in hands]
    lows = [game.low(tuple(hand), tuple(board)) for hand in hands] if game.low else []
    halved = any(lows)
    for strengths, part in ((highs, 0.5 if halved else 1), (lows if halved else [], 0.5)):
        best = [place for place, one in enumerate(strengths) if one == max(strengths)]
        for place in best:
            shares[place] += part / len(best)
