"""Cancelling forward pays the unpaid prizes and returns the overlay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.cancellation import roll_forward


@pytest.mark.rule("T-12")
def test_before_the_money_half_is_shared_evenly_and_half_by_chips() -> None:
    done = roll_forward(
        [6_000, 3_000, 1_000],
        [700, 300],
        fees=[10, 10, 10],
        bounties=[25, 50, 25],
    )
    assert not done.in_the_money
    assert done.shares == (467, 317, 216)
    assert (done.fees, done.bounties) == ((10, 10, 10), (25, 50, 25))


@pytest.mark.rule("T-12")
def test_in_the_money_each_player_gets_the_lowest_prize_and_the_rest_goes_by_chips() -> None:
    done = roll_forward(
        [6_000, 3_000, 1_000], [500, 300, 200], fees=[10, 10, 10], bounties=[25, 50, 25]
    )
    assert done.in_the_money
    assert done.shares == (440, 320, 240)
    assert done.fees == (0, 0, 0)
    assert done.bounties == (25, 50, 25)


@pytest.mark.rule("T-12")
def test_an_overlay_goes_back_to_the_room() -> None:
    before = roll_forward([1, 1, 1], [700, 300], fees=[0] * 3, bounties=[0] * 3, overlay=400)
    assert before.to_room == 400
    assert before.shares == (200, 200, 200)
    money = roll_forward([3, 1], [600, 400], fees=[0] * 2, bounties=[0] * 2, overlay=900)
    assert (money.to_room, money.shares) == (200, (400, 400))


@pytest.mark.rule("T-12")
@pytest.mark.parametrize("prizes", [[1_000], [600, 400]])
def test_where_nobody_has_chips_all_shares_are_equal(prizes: list[int]) -> None:
    assert roll_forward([0, 0], prizes, fees=[0] * 2, bounties=[0] * 2).shares == (500, 500)


@pytest.mark.rule("T-12")
@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=30), st.data())
def test_cancelling_forward_pays_out_the_whole_unpaid_sum(
    stacks: list[int], data: st.DataObject
) -> None:
    prizes = data.draw(st.lists(st.integers(1, 10**6), min_size=1, max_size=len(stacks)))
    overlay = data.draw(st.integers(0, 10**6))
    nothing = [0] * len(stacks)
    done = roll_forward(
        stacks, sorted(prizes, reverse=True), fees=nothing, bounties=nothing, overlay=overlay
    )
    assert sum(done.shares) + done.to_room == sum(prizes)
    assert done.to_room <= overlay
    assert min(done.shares) >= (min(prizes) if done.in_the_money else 0)
