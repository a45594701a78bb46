"""Strength of hands, against an independent ranking and known answers (C-01..C-03, O-01..O-03)."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from tables.engine import low_ranking, ranking
from tables.engine.cards import DECK
from tables.engine.notation import made, made_low
from tests.tables.engine import plain_ranking as plain

SAMPLES = 1_500
BOARD = 5


def deals(count: int, seed: int) -> list[tuple[str, ...]]:
    """Random cards, equal in every run."""
    random = Random(seed)
    return [tuple(random.sample(DECK, count)) for _ in range(SAMPLES)]


def assert_same_order(ours: list[int], theirs: list[plain.HighRank]) -> None:
    """Assert that both rank all hands alike, ties included."""
    assert len(set(zip(ours, theirs, strict=True))) == len(set(ours)) == len(set(theirs))
    pairs = sorted(set(zip(ours, theirs, strict=True)))
    assert [their for _, their in pairs] == sorted(their for _, their in pairs)


@pytest.mark.rule("C-02")
@pytest.mark.parametrize("count", [5, 6, 7])
def test_any_five_agrees_with_the_independent_ranking(count: int) -> None:
    hands = deals(count, seed=count)
    assert_same_order(
        [ranking.any_five(hand, ()) for hand in hands], [plain.any_five(hand) for hand in hands]
    )


@pytest.mark.rule("O-01")
@pytest.mark.parametrize("hole", [4, 5])
def test_omaha_takes_exactly_two_of_the_hand(hole: int) -> None:
    hands = deals(hole + BOARD, seed=10 + hole)[:400]
    assert_same_order(
        [ranking.two_and_three(hand[:hole], hand[hole:]) for hand in hands],
        [plain.exactly(hand[:hole], 2, hand[hole:]) for hand in hands],
    )


@pytest.mark.rule("O-02")
def test_five_card_omaha_with_three_takes_exactly_three_hole_cards() -> None:
    hands = deals(5 + BOARD, seed=20)[:400]
    assert_same_order(
        [ranking.three_and_two(hand[:5], hand[5:]) for hand in hands],
        [plain.exactly(hand[:5], 3, hand[5:]) for hand in hands],
    )


@pytest.mark.rule("O-01")
@pytest.mark.rule("O-02")
@pytest.mark.parametrize("board", [3, 4])
def test_omaha_is_ranked_before_the_river_too(board: int) -> None:
    hands = deals(5 + board, seed=40 + board)[:400]
    assert_same_order(
        [ranking.two_and_three(hand[:5], hand[5:]) for hand in hands],
        [plain.exactly(hand[:5], 2, hand[5:]) for hand in hands],
    )
    assert_same_order(
        [ranking.three_and_two(hand[:5], hand[5:]) for hand in hands],
        [plain.exactly(hand[:5], 3, hand[5:]) for hand in hands],
    )


@pytest.mark.rule("O-03")
def test_lows_agree_with_the_independent_ranking() -> None:
    pairs = set()
    for hand in deals(7, seed=30):
        theirs = plain.best_low(combinations(hand, 5))
        pairs.add((low_ranking.any_five(hand, ()), theirs))
    for hand in deals(9, seed=31):
        fives = [
            (*own, *common)
            for own in combinations(hand[:4], 2)
            for common in combinations(hand[4:], 3)
        ]
        pairs.add((low_ranking.two_and_three(hand[:4], hand[4:]), plain.best_low(fives)))
    assert (0, None) in pairs
    lows = sorted((ours, theirs) for ours, theirs in pairs if theirs is not None)
    assert len(lows) > 30
    assert len({ours for ours, _ in lows}) == len({theirs for _, theirs in lows}) == len(lows)
    assert [theirs for _, theirs in lows] == sorted((low for _, low in lows), reverse=True)


@pytest.mark.rule("O-03")
@pytest.mark.parametrize("ranks", ["5432A", "87654", "8743A", "7532A", "65432"])
def test_these_lows_qualify(ranks: str) -> None:
    cards = tuple(rank + suit for rank, suit in zip(ranks, "cdhsc", strict=True))
    strength = low_ranking.any_five(cards, ())
    assert made_low(strength) == f"low:{ranks}"
    assert strength <= low_ranking.any_five(("5c", "4d", "3h", "2s", "Ac"), ())
    assert strength >= low_ranking.any_five(("8c", "7d", "6h", "5s", "4c"), ()) > 0


@pytest.mark.rule("O-03")
@pytest.mark.parametrize("ranks", ["98765", "8876A", "AA234", "9432A", "KQJT9"])
def test_these_lows_do_not_qualify(ranks: str) -> None:
    cards = tuple(rank + suit for rank, suit in zip(ranks, "cdhsc", strict=True))
    assert low_ranking.any_five(cards, ()) == 0
    assert made_low(0) == ""


@pytest.mark.rule("C-02")
@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("As Ks Qs Js Ts", "royal_flush"),
        ("9h 8h 7h 6h 5h", "straight_flush:9"),
        ("5d 4d 3d 2d Ad", "straight_flush:5"),
        ("7c 7d 7h 7s Kc", "four:7"),
        ("Tc Td Th 4s 4c", "full_house:T4"),
        ("Ac Jc 9c 4c 2c", "flush:A"),
        ("Ac Kd Qh Js Tc", "straight:A"),
        ("5c 4d 3h 2s Ac", "straight:5"),
        ("8c 8d 8h Ks 2c", "three:8"),
        ("Ac Ad 3h 3s Qc", "two_pair:A3"),
        ("Kc Kd 9h 4s 2c", "pair:K"),
        ("Ac Jd 9h 4s 2c", "high:A"),
    ],
)
def test_the_ten_hand_ranks_have_names_and_are_ordered(cards: str, words: str) -> None:
    assert made(ranking.any_five(tuple(cards.split()), ())) == words


def test_every_strength_has_a_name() -> None:
    words = [made(strength) for strength in range(1, ranking.BEST + 1)]
    assert words[-1] == "royal_flush"
    assert words[0] == "high:7"
    assert words.count("straight_flush:5") == 1


@pytest.mark.rule("C-01")
def test_a_straight_does_not_run_around_the_ace() -> None:
    around = ranking.any_five(("Qc", "Kd", "Ah", "2s", "3c"), ())
    assert made(around) == "high:A"
