"""Buy-ins, top-ups, kept seats, waiting lists and shares of the rake at ring tables."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.refusals import Refusal
from tables.engine.actions import Fold
from tables.engine.events import Options, Rake
from tables.engine.result import result
from tables.engine.state import Positions, Post
from tables.ring.engine.buy_in import (
    automatic_top_up,
    check_buy_in,
    check_top_up,
    least_return,
)
from tables.ring.engine.rake_shares import contributions, shares
from tables.ring.engine.sitting_out import KeptSeat, KeptTimes, kept_until_ms, reason_to_free
from tables.ring.engine.waiting import (
    FreeSeat,
    WaitingEntry,
    offer_is_open,
    open_seats,
    plan_offers,
)
from tests.tables.engine.plays import random_play
from tests.tables.engine.scene import scene

CHIPS = st.integers(0, 10_000)
TIMES = KeptTimes(sit_out_ms=600_000, disconnect_ms=60_000)


def refusal_of_buy_in(amount: int, **limits: int) -> tuple[str, dict[str, object]] | None:
    """Code and accepted values of a refused buy-in."""
    try:
        check_buy_in(amount, **limits)
    except Refusal as refusal:
        return refusal.code, refusal.allowed
    return None


def refusal_of_top_up(stack: int, coming: int, amount: int, **limits: int) -> str | None:
    """Code of a refused top-up."""
    try:
        check_top_up(stack, coming, amount, **limits)
    except Refusal as refusal:
        return refusal.code
    return None


@pytest.mark.rule("A-03")
@given(CHIPS, CHIPS, CHIPS, CHIPS)
def test_a_buy_in_is_taken_exactly_between_its_limits(
    amount: int, least: int, span: int, brought: int
) -> None:
    low, high = max(least, brought), max(least + span, brought)
    refused = refusal_of_buy_in(amount, least=least, most=least + span, brought=brought)
    assert (refused is None) == (low <= amount <= high)
    if refused is not None:
        assert refused[1] == {"least": low, "most": high}
        assert refusal_of_buy_in(low, least=least, most=least + span, brought=brought) is None


@pytest.mark.rule("A-03")
def test_refused_buy_ins_name_their_cause() -> None:
    limits = {"least": 4_000, "most": 10_000}
    assert refusal_of_buy_in(3_999, **limits) == ("buy_in_too_small", limits)
    assert refusal_of_buy_in(10_001, **limits) == ("buy_in_too_large", limits)
    assert refusal_of_buy_in(-1, **limits) == ("buy_in_too_small", limits)
    one = {"least": 5_000, "most": 5_000}
    assert refusal_of_buy_in(4_999, **one) == ("buy_in_exact", one)
    assert refusal_of_buy_in(5_000, **one) is None


@pytest.mark.rule("A-03")
def test_a_player_who_comes_back_in_time_brings_what_he_left_with() -> None:
    brought = least_return(23_000, 1_000, 61_000, return_ms=60_000)
    assert brought == 23_000
    exact = {"least": 23_000, "most": 23_000}
    refused = refusal_of_buy_in(22_999, least=4_000, most=10_000, brought=brought)
    assert refused == ("return_too_small", exact)
    refused = refusal_of_buy_in(23_001, least=4_000, most=10_000, brought=brought)
    assert refused == ("buy_in_exact", exact)
    with pytest.raises(Refusal, match="You left with 23000: come back with exactly that"):
        check_buy_in(23_001, least=4_000, most=10_000, brought=brought)
    assert refusal_of_buy_in(23_000, least=4_000, most=10_000, brought=brought) is None
    between = refusal_of_buy_in(6_999, least=4_000, most=10_000, brought=7_000)
    assert between == ("return_too_small", {"least": 7_000, "most": 10_000})
    assert least_return(23_000, 1_000, 61_001, return_ms=60_000) == 0


@pytest.mark.rule("A-03", "B-05")
@given(CHIPS, CHIPS, st.integers(-10, 10_000), st.integers(1, 5_000), CHIPS)
def test_a_top_up_ends_between_the_limits(
    stack: int, coming: int, amount: int, least: int, span: int
) -> None:
    most = least + span
    refused = refusal_of_top_up(stack, coming, amount, least=least, most=most)
    after = stack + coming + amount
    assert (refused is None) == (amount > 0 and least <= after <= most)


@pytest.mark.rule("A-03")
def test_refused_top_ups_name_their_cause() -> None:
    limits = {"least": 4_000, "most": 10_000}
    assert refusal_of_top_up(10_000, 0, 1, **limits) == "stack_full"
    assert refusal_of_top_up(0, 10_000, 1, **limits) == "stack_full"
    assert refusal_of_top_up(1_000, 0, 2_999, **limits) == "top_up_too_small"
    assert refusal_of_top_up(5_000, 0, 0, **limits) == "top_up_too_small"
    assert refusal_of_top_up(5_000, 0, 5_001, **limits) == "top_up_too_large"
    assert refusal_of_top_up(0, 0, 4_999, least=5_000, most=5_000) == "top_up_too_small"
    assert refusal_of_top_up(0, 0, 5_000, least=5_000, most=5_000) is None


@pytest.mark.rule("A-03")
@given(CHIPS, CHIPS, CHIPS, st.integers(1, 5_000), CHIPS)
def test_an_automatic_top_up_is_a_lawful_one_as_large_as_the_money_allows(
    stack: int, coming: int, covered: int, least: int, span: int
) -> None:
    most = least + span
    amount = automatic_top_up(stack, coming, covered, least=least, most=most)
    assert 0 <= amount <= covered
    if amount:
        assert refusal_of_top_up(stack, coming, amount, least=least, most=most) is None
        assert amount == covered or stack + coming + amount == most
    else:
        assert stack + coming >= most or covered == 0 or stack + coming + covered < least


@pytest.mark.rule("X-03")
def test_an_absent_seat_is_freed_at_the_end_of_its_time() -> None:
    sitting_out = KeptSeat(5_000, absent_since_ms=1_000)
    assert reason_to_free(sitting_out, TIMES, 600_999) is None
    assert reason_to_free(sitting_out, TIMES, 601_000) == "sat_out"
    lost = sitting_out._replace(disconnected=True)
    assert reason_to_free(lost, TIMES, 60_999) is None
    assert reason_to_free(lost, TIMES, 61_000) == "disconnected"
    assert reason_to_free(lost, TIMES._replace(disconnect_ms=0), 61_000) is None
    assert reason_to_free(sitting_out, KeptTimes(0, 0), 10**12) is None
    assert reason_to_free(KeptSeat(5_000), TIMES, 10**12) is None


@pytest.mark.rule("A-03")
def test_a_seat_without_chips_is_freed_unless_it_buys_in_time() -> None:
    busted = KeptSeat(0, rebuy_until_ms=30_000)
    assert reason_to_free(busted, TIMES, 29_999) is None
    assert reason_to_free(busted, TIMES, 30_000) == "no_chips"
    assert reason_to_free(busted._replace(chips=1), TIMES, 30_000) is None
    assert reason_to_free(KeptSeat(9, leaving=True), TIMES, 0) == "left"


@pytest.mark.rule("X-03", "A-03")
@given(
    st.builds(
        KeptSeat,
        chips=st.integers(0, 2),
        leaving=st.just(False),
        absent_since_ms=st.none() | st.integers(0, 10**6),
        disconnected=st.booleans(),
        rebuy_until_ms=st.none() | st.integers(0, 10**6),
    ),
    st.builds(KeptTimes, st.integers(0, 10**6), st.integers(0, 10**6)),
)
def test_a_seat_is_freed_exactly_at_the_time_named(seat: KeptSeat, times: KeptTimes) -> None:
    until = kept_until_ms(seat, times)
    if until is None:
        assert reason_to_free(seat, times, 10**9) is None
    else:
        assert reason_to_free(seat, times, until - 1) is None
        assert reason_to_free(seat, times, until) is not None


def entries() -> st.SearchStrategy[list[WaitingEntry]]:
    """Waiting lists with and without open and expired offers."""
    places = st.builds(FreeSeat, st.integers(1, 3), st.integers(1, 3))

    def entry(number: int, since: int, table: int | None, held: tuple[FreeSeat, int] | None):  # type: ignore[no-untyped-def]
        return WaitingEntry(number, since, table, *(held or (None, None)))

    held = st.none() | st.tuples(places, st.integers(0, 200))
    parts = st.tuples(st.integers(0, 5), st.none() | st.integers(1, 3), held)
    return st.lists(parts, max_size=8).map(
        lambda rows: [entry(number, *row) for number, row in enumerate(rows)]
    )


@pytest.mark.rule("R-01")
@given(entries(), st.sets(st.builds(FreeSeat, st.integers(1, 3), st.integers(1, 3))))
def test_free_seats_are_offered_once_and_in_the_order_of_waiting(
    waiting: list[WaitingEntry], free: set[FreeSeat]
) -> None:
    plan = plan_offers(waiting, sorted(free), now_ms=100)
    by_entry = {entry.entry: entry for entry in waiting}
    held = {entry.offer for entry in waiting if offer_is_open(entry, 100)}
    assert len(set(plan.offers.values())) == len(plan.offers)
    assert set(plan.offers.values()) <= free - held
    for number, place in plan.offers.items():
        assert by_entry[number].offer is None
        assert by_entry[number].table in (None, place.table)
    left = free - held - set(plan.offers.values())
    for entry in waiting:
        if entry.offer is None and entry.entry not in plan.offers:
            assert not [place for place in left if entry.table in (None, place.table)]
            for number in plan.offers:
                if (by_entry[number].since_ms, number) > (entry.since_ms, entry.entry):
                    assert entry.table not in (None, plan.offers[number].table)
    assert set(plan.expired) == {
        entry.entry for entry in waiting if entry.until_ms is not None and entry.until_ms <= 100
    }


@pytest.mark.rule("R-01")
@given(
    st.dictionaries(st.integers(1, 3), st.integers(0, 4)),
    st.lists(st.none() | st.integers(1, 4), max_size=8),
)
def test_the_waiting_list_gets_its_seats_however_others_take_the_open_ones(
    free: dict[int, int], waiting: list[int | None]
) -> None:
    left = open_seats(free, waiting)
    assert left.keys() == free.keys()
    if not waiting:
        assert left == free
    for table in free:
        assert 0 <= left[table] <= max(0, free[table] - waiting.count(table))
    spare = {table: max(0, seats - waiting.count(table)) for table, seats in free.items()}
    beyond = sum(spare.values()) - waiting.count(None)
    assert all(bool(left[table]) == (spare[table] > 0 and beyond > 0) for table in free)
    for table in (table for table, seats in left.items() if seats):
        # One who takes an open seat leaves those who wait theirs, and the others one less.
        after = open_seats(free | {table: free[table] - 1}, waiting)
        assert max(after.values()) <= beyond - 1


@pytest.mark.rule("R-02")
@given(st.dictionaries(st.integers(1, 10), st.integers(1, 10**6), min_size=1), st.integers(0, 999))
def test_shares_of_the_rake_follow_contributions_and_sum_to_it(
    paid: dict[int, int], rake: int
) -> None:
    split = shares(paid, rake)
    total = sum(paid.values())
    assert sum(split.values()) == rake
    assert split.keys() == paid.keys()
    for seat, part in split.items():
        assert abs(part * total - rake * paid[seat]) < total
    ordered = sorted(paid, key=lambda seat: paid[seat])
    assert all(
        split[few] <= split[many] or paid[few] == paid[many] for few, many in pairwise(ordered)
    )


@pytest.mark.rule("R-02")
def test_contributions_are_the_chips_of_the_pots() -> None:
    penalties = 0
    for seed in range(200):
        state = random_play(seed).states[-1]
        outcome = result(state)
        paid = contributions(outcome)
        assert sum(paid.values()) == sum(pot.amount for pot in outcome.pots)
        for seat in state.seats:
            assert seat.committed <= paid[seat.seat] <= seat.start
            penalties += paid[seat.seat] > seat.committed
    assert penalties


@pytest.mark.rule("R-02")
def test_dead_chips_of_a_hand_without_called_bets_are_contributions() -> None:
    """A returning seat posts a dead small blind; everybody folds and the blind comes back."""
    where = Positions(button=1, small_blind=None, big_blind=3, dealt=(3, 4, 1))
    hand = scene(
        {1: 1_000, 3: 1_000, 4: 1_000},
        positions=where,
        posts={4: (Post("dead", 50),)},
        options=Options(rake=Rake(1_000, 0, 300)),
    )
    hand.does((4, Fold()), (1, Fold()))
    assert hand.result().rake == 5
    assert {seat.committed for seat in hand.now.seats} == {0}
    assert contributions(hand.result()) == {1: 0, 3: 0, 4: 50}


@pytest.mark.rule("R-02")
def test_odd_cents_of_the_rake_go_to_the_largest_remainders() -> None:
    assert shares({1: 100, 2: 100, 3: 100}, 4) == {1: 2, 2: 1, 3: 1}
    assert shares({1: 100, 2: 300, 3: 0}, 10) == {1: 3, 2: 7, 3: 0}
    assert shares({1: 0, 2: 0}, 0) == {1: 0, 2: 0}
    assert shares({1: 0, 2: 0}, 3) == {1: 2, 2: 1}
