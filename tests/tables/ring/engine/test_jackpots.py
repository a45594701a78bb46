"""Jackpots of ring tables: known answers of the rules, conditions, and an independent reading."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from config.refusals import Refusal
from tables.engine.actions import Call, Check, Fold, Raise
from tables.engine.state import HandState
from tables.ring.engine.jackpots import (
    JACKPOTS,
    JackpotPayment,
    JackpotTerms,
    JackpotTier,
    check_feeds,
    check_terms,
    feed,
    is_open,
    winners,
)
from tests.tables.engine.plays import random_play
from tests.tables.engine.scene import Scene, scene
from tests.tables.ring.engine import plain_jackpots

MONTE_CARLO, BAD_BEAT, SMART = (JACKPOTS[kind] for kind in ("monte_carlo", "bad_beat", "smart"))
DOLLARS = 100


def ended(
    hole: dict[int, str],
    board: str,
    *,
    variant: str = "holdem",
    open_losers: Sequence[int] = (),
    closed_losers: Sequence[int] = (),
) -> HandState:
    """Finished hand of these cards that was checked to its showdown; a third seat folds."""
    seats = {**dict.fromkeys(hole, 10_000), 9: 10_000}
    hand = scene(
        seats,
        button=9,
        variant=variant,
        limit="pot_limit" if variant != "holdem" else "no_limit",
        hole={seat: cards.split() for seat, cards in hole.items()},
        board=board.split(),
        open_losers=open_losers,
        closed_losers=closed_losers,
    )
    hand.does((9, Fold()))
    return checked_down(hand)


def checked_down(hand: Scene) -> HandState:
    """State after every seat called or checked to the end."""
    while not hand.now.finished:
        assert hand.now.actor is not None
        option = hand.option()
        hand.does((hand.now.actor, Check() if option.check else Call()))
    return hand.now


def paid(state: HandState, terms: JackpotTerms, pool: int, minute: int = 0) -> dict[int, int]:
    """Payments by seat; empty when the jackpot does not fall."""
    fall = winners(state, terms, pool, minute=minute)
    if fall is None:
        return {}
    assert sum(payment.amount for payment in fall.payments) + fall.room + fall.next_pool == pool
    return {payment.seat: payment.amount for payment in fall.payments}


@pytest.mark.rule("J-01")
def test_three_dollars_of_rake_feed_fifteen_cents_at_five_percent() -> None:
    assert feed(3 * DOLLARS, 500) == 15
    assert [JACKPOTS[kind].feed for kind in JACKPOTS] == [1_000, 1_000, 500]
    assert feed(3 * DOLLARS, MONTE_CARLO.feed) == 30


ROYAL = {1: "As Ks", 2: "7c 7d"}
QUADS_BEATEN = ({1: "9h Th", 2: "Jc Jd"}, "Jh Qh Kh Js 2c")  # straight flush over four jacks


@pytest.mark.rule("J-01")
@pytest.mark.parametrize(
    ("hole", "board", "amount"),
    [
        (ROYAL, "Qs Js Ts 2c 3d", 97_000),
        ({1: "9s 8s", 2: "Ac Ad"}, "7s 6s 5s Kc 2d", 48_500),
        ({1: "Ac Ad", 2: "Kc 3d"}, "Qs 9s 7h 4c 2d", 19_400),
    ],
)
def test_monte_carlo_pays_its_tier_less_three_percent(
    hole: dict[int, str], board: str, amount: int
) -> None:
    fall = winners(ended(hole, board), MONTE_CARLO, 100_000)
    assert fall is not None
    assert fall.payments == (JackpotPayment(1, "winner", amount),)
    assert (fall.room, fall.next_pool, fall.remainder) == (0, 100_000 - amount, 0)


@pytest.mark.rule("J-01")
def test_monte_carlo_pays_nothing_for_hands_without_a_tier() -> None:
    assert paid(ended({1: "Ac Ad", 2: "Kc 3d"}, "As 9s 7h 4c 2d"), MONTE_CARLO, 100_000) == {}


@pytest.mark.rule("J-02")
def test_bad_beat_pays_loser_winner_table_next_pool_and_room() -> None:
    fall = winners(ended(*QUADS_BEATEN, open_losers=(2,)), BAD_BEAT, 100_000)
    assert fall is not None
    assert fall.payments == (
        JackpotPayment(2, "loser", 35_000),
        JackpotPayment(1, "winner", 15_000),
        JackpotPayment(9, "table", 15_000),
    )
    assert (fall.room, fall.next_pool, fall.remainder) == (5_000, 30_000, 0)


@pytest.mark.rule("J-03")
def test_smart_pays_its_own_shares_in_its_hours_only() -> None:
    state = ended(*QUADS_BEATEN, open_losers=(2,))
    fall = winners(state, SMART, 100_000, minute=18 * 60)
    assert fall is not None
    assert [payment.amount for payment in fall.payments] == [40_000, 25_000, 15_000]
    assert (fall.room, fall.next_pool, fall.remainder) == (5_000, 15_000, 0)
    assert paid(state, SMART, 100_000, 22 * 60) == {}


@pytest.mark.rule("J-03")
def test_hours_may_run_over_midnight() -> None:
    night = replace(SMART, hours=((23 * 60, 60), (12 * 60, 13 * 60)))
    assert [is_open(night, hour * 60) for hour in (22, 23, 0, 1, 12, 13)] == [
        False,
        True,
        True,
        False,
        True,
        False,
    ]
    assert is_open(replace(SMART, hours=()), 0)
    assert is_open(replace(SMART, hours=((0, 24 * 60),)), 700)


@pytest.mark.rule("J-02")
def test_odd_cents_and_a_share_of_nobody_stay_in_the_next_pool() -> None:
    hole, board = QUADS_BEATEN
    hand = scene(
        {1: 10_000, 2: 10_000},
        hole={seat: cards.split() for seat, cards in hole.items()},
        board=board.split(),
    )
    fall = winners(checked_down(hand), BAD_BEAT, 101)
    assert fall is not None
    assert [payment.amount for payment in fall.payments] == [35, 15]
    assert (fall.room, fall.next_pool) == (5, 46)
    assert fall.remainder == 46 - 30


@pytest.mark.rule("J-02")
@pytest.mark.parametrize(
    ("hole", "board"),
    [
        ({1: "Ah Kh", 2: "Jc 4d"}, "Jh Qh Th Js Jd"),  # the loser has one jack: no pocket pair
        ({1: "Kh 2c", 2: "9c 9d"}, "Jh Th 9h 8h 2d"),  # one hole card makes the winner's flush
        ({1: "Ah Ad", 2: "9c 8c"}, "7h 6d 5s Ac As"),  # a straight with two hole cards: falls
        ({1: "Ah Kd", 2: "Jc Jd"}, "As 7h 5d 3c 2s"),  # the winner's pair is no pocket pair
    ],
)
def test_both_hole_cards_and_a_pocket_pair_are_asked_of_loser_and_winner(
    hole: dict[int, str], board: str
) -> None:
    falls = hole[2] == "9c 8c"
    state = ended(hole, board, open_losers=(1, 2))
    assert bool(paid(state, BAD_BEAT, 100_000)) == falls
    free = replace(BAD_BEAT, both_hole_cards=False, pocket_pair=False)
    assert paid(state, free, 100_000)


@pytest.mark.rule("J-02")
def test_conditions_may_hold_for_the_loser_alone() -> None:
    state = ended({1: "Ah Kd", 2: "Jc Jd"}, "As 7h 5d 3c 2s", open_losers=(2,))
    assert paid(state, BAD_BEAT, 100_000) == {}
    loser_only = replace(BAD_BEAT, winner_too=False)
    assert paid(state, loser_only, 100_000) == {2: 35_000, 1: 15_000, 9: 15_000}
    better = replace(loser_only, least_winner="two_pair")
    assert paid(state, better, 100_000) == {}
    assert paid(state, replace(loser_only, least_loser="pair:Q"), 100_000) == {}
    assert paid(state, replace(loser_only, least_loser="pair:J"), 100_000)


@pytest.mark.rule("J-02")
def test_a_hand_that_its_player_chose_to_muck_wins_no_jackpot() -> None:
    hole, board = QUADS_BEATEN
    mucked_by_the_room = ended(hole, board)
    assert mucked_by_the_room.seat(2).mucked
    assert paid(mucked_by_the_room, BAD_BEAT, 100_000) == {2: 35_000, 1: 15_000, 9: 15_000}
    assert paid(ended(hole, board, closed_losers=(2,)), BAD_BEAT, 100_000) == {}
    unseen = replace(BAD_BEAT, cards_shown=False)
    assert paid(ended(hole, board, closed_losers=(2,)), unseen, 100_000)


@pytest.mark.rule("J-01")
def test_a_hand_won_without_a_showdown_wins_no_jackpot() -> None:
    hand = scene({1: 10_000, 2: 10_000}, hole={1: ["As", "Ks"]})
    hand.does((1, Raise(300)), (2, Fold()))
    assert paid(hand.now, MONTE_CARLO, 100_000) == {}


@pytest.mark.rule("J-01", "J-02")
def test_omaha_plays_two_hole_cards_and_its_pair_is_one_of_them() -> None:
    beaten = {1: "Ah Kh 2c 3d", 2: "Jc Jd 4c 5d"}
    state = ended(beaten, "Qh Jh Th Js 6d", variant="omaha", open_losers=(2,))
    assert paid(state, BAD_BEAT, 100_000) == {2: 35_000, 1: 15_000, 9: 15_000}
    assert paid(state, MONTE_CARLO, 100_000) == {1: 97_000}
    # Full house of two unequal hole cards: no pocket pair, though another pair is in the hand.
    unpaired = {1: "Ah Kh 2c 3d", 2: "Jc 6c 5d 5c"}
    state = ended(unpaired, "Qh Jh Th Js 6d", variant="omaha", open_losers=(2,))
    assert paid(state, BAD_BEAT, 100_000) == {}


@pytest.mark.rule("J-01")
def test_equal_winners_share_and_odd_cents_stay() -> None:
    hole = {1: "As Ad", 2: "Ac Ah"}
    fall = winners(ended(hole, "Ks 9c 7d 4h 2s"), replace(MONTE_CARLO, back=0), 15)
    assert fall is not None
    assert [(payment.seat, payment.amount) for payment in fall.payments] == [(1, 1), (2, 1)]
    assert (fall.next_pool, fall.remainder) == (13, 1)


@pytest.mark.rule("J-01", "J-02")
def test_an_independent_reading_of_the_rules_pays_the_same() -> None:
    falls = 0
    for seed in range(700):
        state = random_play(seed).states[-1]
        live = {seat.seat: seat.cards for seat in state.seats if not seat.folded}
        variant = state.rules.variant
        expected: tuple[dict[int, int], dict[int, int]] = ({}, {})
        if len(live) > 1 and len(state.board) == 5:
            seen = {seat for seat in live if state.seat(seat).shown == state.seat(seat).cards}
            shown = seen | (set(live) - set(state.closed_losers))
            expected = (
                plain_jackpots.monte_carlo(variant, state.board, dict(live), shown, 12_347),
                plain_jackpots.bad_beat(
                    variant, state.board, dict(live), shown, state.order, 12_347
                ),
            )
        found = (paid(state, MONTE_CARLO, 12_347), paid(state, BAD_BEAT, 12_347))
        assert found == expected, seed
        falls += bool(found[0]) + bool(found[1])
    assert falls > 20


HANDS = (
    ended({1: "Ac Ad", 2: "Kc Kd"}, "As Ks 7h 4c 2d", open_losers=(2,)),
    ended(*QUADS_BEATEN, open_losers=(2,)),
)


@pytest.mark.rule("J-01", "J-02", "J-03")
@given(st.integers(0, 10**9), st.sampled_from(sorted(JACKPOTS)), st.integers(0, 1))
def test_a_fall_pays_exactly_the_pool(pool: int, kind: str, which: int) -> None:
    state = HANDS[which]
    fall = winners(state, JACKPOTS[kind], pool, minute=19 * 60)
    if fall is not None:
        amounts = [payment.amount for payment in fall.payments]
        assert min(amounts) > 0
        assert sum(amounts) + fall.room + fall.next_pool == pool == fall.pool
        assert 0 <= fall.remainder <= fall.next_pool
    else:
        assert pool < 20 or (kind == "monte_carlo" and which == 0)


def code_of(terms: JackpotTerms) -> str | None:
    """Code of the refusal of these terms."""
    try:
        check_terms(terms)
    except Refusal as refusal:
        return refusal.code
    return None


@pytest.mark.rule("J-01", "J-02", "J-03")
def test_terms_of_the_rules_are_accepted_and_contradictions_refused() -> None:
    assert [code_of(terms) for terms in JACKPOTS.values()] == [None, None, None]
    assert code_of(replace(BAD_BEAT, loser=3_600)) == "shares_sum"
    assert code_of(replace(BAD_BEAT, room=400)) == "shares_sum"
    assert code_of(replace(BAD_BEAT, loser=10_500, winner=-5_500)) == "bad_share"
    assert code_of(replace(SMART, feed=10_001)) == "bad_share"
    assert code_of(replace(SMART, least_loser="quads")) == "no_hand"
    assert code_of(replace(SMART, least_winner="pair:Z")) == "no_hand"
    assert code_of(replace(SMART, hours=((0, 1_441),))) == "bad_hours"
    assert code_of(replace(MONTE_CARLO, tiers=())) == "no_hand"
    assert code_of(replace(MONTE_CARLO, tiers=(JackpotTier("pair", 10_001),))) == "bad_share"
    twice = (JackpotTier("pair", 1), JackpotTier("pair", 2))
    assert code_of(replace(MONTE_CARLO, tiers=twice)) == "hand_twice"


@pytest.mark.rule("J-01")
def test_jackpots_of_a_table_take_at_most_its_rake() -> None:
    check_feeds([1_000, 1_000, 500])
    check_feeds([10_000])
    with pytest.raises(Refusal) as refused:
        check_feeds([9_000, 1_001])
    assert refused.value.code == "feeds_sum"
