"""Decisions of bots: legal, sensible in plain spots, repeatable, and quick."""

from __future__ import annotations

import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from room_client.messages.options import Option
from tables.bots.playing import starting_hands
from tables.bots.playing.brain import Choice, PlayerView, choose
from tables.bots.playing.strength import ahead, outs
from tables.engine.cards import DECK

FACING_A_BET = Option(check=False, call=50, raise_min=150, raise_max=1_000)
UNOPENED = Option(check=False, call=20, raise_min=40, raise_max=1_000)


def spot(cards: str, board: str = "", **known: object) -> PlayerView:
    """A spot at 10-20 with 1,000 chips against two opponents; `known` overrides its facts."""
    usual = PlayerView(
        cards=tuple(cards.split()),
        board=tuple(board.split()),
        pot=30,
        option=UNOPENED,
        stack=1_000,
        bet=0,
        at_risk=1_000,
        big_blind=20,
        opponents=2,
        behind=2,
        raises=0,
    )
    return replace(usual, **known)


@pytest.mark.parametrize(
    ("hand", "most"), [("As Ah", 0.005), ("Ks Kh", 0.01), ("As Ks", 0.02), ("7s 2h", 1.0)]
)
def test_starting_hands_are_ranked_by_the_share_of_equal_or_better_hands(
    hand: str, most: float
) -> None:
    assert most / 2 < starting_hands.top(hand.split()) <= most


def test_every_starting_hand_has_a_distinct_share_and_the_worst_has_all() -> None:
    shares = {starting_hands.top((one, other)) for one in DECK for other in DECK if one != other}
    assert len(shares) == 169 and max(shares) == 1.0


@pytest.mark.parametrize(
    ("cards", "board", "expected"),
    [
        ("As Ks", "Qs 7s 2d", 9),
        ("9c 8d", "7h 6s 2d", 8),
        ("9c 8d", "7h 5s 2d", 4),
        ("Js Ts", "9s 8s 2d", 15),
        ("As Ad", "9s 8s 2d", 0),
        ("2c 2d", "9s 8s 7s 6s Kd", 0),
    ],
)
def test_outs_are_counted_by_the_usual_poker_rules(cards: str, board: str, expected: int) -> None:
    assert outs(cards.split(), board.split()) == expected


def test_a_set_is_ahead_and_a_missed_hand_is_not() -> None:
    board = ["9s", "7d", "2c"]
    assert ahead(["9c", "9d"], board, Random(1)) > 0.95
    assert ahead(["4c", "3d"], board, Random(1)) < 0.4


def test_aces_raise_and_rubbish_folds_before_the_flop() -> None:
    assert choose(spot("As Ah"), Random(1)).action == "raise"
    assert choose(spot("7s 2h", behind=5), Random(1)) == Choice("fold")


def test_a_short_stack_pushes_all_in_or_folds() -> None:
    option = Option(check=False, call=20, raise_min=40, raise_max=120)
    short = spot("As 9h", stack=120, at_risk=120, option=option)
    assert choose(short, Random(1)) == Choice("raise", 120)
    assert choose(replace(short, cards=("7s", "2h"), behind=7), Random(1)) == Choice("fold")


def test_nothing_is_folded_while_checking_is_free() -> None:
    option = Option(check=True, bet_min=20, bet_max=1_000)
    for seed in range(50):
        assert choose(spot("7s 2h", "As Kd 9c", option=option), Random(seed)).action != "fold"


def test_a_full_house_never_folds_and_air_never_calls_a_big_bet() -> None:
    big = Option(check=False, call=400, raise_min=800, raise_max=1_000)
    facing = {"option": big, "pot": 500, "raises": 1, "opponents": 1}
    for seed in range(30):
        full = choose(spot("9c 9d", "9s 7d 7c", **facing), Random(seed))
        assert full.action in ("call", "raise")
        assert choose(spot("4c 3d", "As Kd 9c Jh", **facing), Random(seed)) == Choice("fold")


def test_an_equal_seed_makes_an_equal_choice() -> None:
    sight = spot("Js Ts", "9s 8s 2d", option=FACING_A_BET, pot=100, raises=1)
    assert [choose(sight, Random(5)) for _ in range(3)] == [choose(sight, Random(5))] * 3


@st.composite
def sights(draw: st.DrawFn) -> PlayerView:
    """Any spot with consistent legal options."""
    cards = draw(st.permutations(DECK))[:7]
    big_blind = draw(st.integers(1, 1_000))
    stack = draw(st.integers(1, 100_000))
    bet = draw(st.integers(0, 2_000))
    call = draw(st.one_of(st.none(), st.integers(1, 100_000)))
    if call is None:
        can_bet = draw(st.booleans())
        option = Option(
            check=True,
            bet_min=min(big_blind, stack) if can_bet else None,
            bet_max=stack if can_bet else None,
            raise_min=None if can_bet else bet + min(big_blind, stack),
            raise_max=None if can_bet else bet + stack,
        )
    else:
        more = stack - call
        may_raise = more > 0 and draw(st.booleans())
        option = Option(
            check=False,
            call=min(call, stack),
            raise_min=bet + call + min(more, big_blind) if may_raise else None,
            raise_max=bet + stack if may_raise else None,
        )
    return PlayerView(
        cards=tuple(cards[:2]),
        board=tuple(cards[2 : 2 + draw(st.sampled_from((0, 3, 4, 5)))]),
        pot=draw(st.integers(1, 1_000_000)),
        option=option,
        stack=stack,
        bet=bet,
        at_risk=draw(st.integers(0, stack)),
        big_blind=big_blind,
        opponents=draw(st.integers(1, 9)),
        behind=draw(st.integers(0, 9)),
        raises=draw(st.integers(0, 5)),
    )


@given(sights(), st.integers(0, 2**32))
def test_every_choice_is_one_of_the_options(sight: PlayerView, seed: int) -> None:
    choice, option = choose(sight, Random(seed)), sight.option
    match choice.action:
        case "check":
            assert option.check and choice.amount is None
        case "fold" | "call":
            assert not option.check and choice.amount is None
        case "bet":
            assert choice.amount is not None
            assert option.bet_min is not None and option.bet_max is not None
            assert option.bet_min <= choice.amount <= option.bet_max
        case "raise":
            assert choice.amount is not None
            assert option.raise_min is not None and option.raise_max is not None
            assert option.raise_min <= choice.amount <= option.raise_max


def test_a_decision_takes_well_below_a_millisecond() -> None:
    sight = spot("Js Ts", "9s 8s 2d", option=FACING_A_BET, pot=100, raises=1)
    chance = Random(1)
    began = time.process_time()
    for _ in range(200):
        choose(sight, chance)
    assert (time.process_time() - began) / 200 < 0.001
