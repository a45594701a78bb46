"""Places go by time, within a hand by stack; ties share, and every place is given once."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tournaments.engine.payouts import shared
from tournaments.engine.places import BustedEntry, Placed, RoundTies, places


def out(
    entry: int, *, order: int, stack: int = 100, table: int = 1, turn: int = 0, seat: int = 1
) -> BustedEntry:
    return BustedEntry(
        entry=entry, order=order, round=turn, table=table, stack=stack, left_of_button=seat
    )


def told(placed: list[Placed]) -> list[tuple[int, int]]:
    return [(one.place, one.entry) for one in placed]


@pytest.mark.rule("T-07")
def test_a_later_bust_places_higher() -> None:
    outs = [out(7, order=1), out(8, order=2), out(9, order=3)]
    assert told(places(outs, 5)) == [(3, 9), (4, 8), (5, 7)]


@pytest.mark.rule("T-07")
def test_of_two_busts_in_one_hand_the_larger_starting_stack_places_higher() -> None:
    outs = [out(7, order=1, stack=300), out(8, order=1, stack=500), out(9, order=1, stack=400)]
    assert told(places(outs, 10)) == [(8, 8), (9, 9), (10, 7)]


@pytest.mark.rule("T-07")
def test_equal_stacks_share_the_place_and_the_odd_unit_goes_left_of_the_button() -> None:
    outs = [
        out(7, order=4, stack=300, seat=5),
        out(8, order=4, stack=300, seat=2),
        out(9, order=4, stack=900, seat=7),
    ]
    placed = places(outs, 3)
    assert told(placed) == [(1, 9), (2, 8), (2, 7)]
    assert [one.sharers for one in placed] == [1, 2, 2]
    assert shared([50, 30, 21], placed) == {9: 50, 8: 26, 7: 25}


@pytest.mark.rule("T-07")
def test_stacks_decide_between_tables_of_one_round_by_default() -> None:
    outs = [
        out(1, order=11, turn=3, table=1, stack=300),
        out(2, order=12, turn=3, table=2, stack=500),
        out(3, order=13, turn=3, table=3, stack=400),
        out(4, order=10, turn=0, table=3, stack=9_000),
    ]
    assert told(places(outs, 52)) == [(49, 2), (50, 3), (51, 1), (52, 4)]


@pytest.mark.rule("T-07")
def test_fifty_paid_three_out_at_three_tables_share_the_last_prize() -> None:
    outs = [out(entry, order=entry, turn=9, table=entry, stack=100 * entry) for entry in (1, 2, 3)]
    placed = places(outs, 52, round_ties="share")
    assert {(one.place, one.sharers) for one in placed} == {(50, 3)}
    prize_money = [0] * 49 + [100]
    assert sorted(shared(prize_money, placed).values()) == [33, 33, 34]


@pytest.mark.rule("T-07")
def test_sharing_rounds_still_rank_two_of_one_table_by_stack() -> None:
    outs = [
        out(1, order=1, turn=2, table=1, stack=800),
        out(2, order=1, turn=2, table=1, stack=200),
        out(3, order=2, turn=2, table=2, stack=100),
    ]
    assert told(places(outs, 3, round_ties="share")) == [(1, 1), (1, 3), (3, 2)]
    alone = outs[:2]
    assert told(places(alone, 3, round_ties="share")) == [(2, 1), (3, 2)]


@pytest.mark.rule("T-15")
@pytest.mark.parametrize("ties", ["by_stack", "share"])
@pytest.mark.parametrize("first", [True, False])
def test_a_removal_during_a_round_is_placed_below_its_busts(ties: RoundTies, first: bool) -> None:
    removed = replace(out(1, order=2 if first else 4, turn=5, table=1, stack=9_000), removed=True)
    outs = [
        out(2, order=1, turn=4, table=2, stack=500),
        out(3, order=3, turn=5, table=2, stack=100),
        removed,
    ]
    assert told(places(outs, 6, round_ties=ties)) == [(4, 3), (5, 1), (6, 2)]


def counted_up(outs: list[BustedEntry], total: int, ties: RoundTies) -> list[Placed]:
    """Places by the words of T-07: from the last one up, one hand or round after the other."""
    moments: dict[tuple[int, int], list[BustedEntry]] = {}
    for bust in sorted(outs, key=lambda bust: bust.order):
        moments.setdefault((bust.round, 0 if bust.round else bust.order), []).append(bust)
    place, found = total, []
    for busts in moments.values():
        apart = ties == "share" and len({bust.table for bust in busts}) > 1
        worth = {}
        for bust in busts:
            above = {o.stack for o in busts if o.table == bust.table and o.stack > bust.stack}
            worth[bust.entry] = -len(above) if apart else bust.stack
        for least in sorted(set(worth.values())):
            equal = [bust for bust in busts if worth[bust.entry] == least]
            place -= len(equal)
            ordered = sorted(equal, key=lambda bust: (bust.left_of_button, bust.table, bust.entry))
            found += [
                Placed(bust.entry, place + 1, rank, len(equal))
                for rank, bust in enumerate(ordered, start=1)
            ]
    return sorted(found, key=lambda one: (one.place, one.rank))


@pytest.mark.rule("T-07")
@pytest.mark.rule("Z-05")
@given(
    st.lists(
        st.tuples(st.integers(1, 6), st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=25
    ),
    st.sampled_from(["by_stack", "share"]),
    st.integers(0, 2**32),
)
def test_every_place_is_given_once_except_ties_in_any_input_order(
    rows: list[tuple[int, int, int]], ties: RoundTies, seed: int
) -> None:
    """Rows: hand-for-hand round of even numbers, table, stack; entries take places (Z-05)."""
    outs = [
        out(
            entry,
            order=10 * when + table,
            turn=when if when % 2 == 0 else 0,
            table=table,
            stack=100 * stack,
        )
        for entry, (when, table, stack) in enumerate(rows)
    ]
    placed = places(outs, 30, round_ties=ties)
    taken = sorted(one.place + one.rank - 1 for one in placed)
    assert taken == list(range(30 - len(rows) + 1, 31))
    assert placed == counted_up(outs, 30, ties)
    mixed = list(outs)
    Random(seed).shuffle(mixed)
    assert places(mixed, 30, round_ties=ties) == placed
    by_entry = {one.entry: one.place for one in placed}
    for first in outs:
        for second in outs:
            if first.order // 10 < second.order // 10:
                assert by_entry[first.entry] > by_entry[second.entry]


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=20),
    st.lists(st.integers(0, 10_000), max_size=20),
)
def test_shared_prizes_sum_to_the_prizes_of_the_places(
    orders: list[int], amounts: list[int]
) -> None:
    outs = [out(entry, order=order) for entry, order in enumerate(orders)]
    won = shared(amounts, places(outs, len(outs)))
    assert sum(won.values()) == sum(amounts[: len(outs)])
