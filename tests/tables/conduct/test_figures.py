"""Figures of a hand, by hand: flows, duels, times, and answers to bets."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from config.sums import added
from tables.conduct.rules.calls import STRENGTHS, call_cell
from tables.conduct.rules.figures import FLOW_CAP, HandFigures, PairFigures, hand_figures
from tables.conduct.rules.times import TIME_BUCKETS, bucket_ends_ms, entropy_bits, time_bucket
from tables.dealer.record import HandRecord
from tables.engine.actions import Bet, Call, Check, Fold, Raise
from tables.engine.begin import begun
from tables.engine.decide import played
from tables.engine.variants import VARIANTS
from tests.tables.conduct.hands import hand_of
from tests.tables.history.exports.played import random_record

STACKS = dict.fromkeys((1, 2, 3), 10_000)


def figures(hand: HandRecord) -> HandFigures:
    return hand_figures(hand, Random(1))


def test_a_blind_flows_to_its_winner() -> None:
    found = figures(hand_of(STACKS, (1, Fold()), (2, Fold())))
    assert found.pairs == {(20, 30): PairFigures(1, 50, 50, 2_500)}
    assert (found.players[20].flow, found.players[30].flow) == (50, -50)
    assert [found.players[user].meetings for user in (10, 20, 30)] == [0, 1, 1]


def test_a_loss_is_shared_in_proportion_to_the_gains() -> None:
    checks = [(seat, Check()) for _ in range(3) for seat in (2, 3, 1)]
    board = "As Ks Qs Js Ts"
    hand = hand_of(
        STACKS, (1, Raise(1_000)), (2, Call()), (3, Call()), *checks,
        hole={1: "2c 3d", 2: "4c 5d", 3: "6c 7d"}, board=board,
    )  # fmt: skip
    assert figures(hand).pairs == {}, "a split pot moves nothing"


def test_an_all_in_counts_by_its_chances_and_not_by_its_luck() -> None:
    hand = hand_of(
        {1: 10_000, 2: 10_000}, (1, Raise(10_000)), (2, Call()),
        hole={1: "As Ad", 2: "Ks Kd"}, board="Kc 2h 3h 7c 9s",
    )  # fmt: skip
    (pair,) = figures(hand).pairs.values()
    assert hand.result.stacks_after[0].chips != 10_000, "the kings won it all"
    assert -8_000 < pair.flow < -4_500, "the aces were to win four fifths"
    assert pair.capped == -FLOW_CAP and pair.squares == FLOW_CAP**2


def test_a_duel_without_a_bet_is_quiet_for_both() -> None:
    checks = [(seat, Check()) for _ in range(3) for seat in (2, 3)]
    hand = hand_of(STACKS, (1, Fold()), (2, Call()), (3, Check()), *checks)
    quiet = figures(hand).pairs[20, 30]
    assert (quiet.duels, quiet.first_quiet, quiet.second_quiet, quiet.both_quiet) == (1, 1, 1, 1)
    bet = hand_of(
        STACKS, (1, Fold()), (2, Call()), (3, Check()), (2, Check()), (3, Bet(100)), (2, Fold())
    )
    pair = figures(bet).pairs[20, 30]
    assert (pair.duels, pair.first_quiet, pair.second_quiet, pair.both_quiet) == (1, 1, 0, 0)
    assert (figures(bet).players[20].quiet_duels, figures(bet).players[30].quiet_duels) == (1, 0)


def test_three_players_or_an_all_in_are_no_duel() -> None:
    three = hand_of(
        STACKS, (1, Call()), (2, Call()), (3, Check()), (2, Bet(100)), (3, Fold()), (1, Fold())
    )
    assert all(pair.duels == 0 for pair in figures(three).pairs.values())


def test_times_count_decisions_of_players_alone() -> None:
    hand = hand_of(STACKS, (1, Fold()), (2, Fold()), times=(100, 2_100))
    found = figures(hand).players
    assert found[10].times[0] == 1 and sum(found[10].times) == 1
    assert found[20].times[time_bucket(2_000)] == 1 and sum(found[30].times) == 0


@pytest.mark.parametrize("used_ms", [0, 249, 250, 353, 354, 1_000, 32_000, 10**9])
def test_buckets_have_their_ends(used_ms: int) -> None:
    number = time_bucket(used_ms)
    ends = (*bucket_ends_ms(), float("inf"))
    assert len(ends) == TIME_BUCKETS
    assert used_ms < ends[number] + 1 and (number == 0 or used_ms >= ends[number - 1] - 1)


def test_entropy_is_that_of_the_shares() -> None:
    assert entropy_bits([7]) == 0 and entropy_bits([5, 5, 5, 5]) == 2
    assert entropy_bits([1, 0, 3]) == pytest.approx(0.8113, abs=1e-4)


def test_an_answer_to_a_bet_is_counted_by_strength_and_hidden_cards() -> None:
    before = ((1, Fold()), (2, Call()), (3, Check()), (2, Bet(100)))
    hole, board = {2: "2c 7d", 3: "As Ad"}, "Ah Kc 9s 4d 3h"
    folded = figures(hand_of(STACKS, *before, (3, Fold()), hole=hole, board=board)).players[30]
    strongest = 4 * (STRENGTHS - 1)
    assert folded.calls[strongest + 2] == 1 and sum(folded.calls) == 1, "folded ahead"
    checks = [(seat, Check()) for _ in range(2) for seat in (2, 3)]
    hand = hand_of(STACKS, *before, (3, Call()), *checks, hole=hole, board=board)
    called = figures(hand).players[30]
    assert called.calls[strongest + 3] == 1 and sum(called.calls) == 1, "stayed ahead"


def test_one_card_for_all_in_stud_is_no_board() -> None:
    before = ((1, Fold()), (2, Call()), (3, Check()), (2, Bet(100)))
    hand = hand_of(STACKS, *before, (3, Fold()), hole={2: "2c 7d", 3: "As Ad"}, board="Ah Kc 9s")
    state = begun(hand.setup).state
    for one in hand.actions[:-1]:
        state = played(state, one.seat, one.action).state
    assert call_cell(state, 3, Fold(), Random(1)) is not None
    stud = replace(state, rules=replace(state.rules, variant="stud"), board=state.board[:1])
    assert call_cell(stud, 3, Fold(), Random(1)) is None


def test_figures_are_added_field_by_field_and_place_by_place() -> None:
    one = figures(hand_of(STACKS, (1, Fold()), (2, Fold()), times=(100, 2_100))).players[20]
    both = added(one, one)
    assert both.hands == 2 and both.flow == 2 * one.flow
    assert both.times == tuple(2 * count for count in one.times)


@pytest.mark.parametrize("variant", VARIANTS)
def test_hands_of_every_game_have_figures(variant: str) -> None:
    random, game = Random(7), VARIANTS[variant]
    limit = "fixed_limit" if game.brings_in else "pot_limit"
    hands = [random_record(random, variant, limit) for _ in range(60)]
    found = [own for hand in hands for own in figures(hand).players.values()]
    assert sum(own.meetings for own in found) > 60
    has_strength = game.low is None and not game.brings_in
    assert any(sum(own.calls) for own in found) == has_strength
