"""The level is a function of elapsed time and hands; breaks and stops hold the clock."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.levels import (
    START,
    Clock,
    charge,
    elapsed_ms,
    ended,
    go_on,
    hands_played,
    position,
    prolonged,
    stop,
)
from tournaments.engine.refusals import LastLevel, LevelByHands
from tournaments.engine.structure import BlindStructure, Break, Level

TEN = 600_000
FIVE = 300_000

BY_TIME = BlindStructure(
    items=(
        Level(small_blind=1, big_blind=2, lasts_ms=TEN),
        Level(small_blind=2, big_blind=4, lasts_ms=TEN),
        Break(lasts_ms=FIVE),
        Level(small_blind=3, big_blind=6, lasts_ms=TEN),
    )
)
BY_HANDS = BlindStructure(
    items=(
        Level(small_blind=1, big_blind=2, lasts_hands=10),
        Break(lasts_ms=FIVE),
        Level(small_blind=2, big_blind=4, lasts_hands=5),
        Level(small_blind=3, big_blind=6, lasts_hands=5),
    )
)


@pytest.mark.rule("L-04")
@pytest.mark.parametrize(
    ("elapsed", "number", "is_break", "ends_in"),
    [
        (0, 1, False, TEN),
        (TEN - 1, 1, False, 1),
        (TEN, 2, False, TEN),
        (2 * TEN, 2, True, FIVE),
        (2 * TEN + FIVE - 1, 2, True, 1),
        (2 * TEN + FIVE, 3, False, None),
        (100 * TEN, 3, False, None),
    ],
)
def test_levels_by_time_follow_the_elapsed_time(
    elapsed: int, number: int, is_break: bool, ends_in: int | None
) -> None:
    now = position(BY_TIME, elapsed, 7)
    assert (now.number, now.is_break, now.ends_in_ms) == (number, is_break, ends_in)


@pytest.mark.rule("L-05")
def test_a_break_shows_the_level_before_it_and_the_one_after() -> None:
    now = position(BY_TIME, 2 * TEN, 0)
    assert now.is_break
    assert now.level.big_blind == 4
    assert now.next_level is not None
    assert now.next_level.big_blind == 6
    assert position(BY_TIME, TEN // 2, 0).break_in_ms == TEN + TEN // 2
    assert position(BY_TIME, 2 * TEN + FIVE, 0).break_in_ms is None


@pytest.mark.rule("L-05")
def test_the_last_level_lasts_to_the_end() -> None:
    now = position(BY_TIME, 10**12, 10**6)
    assert now.level.big_blind == 6
    assert now.ends_in_ms is None
    assert now.ends_in_hands is None
    assert now.next_level is None


@pytest.mark.rule("L-01")
def test_levels_by_hands_count_hands_and_breaks_between_them_count_time() -> None:
    first = position(BY_HANDS, 50_000, 9, START)
    assert (first.number, first.ends_in_hands, first.ends_in_ms) == (1, 1, None)
    pause = position(BY_HANDS, 60_000, 10, first.began)
    assert pause.is_break
    assert pause.ends_in_ms == FIVE
    later = position(BY_HANDS, 60_000 + FIVE - 1, 10, pause.began)
    assert later.is_break
    assert later.ends_in_ms == 1
    second = position(BY_HANDS, 60_000 + FIVE, 11, later.began)
    assert (second.number, second.ends_in_hands) == (2, 5)
    third = position(BY_HANDS, 10**9, 16, second.began)
    assert third.number == 3
    assert third.ends_in_hands is None


@pytest.mark.rule("L-01")
def test_hands_played_beyond_a_level_count_for_the_next_one() -> None:
    third = position(BY_HANDS, 60_000 + FIVE, 10, position(BY_HANDS, 60_000, 10).began)
    late = position(BY_HANDS, 900_000, 17, third.began)
    assert (late.number, late.ends_in_hands) == (3, None)
    skipped = BlindStructure(items=(*BY_HANDS.items[2:], BY_HANDS.items[3]))
    now = position(skipped, 900_000, 7)
    assert (now.number, now.ends_in_hands) == (2, 3)


@pytest.mark.rule("L-01")
def test_the_hands_of_a_gathered_final_table_go_on_from_those_before() -> None:
    assert hands_played(closed=0, still_open=9, gathered=False) == 9
    assert hands_played(closed=30, still_open=22, gathered=False) == 30
    assert hands_played(closed=30, still_open=0, gathered=True) == 30
    assert hands_played(closed=30, still_open=4, gathered=True) == 34


@given(st.lists(st.integers(0, TEN), max_size=12))
def test_the_level_by_time_is_independent_of_the_number_of_reads(steps: list[int]) -> None:
    mark, elapsed = START, 0
    for step in steps:
        elapsed += step
        mark = position(BY_TIME, elapsed, 0, mark).began
    seen = position(BY_TIME, elapsed, 0, mark)
    fresh = position(BY_TIME, elapsed, 0)
    assert (seen.index, seen.ends_in_ms) == (fresh.index, fresh.ends_in_ms)


@pytest.mark.rule("L-05")
@pytest.mark.rule("T-13")
def test_the_clock_stands_still_until_the_last_reason_is_gone() -> None:
    clock = Clock(started_ms=1_000)
    assert elapsed_ms(clock, 5_000) == 4_000
    clock = stop(clock, 5_000, "pause")
    clock = stop(clock, 6_000, "fault")
    clock = go_on(clock, 9_000, "pause")
    assert elapsed_ms(clock, 9_500) == 4_000
    clock = go_on(go_on(clock, 10_000, "fault"), 11_000, "fault")
    assert elapsed_ms(clock, 12_000) == 6_000


@pytest.mark.rule("T-13")
def test_an_outage_detected_late_stops_the_clock_at_its_start() -> None:
    clock = stop(Clock(started_ms=0), 9_000, "pause")
    clock = stop(clock, 8_000, "fault")
    assert elapsed_ms(clock, 20_000) == 8_000


@pytest.mark.rule("T-09")
def test_a_charge_moves_a_stopped_clock_by_a_fixed_time() -> None:
    clock = stop(Clock(started_ms=0), 5_000, "hand_for_hand")
    clock = charge(charge(clock, 120_000), 120_000)
    assert elapsed_ms(clock, 999_999) == 245_000
    assert elapsed_ms(go_on(clock, 1_000_000, "hand_for_hand"), 1_000_500) == 245_500


@pytest.mark.rule("L-05")
@given(
    structure=st.sampled_from([BY_TIME, BY_HANDS]),
    elapsed=st.integers(0, 4 * TEN),
    hands=st.integers(0, 30),
)
def test_an_item_ended_by_hand_is_followed_by_the_next_one_from_its_start(
    structure: BlindStructure, elapsed: int, hands: int
) -> None:
    now = position(structure, elapsed, hands)
    if now.index == len(structure.items) - 1:
        with pytest.raises(LastLevel):
            ended(structure, now, elapsed, hands)
        return
    following = position(structure, elapsed, hands, ended(structure, now, elapsed, hands))
    assert following.index == now.index + 1
    item = structure.items[following.index]
    if following.ends_in_ms is not None:
        assert following.ends_in_ms == item.lasts_ms
    if following.ends_in_hands is not None:
        assert isinstance(item, Level) and following.ends_in_hands == item.lasts_hands


@pytest.mark.rule("L-05")
@given(
    structure=st.sampled_from([BY_TIME, BY_HANDS]),
    elapsed=st.integers(0, 4 * TEN),
    hands=st.integers(0, 30),
    more_ms=st.integers(0, 2 * TEN),
)
def test_an_item_by_time_is_prolonged_up_to_its_whole_time(
    structure: BlindStructure, elapsed: int, hands: int, more_ms: int
) -> None:
    now = position(structure, elapsed, hands)
    if now.ends_in_ms is None:
        with pytest.raises(LevelByHands if now.ends_in_hands is not None else LastLevel):
            prolonged(structure, now, elapsed, more_ms)
        return
    mark = prolonged(structure, now, elapsed, more_ms)
    longer = position(structure, elapsed, hands, mark)
    assert longer.index == now.index
    assert longer.ends_in_ms == min(now.ends_in_ms + more_ms, structure.items[now.index].lasts_ms)
    assert longer.began.hands == now.began.hands
