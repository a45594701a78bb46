"""Button, blinds and dealt-in seats, from hand to hand (C-04, H-02, H-07)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.engine.positions import clockwise, draw_button, next_positions
from tables.engine.state import Positions

NOBODY: frozenset[int] = frozenset()


def first(*seats: int, button: int) -> Positions:
    """Positions of a table's first hand."""
    return next_positions(None, seats, NOBODY, button=button)


def spots(positions: Positions) -> tuple[int, int | None, int | None]:
    """Button, small blind and big blind."""
    return positions.button, positions.small_blind, positions.big_blind


@pytest.mark.rule("C-04")
def test_highest_card_draws_the_button_and_suits_break_ties() -> None:
    assert draw_button({1: "Kc", 2: "Qs", 3: "Kh", 4: "Kd"}) == 3
    assert draw_button({1: "Ac", 2: "As"}) == 2
    assert draw_button({7: "2d", 8: "2c"}) == 7


@pytest.mark.rule("H-02")
def test_blinds_stand_left_of_the_button_and_dealing_begins_there() -> None:
    positions = first(2, 5, 7, 9, button=7)
    assert spots(positions) == (7, 9, 2)
    assert positions.dealt == (9, 2, 5, 7)


@pytest.mark.rule("H-02")
def test_heads_up_the_button_posts_the_small_blind() -> None:
    positions = first(3, 8, button=8)
    assert spots(positions) == (8, 8, 3)
    assert positions.dealt == (3, 8)


@pytest.mark.rule("H-11")
def test_by_s0_the_button_of_two_posts_the_big_blind() -> None:
    positions = next_positions(None, (3, 8), NOBODY, button=8, s0_order=True)
    assert spots(positions) == (8, 3, 8)
    after = next_positions(positions, (3, 8), NOBODY, s0_order=True)
    assert spots(after) == (3, 8, 3)


@pytest.mark.rule("H-07")
def test_all_move_on_by_one_seat() -> None:
    assert spots(next_positions(first(1, 2, 3, 4, button=1), (1, 2, 3, 4), NOBODY)) == (2, 3, 4)


@pytest.mark.rule("H-07")
def test_a_bust_small_blind_leaves_a_dead_button() -> None:
    positions = next_positions(first(1, 2, 3, 4, 5, button=1), (1, 3, 4, 5), NOBODY)
    assert spots(positions) == (2, 3, 4)
    assert positions.dealt == (3, 4, 5, 1)


@pytest.mark.rule("H-07")
def test_a_bust_big_blind_leaves_a_dead_small_blind_and_then_a_dead_button() -> None:
    positions = next_positions(first(1, 2, 3, 4, 5, button=1), (1, 2, 4, 5), NOBODY)
    assert spots(positions) == (2, None, 4)
    assert positions.dead_small_blind == 3
    after = next_positions(positions, (1, 2, 4, 5), NOBODY)
    assert spots(after) == (3, 4, 5)


@pytest.mark.rule("H-07")
def test_both_blinds_bust_at_once() -> None:
    positions = next_positions(first(1, 2, 3, 4, 5, button=1), (1, 4, 5), NOBODY)
    assert spots(positions) == (2, None, 4)
    assert spots(next_positions(positions, (1, 4, 5), NOBODY)) == (3, 4, 5)


@pytest.mark.rule("H-07")
@pytest.mark.parametrize(
    ("left", "expected"),
    [((1, 2), (2, 2, 1)), ((1, 3), (3, 3, 1)), ((2, 3), (3, 3, 2))],
)
def test_from_three_to_two_no_seat_posts_the_big_blind_twice(
    left: tuple[int, ...], expected: tuple[int, int, int]
) -> None:
    assert spots(next_positions(first(1, 2, 3, button=1), left, NOBODY)) == expected


@pytest.mark.rule("H-07")
@pytest.mark.parametrize(("newcomer", "expected"), [(3, (3, 5, 1)), (7, (1, 5, 7))])
def test_from_two_to_three_the_big_blind_goes_on_clockwise(
    newcomer: int, expected: tuple[int, int, int]
) -> None:
    heads_up = first(1, 5, button=1)
    seats = tuple(sorted((1, 5, newcomer)))
    assert spots(next_positions(heads_up, seats, frozenset({newcomer}))) == expected


