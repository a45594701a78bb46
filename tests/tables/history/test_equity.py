"""Equity of open hands against counted answers and a second way to count."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from tables.engine.variants import VARIANTS
from tables.history.equity import EquityTable
from tests.tables.engine import plain_ranking


def shares(variant: str, hands: dict[int, str], board: str = "", dead: str = "") -> dict[int, int]:
    """Shares of hands written as cards in a row."""
    cards = {seat: _cards(text) for seat, text in hands.items()}
    table = EquityTable(variant, cards, _cards(board), _cards(dead), random.Random(1))
    return table.shares_bp(list(cards))


def _cards(text: str) -> tuple[str, ...]:
    return tuple(text[at : at + 2] for at in range(0, len(text), 2))


def test_one_card_to_come_is_counted_exactly() -> None:
    # Nine hearts of 44 unseen cards make the flush; no other card helps.
    found = shares("holdem", {1: "AcAd", 2: "QhJh"}, "2h7hKs3c")
    assert found == {1: 10_000 - 2_045, 2: 2_045}
    # Two of them folded elsewhere: seven of 42.
    assert shares("holdem", {1: "AcAd", 2: "QhJh"}, "2h7hKs3c", "9h8h")[2] == 1_667


def test_equal_hands_share_and_a_low_takes_half() -> None:
    assert shares("holdem", {3: "AcKd", 5: "AdKc"}, "2h7hJs3c9d") == {3: 5_000, 5: 5_000}
    low = shares("omaha_hilo", {1: "KcKdQsJs", 2: "Ah2h9s9d"}, "3h4s7dKh8c")
    assert low == {1: 5_000, 2: 5_000}


def test_a_sample_is_near_the_known_chance() -> None:
    # Aces win 81.9 % against kings of other suits; 1,000 boards are a sample of it.
    found = shares("holdem", {1: "AsAh", 2: "KcKd"})
    assert abs(found[1] - 8_195) < 500
    assert found == shares("holdem", {1: "AsAh", 2: "KcKd"}), "a hand told twice has other chances"


@pytest.mark.parametrize("seed", range(2))
def test_a_flop_agrees_with_every_board_ranked_by_other_code(seed: int) -> None:
    deck = list(VARIANTS["holdem"].deck)
    random.Random(seed).shuffle(deck)
    hands = {seat: tuple(deck[2 * seat : 2 * seat + 2]) for seat in range(3)}
    board, rest = tuple(deck[6:9]), deck[9:]
    won = dict.fromkeys(hands, 0.0)
    boards = list(combinations(rest, 2))
    for drawn in boards:
        rank = {
            seat: plain_ranking.any_five(cards + board + drawn) for seat, cards in hands.items()
        }
        best = [seat for seat in hands if rank[seat] == max(rank.values())]
        for seat in best:
            won[seat] += 1 / len(best)
    found = EquityTable("holdem", hands, board, (), random.Random(1)).shares_bp(list(hands))
    for seat, value in won.items():
        assert abs(found[seat] - 10_000 * value / len(boards)) <= 1


@pytest.mark.rule("D-03")
@pytest.mark.parametrize("variant", ["stud", "stud_hilo"])
def test_eight_hands_of_stud_have_chances_on_every_street(variant: str) -> None:
    deck = list(VARIANTS[variant].deck)
    random.Random(3).shuffle(deck)
    for held in (3, 4, 5, 6):
        hands = {seat: tuple(deck[held * seat : held * seat + held]) for seat in range(8)}
        found = EquityTable(variant, hands, (), (), random.Random(1)).shares_bp(list(hands))
        assert sum(found.values()) == 10_000
    common = EquityTable(variant, hands, (deck[48],), (), random.Random(1)).shares_bp(list(hands))
    assert sum(common.values()) == 10_000


@pytest.mark.rule("D-03")
def test_the_common_card_of_stud_is_counted_exactly() -> None:
    deck = list(VARIANTS["stud"].deck)
    random.Random(5).shuffle(deck)
    hands = {seat: tuple(deck[6 * seat : 6 * seat + 6]) for seat in range(8)}
    won = dict.fromkeys(hands, 0.0)
    for card in deck[48:]:
        rank = {seat: plain_ranking.any_five((*cards, card)) for seat, cards in hands.items()}
        best = [seat for seat in hands if rank[seat] == max(rank.values())]
        alone = EquityTable("stud", hands, (card,), (), random.Random(1)).shares_bp(list(hands))
        assert all(abs(alone[seat] - 10_000 / len(best)) < 1 for seat in best)
        for seat in best:
            won[seat] += 1 / len(best)
    found = EquityTable("stud", hands, (), (), random.Random(1)).shares_bp(list(hands))
    assert all(abs(found[seat] - 10_000 * value / 4) <= 1 for seat, value in won.items())


@pytest.mark.rule("D-03")
def test_seven_hands_of_stud_share_the_last_card_only_where_the_deck_is_short() -> None:
    deck = list(VARIANTS["stud"].deck)
    random.Random(9).shuffle(deck)
    hands = {seat: tuple(deck[3 * seat : 3 * seat + 3]) for seat in range(7)}
    drawn: list[int] = []

    class Counting(random.Random):
        def sample(self, cards: list[str], k: int) -> list[str]:  # type: ignore[override]
            drawn.append(k)
            return super().sample(cards, k)

    EquityTable("stud", hands, (), (), Counting(1))
    assert {*drawn} == {7 * 4}, "the deck has 7 cards for 7 hands after three burns"
    drawn.clear()
    EquityTable("stud", hands, (), deck[21:24], Counting(1))
    assert {*drawn} == {7 * 3 + 1}, "the deck has 4 cards for 7 hands"
