"""Seats are drawn by lot over the fewest tables, with sizes within one."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.lot import shuffled
from tournaments.engine.seating import draw, late_table


@pytest.mark.rule("T-14")
@given(st.integers(1, 400), st.integers(2, 10), st.integers(0, 2**32))
def test_seats_fill_the_fewest_tables_with_sizes_within_one(
    field: int, seats: int, seed: int
) -> None:
    tables = draw(range(1000, 1000 + field), seats, Random(seed))
    sizes = [len(table) for table in tables]
    assert len(tables) == (field + seats - 1) // seats
    assert max(sizes) - min(sizes) <= 1
    assert sorted(e for table in tables for e in table.values()) == list(range(1000, 1000 + field))
    assert all(1 <= seat <= seats for table in tables for seat in table)


@pytest.mark.rule("T-14")
def test_every_seat_is_as_likely_as_any_other() -> None:
    lot = Random(7)
    seen = Counter(
        (number, seat)
        for _ in range(6_000)
        for number, table in enumerate(draw([1, 2, 3, 4], 3, lot))
        for seat, entry in table.items()
        if entry == 1
    )
    assert len(seen) == 6
    assert all(850 < count < 1150 for count in seen.values())


def test_a_shuffle_gives_every_order_alike() -> None:
    lot = Random(3)
    seen = Counter(tuple(shuffled("abc", lot)) for _ in range(6_000))
    assert len(seen) == 6
    assert all(850 < count < 1150 for count in seen.values())


@pytest.mark.rule("E-01")
def test_a_late_player_sits_at_one_of_the_shortest_tables_or_opens_a_new_one() -> None:
    lot = Random(1)
    with_room = {1: 8, 2: 7, 3: 7}
    seen = {late_table(with_room, lot, longest=8, lost_at=None) for _ in range(200)}
    assert seen == {2, 3}
    assert late_table({}, lot, longest=9, lost_at=None) is None


@pytest.mark.rule("E-02")
@pytest.mark.parametrize(
    ("sizes", "tables"),
    [
        ({1: 7, 2: 8, 3: 8}, {2, 3}),
        ({1: 7, 2: 9, 3: 8}, {3}),
        ({1: 8, 2: 7, 3: 8}, {2}),
        ({1: 8, 2: 8, 3: 8}, {2, 3}),
        ({1: 7, 2: 9, 3: 9}, {1}),
        ({1: 7}, {1}),
        ({2: 7, 3: 8}, {2}),
        ({}, {None}),
    ],
    ids=[
        "a level field but for who is out",
        "the shortest of the others",
        "another is the shortest anyway",
        "filled up meanwhile",
        "two short of all others",
        "the only one with room",
        "full or closed meanwhile",
        "no room at all",
    ],
)
def test_a_player_busted_at_table_1_reenters_at_the_shortest_other_table(
    sizes: dict[int, int], tables: set[int | None]
) -> None:
    lot = Random(1)
    longest = max(sizes.values(), default=9)
    assert {late_table(sizes, lot, longest=longest, lost_at=1) for _ in range(60)} == tables


@pytest.mark.rule("E-02")
@pytest.mark.rule("T-08")
def test_a_full_table_counts_when_the_own_table_is_three_short() -> None:
    sizes, lot = {1: 6, 2: 7}, Random(1)
    assert late_table(sizes, lot, longest=9, lost_at=1) == 1
    assert late_table(sizes, lot, longest=8, lost_at=1) == 2


@pytest.mark.rule("E-02")
@pytest.mark.rule("T-08")
@given(st.dictionaries(st.integers(1, 6), st.integers(1, 9), min_size=1), st.integers(0, 99))
def test_no_entry_makes_a_table_three_short_that_was_not(sizes: dict[int, int], seed: int) -> None:
    table = late_table(sizes, Random(seed), longest=max(sizes.values()), lost_at=1)
    assert table is not None
    least = min(sizes.values())
    assert sizes[table] + 1 - least < 3 and (table == 1 or sizes[table] - least < 2)
    own = sizes.get(1)
    assert table == 1 or own != least or max(sizes.values()) - own < 3
    assert sizes[table] == least or sizes.get(1) == least