@pytest.mark.rule("T-08")
def test_a_newcomer_between_button_and_small_blind_waits_one_hand() -> None:
    positions = next_positions(first(1, 3, 5, 7, 9, button=1), (1, 3, 4, 5, 7, 9), frozenset({4}))
    assert spots(positions) == (3, 5, 7)
    assert 4 not in positions.dealt
    after = next_positions(positions, (1, 3, 4, 5, 7, 9), NOBODY)
    assert spots(after) == (5, 7, 9)
    assert 4 in after.dealt


@pytest.mark.rule("T-08")
def test_a_newcomer_may_be_dealt_the_big_blind_at_once() -> None:
    positions = next_positions(first(1, 3, 5, 7, button=1), (1, 3, 5, 6, 7), frozenset({6}))
    assert spots(positions) == (3, 5, 6)
    assert 6 in positions.dealt


@pytest.mark.rule("T-08")
@pytest.mark.rule("H-07")
def test_a_player_who_waited_is_never_dealt_between_button_and_small_blind() -> None:
    before = first(4, 6, 8, button=6)
    two = next_positions(before, (6, 8, 9), frozenset({9}))
    assert (spots(two), two.dealt) == ((8, 8, 6), (6, 8)), "seat 9 waits"
    after = next_positions(two, (6, 7, 8, 9), frozenset({7}))
    assert spots(after) == (9, 6, 7), "the button is the seat before the small blind"
    assert after.dealt == (6, 7, 8, 9)


@pytest.mark.rule("T-08")
def test_a_newcomer_does_not_wait_when_only_two_are_left_to_play() -> None:
    before = first(1, 3, 5, button=1)
    positions = next_positions(before, (4, 5), frozenset({4}))
    assert sorted(positions.dealt) == [4, 5]
    assert positions.big_blind == 4


@pytest.mark.rule("D-02")
def test_without_blinds_the_button_only_sets_the_start_of_dealing() -> None:
    stud = next_positions(None, (1, 4, 6), NOBODY, button=4, blinds=False)
    assert stud == Positions(4, None, None, (6, 1, 4))
    assert next_positions(stud, (1, 4, 6), NOBODY, blinds=False).button == 6


@pytest.mark.rule("H-07")
@given(
    seats=st.sets(st.integers(1, 10), min_size=2, max_size=10),
    draws=st.lists(
        st.tuples(st.sets(st.integers(1, 10)), st.sets(st.integers(1, 10))), max_size=25
    ),
    data=st.data(),
)
def test_no_seat_skips_the_big_blind_or_posts_it_twice_running(
    seats: set[int], draws: list[tuple[set[int], set[int]]], data: st.DataObject
) -> None:
    occupied = seats
    button = data.draw(st.sampled_from(sorted(occupied)))
    positions = first(*sorted(occupied), button=button)
    for leaving, joining in draws:
        newcomers = frozenset(joining - occupied)
        stays = occupied - leaving
        after = stays | newcomers
        if len(after) < 2:
            continue
        following = next_positions(positions, tuple(sorted(after)), newcomers)
        assert positions.big_blind is not None
        assert following.big_blind == clockwise(positions.big_blind, after)[0]
        _check(following, after, newcomers)
        occupied, positions = after, following


def _check(positions: Positions, occupied: set[int], newcomers: frozenset[int]) -> None:
    assert positions.big_blind in positions.dealt
    assert positions.small_blind is None or positions.small_blind in positions.dealt
    assert positions.small_blind != positions.big_blind
    assert occupied - set(positions.dealt) <= newcomers, "only newcomers wait"
    assert len(positions.dealt) >= 2
    assert positions.dealt == clockwise(positions.button, positions.dealt)
    if len(positions.dealt) == 2:
        assert positions.button == positions.small_blind
    else:
        small = positions.small_blind or positions.dead_small_blind
        assert small is not None
        round_table = clockwise(positions.button, {small, positions.big_blind, positions.button})
        assert round_table == (small, positions.big_blind, positions.button)
