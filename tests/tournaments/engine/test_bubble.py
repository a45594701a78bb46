"""Hand-for-hand holds where it is set, and its rounds start together at all tables."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.bubble import (
    Bubble,
    RoundTable,
    charged,
    holds,
    is_complete,
    may_deal,
    paced,
)
from tournaments.engine.levels import Clock, elapsed_ms, position
from tournaments.engine.structure import BlindStructure, Break, Level

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
def test_hand_for_hand_holds_before_the_money_and_before_the_final_table(
    bubble: Bubble, left: int, expected: bool
) -> None:
    assert holds(bubble, left=left, paid=50, seats=9) is expected


@pytest.mark.rule("T-09")
def test_a_field_of_one_table_is_never_hand_for_hand() -> None:
    assert not holds(ONE_BEFORE, left=4, paid=3, seats=9)


@pytest.mark.rule("T-09")
def test_the_first_round_waits_for_the_hands_in_play() -> None:
    stands, plays = RoundTable(0, False, 6), RoundTable(0, True, 6)
    assert not may_deal(stands, 0, is_open=False)
    assert not is_complete([stands, plays], 0, is_open=False)
    assert is_complete([stands, stands], 0, is_open=False)


@pytest.mark.rule("T-09")
def test_a_lone_player_delays_no_round() -> None:
    dealt, lone = RoundTable(4, False, 2), RoundTable(3, False, 1)
    assert is_complete([dealt, lone], 4, is_open=True)
    assert not is_complete([dealt, RoundTable(3, False, 2)], 4, is_open=True)


@pytest.mark.rule("T-09")
@given(st.integers(2, 12), st.integers(0, 2**32))
def test_no_table_is_ever_a_hand_ahead_of_another(tables: int, seed: int) -> None:
    lot = Random(seed)
    field = [RoundTable(0, lot.random() < 0.5, 5) for _ in range(tables)]
    current, is_open, dealt = 0, False, [0] * tables
    for _ in range(600):
        index = lot.randrange(tables)
        table = field[index]
        if table.in_hand:
            field[index] = RoundTable(table.round, False, 5)
        elif may_deal(table, current, is_open=is_open):
            field[index] = RoundTable(current, True, 5)
            dealt[index] += 1
        elif is_complete(field, current, is_open=is_open):
            assert not any(one.in_hand for one in field)
            current, is_open = current + 1, True
        assert max(dealt) - min(dealt) <= 1
    assert current > 1


LEVELS = BlindStructure(
    items=(
        Level(small_blind=1, big_blind=2, lasts_ms=600_000),
        Break(lasts_ms=300_000),
        Level(small_blind=2, big_blind=4, lasts_ms=600_000),
    )
)


@pytest.mark.rule("T-09")
def test_the_clock_is_charged_a_fixed_time_however_long_the_hands_take() -> None:
    clock = paced(Clock(started_ms=0), 100_000, holding=True, on_break=False)
    for _ in range(3):
        now = position(LEVELS, elapsed_ms(clock, 9_999_999), 0)
        clock = charged(clock, ONE_BEFORE, now)
    assert elapsed_ms(clock, 9_999_999) == 460_000


@pytest.mark.rule("T-09")
@pytest.mark.rule("L-05")
def test_a_break_that_falls_into_hand_for_hand_ends_by_itself_and_in_full() -> None:
    clock = paced(Clock(started_ms=0), 590_000, holding=True, on_break=False)
    clock = charged(clock, ONE_BEFORE, position(LEVELS, elapsed_ms(clock, 700_000), 0))
    now = position(LEVELS, elapsed_ms(clock, 700_000), 0)
    assert (now.is_break, now.ends_in_ms) == (True, 300_000)
    clock = paced(clock, 700_000, holding=True, on_break=now.is_break)
    assert position(LEVELS, elapsed_ms(clock, 999_999), 0).is_break
    later = position(LEVELS, elapsed_ms(clock, 1_000_000), 0)
    assert not later.is_break
    clock = paced(clock, 1_000_000, holding=True, on_break=False)
    assert elapsed_ms(clock, 5_000_000) == 900_000
    assert elapsed_ms(paced(clock, 5_000_000, holding=False, on_break=False), 5_000_001) == 900_001


@pytest.mark.rule("T-09")
@pytest.mark.rule("L-05")
def test_a_round_that_ends_in_a_break_takes_no_time_off_it() -> None:
    clock = paced(Clock(started_ms=0), 600_000, holding=True, on_break=False)
    now = position(LEVELS, elapsed_ms(clock, 600_000), 0)
    assert now.is_break
    assert charged(clock, ONE_BEFORE, now) == clock
