"""Bounties go to winners of the last pot; progressive ones keep every unit in play or paid."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.bounties import (
    knock_out,
    merged_head,
    room_bounty,
    winner_head,
)


@pytest.mark.rule("N-01")
def test_a_split_pot_splits_the_bounty_and_the_odd_unit_goes_to_the_first() -> None:
    assert knock_out(11, 10_000, [0, 0]) == ([6, 5], [0, 0])


@pytest.mark.rule("N-04")
def test_half_of_a_progressive_bounty_is_paid_and_half_goes_on_the_winners_head() -> None:
    assert knock_out(10, 5_000, [10]) == ([5], [15])
    assert knock_out(15, 5_000, [10]) == ([8], [17])
    assert knock_out(15, 5_000, [10], odd_to_cash=False) == ([7], [18])
    assert knock_out(100, 2_500, [40]) == ([25], [115])


@pytest.mark.rule("N-02")
@pytest.mark.rule("N-03")
def test_bounties_of_the_room_are_paid_in_full_even_in_progressive_events() -> None:
    assert room_bounty(500, 1) == [500]
    assert room_bounty(501, 2) == [251, 250]


@pytest.mark.rule("N-05")
def test_merged_entries_pool_their_heads() -> None:
    assert merged_head([10, 15, 40]) == 65


@pytest.mark.rule("N-04")
@pytest.mark.rule("N-07")
@pytest.mark.rule("T-15")
@given(
    st.integers(2, 30),
    st.integers(0, 1_000),
    st.integers(0, 10_000),
    st.booleans(),
    st.integers(0, 2**32),
)
def test_bounties_paid_in_equal_bounties_paid_out_and_the_winner_keeps_the_own_one(
    players: int, bounty: int, progressive_bp: int, odd_to_cash: bool, seed: int
) -> None:
    """Bounties of disqualified players wait for the winner of the tournament."""
    lot = Random(seed)
    heads = dict.fromkeys(range(players), bounty)
    cash, disqualified = 0, []
    while len(heads) > 1:
        if lot.random() < 0.1:
            disqualified.append(heads.pop(lot.choice(sorted(heads))))
            continue
        out, *winners = lot.sample(sorted(heads), lot.randint(2, min(4, len(heads))))
        paid, after = knock_out(
            heads.pop(out), progressive_bp, [heads[w] for w in winners], odd_to_cash=odd_to_cash
        )
        cash += sum(paid)
        heads.update(zip(winners, after, strict=True))
    (own,) = heads.values()
    assert cash + winner_head(own, disqualified) == players * bounty
    if progressive_bp == 10_000:
        assert own == bounty
