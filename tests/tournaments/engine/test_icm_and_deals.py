"""ICM gives the published equities, exact or to 1e-9, and deals share them to the unit."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import factorial, prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.refusals import Refusal
from tournaments.engine import icm
from tournaments.engine.deals import Kind, Outcome, outcome, shares
from tournaments.engine.icm import equities
from tournaments.engine.rounding import evenly, largest_remainder


def by_brute_force(stacks: Sequence[int], payouts: Sequence[int]) -> list[Fraction]:
    """Equities from every order of finish, one by one."""
    worth = [Fraction(0)] * len(stacks)
    for order in permutations(range(len(stacks))):
        left, chance = sum(stacks), Fraction(1)
        for index in order:
            chance *= Fraction(stacks[index], left)
            left -= stacks[index]
        for index, prize in zip(order, payouts, strict=False):
            worth[index] += chance * prize
    return worth


VECTORS = [
    ([1500, 1200, 975], [100, 76], "67.0583 58.7292 50.2124"),
    ([1500, 1200, 975, 350], [100, 76], "61.0496 52.6753 44.7337 17.5415"),
    ([150000, 98750, 45500], [425, 280, 130], "332.9929 290.5561 211.4510"),
    ([5000, 3000, 2000], [50, 30, 20], "38.3929 32.7500 28.8571"),
    ([5000, 3000, 1500, 500], [500, 300, 200], "377.7807 312.8888 225.6025 83.7280"),
    ([5000, 3000, 2000, 1000], [100, 60, 40], "71.4755 57.2424 45.7013 25.5808"),
]


@pytest.mark.rule("Y-02")
@pytest.mark.parametrize(("stacks", "payouts", "expected"), VECTORS)
def test_the_published_equities_to_four_decimals(
    stacks: list[int], payouts: list[int], expected: str
) -> None:
    assert " ".join(f"{float(worth):.4f}" for worth in equities(stacks, payouts)) == expected


@pytest.mark.rule("Y-02")
@given(
    st.lists(st.integers(1, 10_000), min_size=1, max_size=6),
    st.lists(st.integers(0, 1_000), max_size=6),
)
def test_exact_equities_are_those_of_every_order_of_finish(
    stacks: list[int], payouts: list[int]
) -> None:
    assert equities(stacks, payouts) == by_brute_force(stacks, payouts)


@pytest.mark.rule("Y-02")
@given(
    st.lists(st.integers(1, 10**6), min_size=2, max_size=4),
    st.lists(st.integers(0, 1_000), min_size=1, max_size=4),
)
def test_the_integral_agrees_with_the_exact_equities(stacks: list[int], payouts: list[int]) -> None:
    """Eleven and more players, eight of them with next to nothing, against the exact ones."""
    many = stacks + [1] * 8
    exact = equities(many[:10], payouts)
    assert all(isinstance(worth, Fraction) for worth in exact)

    close = icm._integrated(many[:10], payouts[:10])
    largest = max(1, *payouts)
    assert all(
        abs(a - float(b)) < 1e-9 * largest for a, b in zip(close, map(Fraction, exact), strict=True)
    )


@pytest.mark.rule("Y-02")
def test_equal_stacks_beyond_ten_are_worth_the_mean_prize() -> None:
    worth = equities([700] * 15, [50, 30, 20])
    assert all(abs(one - 100 / 15) < 1e-9 for one in worth)


@pytest.mark.rule("Y-02")
def test_twenty_players_with_ten_paid_take_less_than_a_second() -> None:
    stacks = [137 * (index + 1) ** 2 for index in range(20)]
    payouts = [300, 200, 130, 100, 80, 60, 50, 40, 25, 15]
    begun = time.process_time()
    worth = [float(one) for one in equities(stacks, payouts)]
    assert time.process_time() - begun < 1.0
    assert abs(sum(worth) - 1_000) < 1e-6
    assert sorted(worth) == worth


@pytest.mark.rule("Y-02")
def test_a_tiny_stack_among_giants_has_its_exact_equity() -> None:
    """One chip against 10 times 10^8: exact chance to finish last is nearly one."""
    stacks = [10**8] * 10 + [1]
    worth = equities(stacks, [100] + [0] * 9 + [7])
    assert abs(worth[-1] - (7 * _chance_last(10, 10**8) + 100 / (10**9 + 1))) < 1e-9


def _chance_last(others: int, stack: int) -> float:
    """Exact chance that the single chip finishes last: each step another player takes the place."""
    return float(prod(Fraction(k * stack, k * stack + 1) for k in range(1, others + 1)))


@pytest.mark.rule("Y-02")
def test_stacks_of_nothing_share_the_last_prizes() -> None:
    assert equities([100, 0, 0], [50, 30, 10]) == [50, 20, 20]
    assert equities([100, 50], []) == [0, 0]
    assert equities([100] * 12, []) == [0] * 12


@pytest.mark.rule("Y-02")
@pytest.mark.parametrize(
    ("kind", "expected"),
    [("icm", [71, 57, 46, 26]), ("equal", [50, 50, 50, 50]), ("chips", [91, 55, 36, 18])],
)
def test_the_published_deal_in_whole_units(kind: Kind, expected: list[int]) -> None:
    assert shares(kind, [5000, 3000, 2000, 1000], [100, 60, 40]) == expected


@pytest.mark.rule("Y-02")
@pytest.mark.parametrize(
    ("stacks", "prizes", "expected"),
    [
        ([9000, 500, 500], [50, 30, 20], [50, 25, 25]),
        ([8000, 1000, 1000], [60, 30, 10], [60, 20, 20]),
        ([5000, 3000, 2000], [50, 30, 20], [40, 32, 28]),
        ([9700, 200, 100], [40, 35, 25], [40, 32, 28]),
        ([9000, 800, 200], [50, 50], [50, 40, 10]),
        ([9000, 1000], [100], [90, 10]),
        ([9000, 1000], [50, 50], [50, 50]),
        ([97, 2, 1], [40, 38, 0], [40, 25, 13]),
    ],
)
def test_a_deal_by_chips_stays_within_the_unpaid_prizes(
    stacks: list[int], prizes: list[int], expected: list[int]
) -> None:
    assert shares("chips", stacks, prizes) == expected


@pytest.mark.rule("Y-02")
@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=11), st.data())
def test_no_deal_share_exceeds_the_first_prize_or_falls_below_the_lowest(
    stacks: list[int], data: st.DataObject
) -> None:
    sizes = st.lists(st.integers(1, 10**6), min_size=1, max_size=len(stacks))
    prizes = sorted(data.draw(sizes), reverse=True)
    given_away = shares("chips", stacks, prizes)
    assert sum(given_away) == sum(prizes)
    assert max(given_away) <= prizes[0]
    assert min(given_away) >= (prizes[-1] if len(prizes) == len(stacks) else 0)
    alone = shares("chips", stacks, prizes, by_chips="by_chips_alone")
    assert alone == largest_remainder(sum(prizes), stacks)


@pytest.mark.rule("Y-02")
@pytest.mark.parametrize("seed", range(6))
def test_equities_of_ten_players_are_those_of_fractions(seed: int) -> None:
    random = Random(seed)
    unit = random.choice((1, 25, 100))
    stacks = [random.randint(1, 9_000) * unit for _ in range(9)] + [3_000 * unit]
    payouts = sorted(random.randint(0, 90_000) for _ in range(random.randint(1, 10)))[::-1]
    assert equities(stacks, payouts) == by_fractions(stacks, payouts)


def by_fractions(stacks: Sequence[int], payouts: Sequence[int]) -> list[Fraction]:
    """Equities in reduced fractions over the sets of players on the first places."""
    worth = [Fraction(0)] * len(stacks)
    first = {frozenset[int](): Fraction(1)}
    for prize in payouts:
        following: dict[frozenset[int], Fraction] = {}
        for taken, chance in first.items():
            left = sum(stacks) - sum(stacks[index] for index in taken)
            for index in set(range(len(stacks))) - taken:
                here = chance * Fraction(stacks[index], left)
                worth[index] += here * prize
                joined = taken | {index}
                following[joined] = following.get(joined, Fraction(0)) + here
        first = following
    return worth


@pytest.mark.rule("Y-02")
@given(
    st.sampled_from(["equal", "chips", "icm"]),
    st.lists(st.integers(1, 10**6), min_size=2, max_size=11),
    st.data(),
)
def test_a_deal_shares_exactly_the_unpaid_prizes_and_follows_the_stacks(
    kind: Kind, stacks: list[int], data: st.DataObject
) -> None:
    prizes = data.draw(st.lists(st.integers(0, 10**6), max_size=len(stacks)))
    prizes = sorted(prizes, reverse=True)
    given = shares(kind, stacks, prizes)
    assert sum(given) == sum(prizes)
    for one, first in enumerate(stacks):
        for other, second in enumerate(stacks):
            if kind != "equal" and first > second:
                assert given[one] >= given[other] - (1 if len(stacks) > 10 else 0)
    if kind == "equal":
        assert max(given) - min(given) <= 1


@pytest.mark.rule("Y-02")
def test_an_inconsistent_deal_is_refused() -> None:
    for code, kind, stacks in [
        ("unknown_deal", "by_age", [10, 20]),
        ("nothing_to_deal", "icm", [10]),
        ("nothing_to_deal", "chips", [10, 0]),
        ("nothing_to_deal", "chips", [10, -5]),
    ]:
        with pytest.raises(Refusal) as refused:
            shares(kind, stacks, [30])  # type: ignore[arg-type]
        assert refused.value.code == code


@given(st.integers(0, 10**9), st.lists(st.integers(0, 10**9), min_size=1, max_size=12))
def test_largest_remainder_is_never_off_by_a_whole_unit(total: int, parts: list[int]) -> None:
    if sum(parts) == 0:
        parts = [*parts, 1]
    amounts = largest_remainder(total, parts)
    assert sum(amounts) == total
    for amount, part in zip(amounts, parts, strict=True):
        assert abs(amount - Fraction(total * part, sum(parts))) < 1


def test_among_equal_remainders_the_larger_part_and_then_the_earlier_goes_first() -> None:
    assert largest_remainder(2, [1, 3]) == [0, 2]
    assert largest_remainder(1, [1, 1]) == [1, 0]


@given(st.integers(0, 10**6), st.integers(1, 20))
def test_even_parts_differ_by_at_most_one_and_the_first_get_more(total: int, count: int) -> None:
    parts = evenly(total, count)
    assert sum(parts) == total
    assert max(parts) - min(parts) <= 1
    assert parts == sorted(parts, reverse=True)


def test_the_brute_force_of_these_tests_sees_every_order() -> None:
    assert len(list(permutations(range(5)))) == factorial(5)
    assert sum(by_brute_force([3, 2, 1], [5, 4, 3])) == 12


@pytest.mark.rule("Y-01")
@pytest.mark.parametrize(
    ("votes", "time_over", "expected"),
    [
        ({}, False, "open"),
        ({1: True, 2: True}, False, "open"),
        ({1: True, 2: True, 3: True}, False, "agreed"),
        ({1: True, 2: True, 3: True}, True, "agreed"),
        ({1: True, 2: False}, False, "refused"),
        ({1: True, 2: True}, True, "refused"),
        ({1: True, 2: True, 9: True}, False, "open"),
        ({1: True, 2: True, 3: True, 9: False}, False, "agreed"),
    ],
)
def test_a_deal_needs_the_yes_of_every_remaining_player(
    votes: dict[int, bool], time_over: bool, expected: Outcome
) -> None:
    assert outcome({1, 2, 3}, votes, time_over=time_over) == expected
