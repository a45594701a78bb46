"""Formats with their own end pay as in their published examples."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.refusals import Refusal
from tournaments.engine.formats import (
    double_or_nothing,
    even_field,
    fifty_fifty,
    places_by_chips,
    places_paid_by_half,
    proportional,
    shootout_rounds,
    stops_at_half,
)
from tournaments.engine.payouts import shared
from tournaments.engine.seating import draw
from tournaments.engine.spin import ODDS, ODDS_SUM, spin, split, validate_odds


@pytest.mark.rule("F-06")
def test_fifty50_pays_half_evenly_and_half_by_chips() -> None:
    assert fifty_fifty(3_000, [4300, 3600, 3100, 2300, 1700]) == [730, 660, 610, 530, 470]


@pytest.mark.rule("F-06")
@given(st.integers(0, 10**7), st.lists(st.integers(1, 10**6), min_size=1, max_size=5))
def test_fifty50_pays_the_pool_and_never_less_for_more_chips(pool: int, stacks: list[int]) -> None:
    paid = fifty_fifty(pool, stacks)
    assert sum(paid) == pool
    ranked = sorted(zip(stacks, paid, strict=True), reverse=True)
    assert [amount for _, amount in ranked] == sorted(paid, reverse=True)
    assert all(amount >= pool // (2 * len(stacks)) for amount in paid)


@pytest.mark.rule("F-09")
def test_a_paid_place_without_chips_gets_only_the_equal_share() -> None:
    assert fifty_fifty(3_000, [9000, 6000, 0, 0, 0]) == [1200, 900, 300, 300, 300]


@pytest.mark.rule("F-09")
def test_odd_fields_are_refused_and_more_out_than_half_also_stops_play() -> None:
    for players in (9, 1, 0, -2):
        with pytest.raises(Refusal) as refused:
            even_field(players)
        assert refused.value.code == "odd_field"
    assert places_paid_by_half(10) == 5
    assert [stops_at_half(10, left) for left in (6, 5, 4)] == [False, True, True]


@pytest.mark.rule("F-07")
def test_double_or_nothing_pays_twice_the_buy_in() -> None:
    assert double_or_nothing(10 * 2_000, places_paid_by_half(10)) == [4_000] * 5
    assert double_or_nothing(10_001, 5) == [2_001, 2_000, 2_000, 2_000, 2_000]


@pytest.mark.rule("F-04")
@pytest.mark.parametrize(
    ("entrants", "seats", "rounds"),
    [
        (36, 6, 2),
        (216, 6, 3),
        (217, 6, 4),
        (81, 9, 2),
        (729, 9, 3),
        (730, 9, 4),
        (2, 2, 1),
        (1024, 2, 10),
        (1025, 2, 11),
        (7, 6, 2),
        (6, 6, 1),
    ],
)
def test_shootout_rounds_fit_whole_tables(entrants: int, seats: int, rounds: int) -> None:
    assert shootout_rounds(entrants, seats) == rounds


@pytest.mark.rule("F-04")
@given(st.integers(2, 1_000), st.integers(2, 10))
def test_every_round_of_a_shootout_spreads_the_winners_evenly_over_its_tables(
    entrants: int, seats: int
) -> None:
    players = list(range(entrants))
    for _ in range(shootout_rounds(entrants, seats)):
        seating = draw(players, seats, Random(entrants))
        assert len(seating) == -(-len(players) // seats)
        players = [min(table.values()) for table in seating]
    assert len(players) == 1


@pytest.mark.rule("F-04")
def test_a_shootout_of_one_or_of_too_many_rounds_is_refused() -> None:
    for entrants, seats, code in [
        (1, 6, "no_shootout"),
        (5, 1, "no_shootout"),
        (5_000, 2, "too_many_rounds"),
    ]:
        with pytest.raises(Refusal) as refused:
            shootout_rounds(entrants, seats)
        assert refused.value.code == code


@pytest.mark.rule("F-05")
def test_the_spin_draws_each_multiplier_as_often_as_its_odds_say() -> None:
    assert sum(ODDS.values()) == ODDS_SUM

    class Given:
        """Random source that returns the numbers of 0..99,999 in turn."""

        def __init__(self) -> None:
            self.number = -1

        def randrange(self, start: int, /) -> int:
            assert start == ODDS_SUM
            self.number += 1
            return self.number

    lot = Given()
    seen = Counter(spin(ODDS, 100, lot).multiplier for _ in range(ODDS_SUM))
    assert dict(seen) == dict(ODDS)


@pytest.mark.rule("F-05")
@pytest.mark.rule("Z-01")
def test_the_pool_of_a_spin_is_a_multiple_of_one_buy_in_and_the_room_pays_the_rest() -> None:
    seen = {}
    lot = Random(5)
    for _ in range(3_000):
        drawn = spin(ODDS, 100, lot)
        seen[drawn.multiplier] = (drawn.pool, drawn.room_part)
    assert seen[2] == (200, -100)
    assert seen[4] == (400, 100)
    assert split(1_000) == [1_000]
    assert split(1_001, (8_000, 1_000, 1_000)) == [801, 100, 100]


@pytest.mark.rule("F-05")
def test_odds_and_splits_with_a_wrong_sum_are_refused() -> None:
    for odds, code in [
        ({2: 99_999}, "odds_not_whole"),
        ({2: 100_001, 4: -1}, "bad_odds"),
        ({0: 100_000}, "bad_odds"),
    ]:
        with pytest.raises(Refusal) as refused:
            validate_odds(odds)
        assert refused.value.code == code
    for shares in [(9_999,), (), (4_000, 3_000, 2_000, 1_000), (11_000, -1_000)]:
        with pytest.raises(Refusal):
            split(100, shares)


@pytest.mark.rule("T-11")
@pytest.mark.rule("Y-03")
def test_when_time_is_up_or_a_deal_is_made_places_go_by_chips() -> None:
    placed = places_by_chips({7: 500, 8: 900, 9: 500, 10: 100})
    assert [(one.place, one.entry, one.sharers) for one in placed] == [
        (1, 8, 1),
        (2, 7, 2),
        (2, 9, 2),
        (4, 10, 1),
    ]
    assert shared([100, 60, 41], placed) == {8: 100, 7: 51, 9: 50, 10: 0}


@pytest.mark.rule("T-11")
def test_by_setting_the_pool_is_shared_by_chips_when_time_is_up() -> None:
    assert proportional(1_000, [600, 300, 101]) == [599, 300, 101]
