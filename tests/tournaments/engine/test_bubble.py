"""Hand-for-hand holds where it is set, and its rounds start together at all tables."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.bubble import (
    BeginRound,
    Bubble,
    Deal,
    Hold,
    Standing,
    barrier,
    holds,
)
from tournaments.engine.levels import Clock, charge, elapsed_ms, stop

ONE_BEFORE = Bubble(before_money=1, before_final=0, charge_ms=120_000)
BOTH = Bubble(before_money=3, before_final=2, charge_ms=120_000)
OFF = Bubble(before_money=0, before_final=0, charge_ms=120_000)


@pytest.mark.rule("T-09")
@pytest.mark.parametrize(
    ("bubble", "left", "expected"),
    [
        (ONE_BEFORE, 52, False),
        (ONE_BEFORE, 51, True),
        (ONE_BEFORE, 50, False),
        (BOTH, 53, True),
        (BOTH, 50, False),
        (BOTH, 12, False),
        (BOTH, 11, True),
        (BOTH, 10, True),
        (BOTH, 9, False),
        (OFF, 51, False),
        (OFF, 10, False),
    ],
)
def test_it_holds_before_the_money_and_before_the_final_table(
    bubble: Bubble, left: int, expected: bool
) -> None:
    assert holds(bubble, left=left, paid=50, seats=9, tables_open=6) is expected


@pytest.mark.rule("T-09")
def test_a_single_table_is_never_hand_for_hand() -> None:
    assert not holds(ONE_BEFORE, left=4, paid=3, seats=9, tables_open=1)


@pytest.mark.rule("T-09")
def test_the_first_round_waits_for_the_hands_in_play() -> None:
    gathering = Standing(round=1, gathering=True, asking_round=0, others_in_hand=1, others_due=3)
    assert barrier(gathering) == Hold()
    all_stand = Standing(round=1, gathering=True, asking_round=0, others_in_hand=0, others_due=3)
    assert barrier(all_stand) == BeginRound(1)


@pytest.mark.rule("T-09")
@given(st.integers(2, 12), st.integers(0, 2**32))
def test_no_table_is_ever_a_hand_ahead_of_another(tables: int, seed: int) -> None:
    lot = Random(seed)
    rounds, in_hand = [0] * tables, [lot.random() < 0.5 for _ in range(tables)]
    current, gathering = 1, True
    for _ in range(400):
        table = lot.randrange(tables)
        if in_hand[table]:
            in_hand[table] = False
            continue
        others = [other for other in range(tables) if other != table]
        standing = Standing(
            round=current,
            gathering=gathering,
            asking_round=rounds[table],
            others_in_hand=sum(in_hand[other] for other in others),
            others_due=sum(rounds[o] < current and not in_hand[o] for o in others),
        )
        answer = barrier(standing)
        if isinstance(answer, BeginRound):
            assert not any(in_hand)
            assert gathering or set(rounds) == {current}
            current, gathering = answer.round, False
        elif isinstance(answer, Deal):
            assert not gathering
            rounds[table], in_hand[table] = answer.round, True
        assert max(rounds) - min(rounds) <= 1
    assert current > 1


@pytest.mark.rule("T-09")
def test_the_clock_is_charged_a_fixed_time_however_long_the_hands_take() -> None:
    clock = stop(Clock(started_ms=0), 1_000_000, "hand_for_hand")
    for _ in range(3):
        clock = charge(clock, ONE_BEFORE.charge_ms)
    assert elapsed_ms(clock, 9_999_999) == 1_360_000
