"""Plans of the balancer in the situations of the rules and the oracles."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from tournaments.engine.balancing import (
    CloseTable,
    DealNextHand,
    DealNoHand,
    GatherFinalTable,
    Merging,
    Moves,
    Plan,
    PlannedMove,
    TableView,
    View,
    break_order,
    hands_to_big_blind,
    plan,
    tables_needed,
)


def table(
    number: int,
    seats: tuple[int, ...],
    *,
    big_blind: int | None = None,
    max_seats: int = 9,
    opened: tuple[int, ...] = (),
) -> TableView:
    """A table; the entry at seat 3 of table 2 is 203."""
    return TableView(
        table=number,
        max_seats=max_seats,
        seats={seat: 100 * number + seat for seat in seats},
        reserved={},
        leaving=frozenset(),
        big_blind=big_blind,
        opened=opened,
    )


def view(asking: TableView, *others: TableView, **more: object) -> View:
    given = {
        "asking": asking,
        "rank": 1,
        "tables_open": 1 + len(others),
        "players_left": asking.size + sum(other.size for other in others),
        "entries_open": False,
        "longest": max(one.size for one in (asking, *others)),
        "shortest": tuple(sorted(others, key=lambda other: other.size)),
        "others_in_hand": len(others),
        "gathers": bool(others),
        **more,
    }
    return View(**given)  # type: ignore[arg-type]


def planned(seen: View, moved: dict[int, int] | None = None, seed: int = 0) -> Plan:
    return plan(seen, Random(seed), moved or {})


@pytest.mark.rule("T-08")
def test_five_of_nine_against_eight_waits_before_the_big_blind_falls_on_an_empty_seat() -> None:
    full = table(2, (1, 2, 3, 4, 5, 6, 7, 8))
    short = table(1, (1, 2, 4, 5, 8), big_blind=2)
    assert planned(view(short, full)) == DealNoHand("short")
    plays_on = table(1, (1, 2, 4, 5, 8), big_blind=4)
    assert planned(view(plays_on, full)) == DealNextHand()
    wraps = table(1, (1, 2, 4, 5, 9), big_blind=9)
    assert planned(view(wraps, full)) == DealNextHand()


@pytest.mark.rule("T-08")
def test_a_table_two_short_plays_on() -> None:
    full = table(2, (1, 2, 3, 4, 5, 6, 7, 8))
    assert planned(view(table(1, (1, 2, 4, 5, 8, 9), big_blind=2), full)) == DealNextHand()


@pytest.mark.rule("T-08")
def test_seven_and_ten_at_ten_handed_tables_are_balanced() -> None:
    ten = table(2, tuple(range(1, 11)), big_blind=10, max_seats=10)
    seven = table(1, (1, 2, 3, 4, 5, 6, 7), big_blind=3, max_seats=10)
    done = planned(view(ten, seven))
    assert isinstance(done, Moves)
    assert [(move.entry, move.table) for move in done.moves] == [(201, 1)]


@pytest.mark.rule("T-08")
def test_a_difference_of_one_moves_nobody() -> None:
    eight = table(2, (1, 2, 3, 4, 5, 6, 7, 8), big_blind=1)
    seven = table(1, (1, 2, 3, 4, 5, 6, 7), big_blind=1)
    assert planned(view(eight, seven)) == DealNextHand()


@pytest.mark.rule("T-08")
def test_the_player_due_the_big_blind_moves_to_where_it_comes_soonest() -> None:
    """Free seats 3 and 9: the big blind passes 2 players before 9, none before 3."""
    eight = table(2, (1, 2, 3, 4, 5, 6, 7, 8), big_blind=5)
    six = table(1, (1, 2, 4, 5, 6, 7), big_blind=2)
    for seed in range(20):
        assert planned(view(eight, six), seed=seed) == Moves((PlannedMove(206, 1, 3),))


@pytest.mark.rule("T-08")
def test_a_table_with_only_the_small_blind_free_takes_nobody() -> None:
    """Seat 3 is still being left; seat 4, the last big blind, went out."""
    four = table(2, (1, 2, 3, 4), big_blind=2, max_seats=4)
    two = replace(table(1, (1, 2), big_blind=4, max_seats=4), leaving=frozenset({3}))
    assert planned(view(four, two)) == DealNextHand()
    assert isinstance(planned(view(four, replace(two, big_blind=2))), Moves)


@pytest.mark.rule("T-08")
def test_nobody_is_moved_into_the_small_blind() -> None:
    """The big blind of the last hand went out: its seat 4 is the dead small blind."""
    eight = table(2, (1, 2, 3, 4, 5, 6, 7, 8), big_blind=8)
    six = table(1, (1, 2, 3, 5, 6, 7), big_blind=4)
    seen = {planned(view(eight, six), seed=seed) for seed in range(30)}
    assert seen == {Moves((PlannedMove(201, 1, 8),)), Moves((PlannedMove(201, 1, 9),))}


@pytest.mark.rule("T-08")
def test_among_equal_tables_the_soonest_big_blind_anywhere_is_taken() -> None:
    eight = table(3, (1, 2, 3, 4, 5, 6, 7, 8), big_blind=8)
    later = table(1, (1, 2, 3, 4, 5, 6), big_blind=2)
    sooner = table(2, (1, 2, 3, 4, 5, 6), big_blind=6)
    done = planned(view(eight, later, sooner, players_left=20))
    assert isinstance(done, Moves)
    assert done.moves[0].table == 2


@pytest.mark.rule("T-08")
def test_two_surplus_players_move_one_by_one_in_blind_order() -> None:
    nine = table(3, (1, 2, 3, 4, 5, 6, 7, 8, 9), big_blind=9)
    done = planned(view(nine, table(1, (1, 2, 3, 4, 5, 6)), table(2, (1, 2, 3, 4, 5, 6))))
    assert isinstance(done, Moves)
    assert [move.entry for move in done.moves] == [301, 302]
    assert {move.table for move in done.moves} == {1, 2}


@pytest.mark.rule("T-08")
def test_before_the_first_hand_the_least_moved_player_goes() -> None:
    eight = table(2, (1, 2, 3, 4, 5, 6, 7, 8))
    moved = {200 + seat: 1 for seat in range(1, 9) if seat != 5}
    done = planned(view(eight, table(1, (1, 2, 3, 4, 5, 6), big_blind=1)), moved)
    assert isinstance(done, Moves)
    assert [move.entry for move in done.moves] == [205]


@pytest.mark.rule("T-08")
def test_in_stud_the_least_moved_player_goes_to_the_seat_opened_last() -> None:
    eight = table(2, (1, 2, 3, 4, 5, 6, 7, 8), max_seats=8)
    six = table(1, (1, 2, 3, 4, 5, 6), max_seats=8, opened=(7, 8))
    moved = {200 + seat: 2 for seat in range(1, 9) if seat != 3}
    seen = view(eight, six, stud=True, players_left=14)
    assert planned(seen, moved) == Moves((PlannedMove(203, 1, 8),))
    reopened = table(1, (1, 2, 3, 4, 5, 6), max_seats=8, opened=(8, 7))
    assert planned(view(eight, reopened, stud=True), moved) == Moves((PlannedMove(203, 1, 7),))


@pytest.mark.rule("T-08")
def test_a_surplus_table_closes_and_spreads_its_players_evenly() -> None:
    """14 left at nine-handed need two tables of the three; the first of the order goes."""
    one, two, three = table(1, (1, 2, 3, 4, 5, 6)), table(2, (1, 2, 3, 4, 5, 6)), table(3, (1, 4))
    done = planned(view(three, one, two, rank=0))
    assert isinstance(done, CloseTable)
    assert {move.entry for move in done.moves} == {301, 304}
    assert {move.table for move in done.moves} == {1, 2}
    keeps = view(one, two, rank=2, tables_open=3, players_left=14)
    assert planned(keeps) == DealNextHand()


@pytest.mark.rule("T-08")
def test_players_on_the_way_to_a_closing_table_are_redirected() -> None:
    closing = TableView(3, 9, {1: 301, 2: 302}, {4: 777}, frozenset(), 1)
    others = (table(1, (1, 2, 3, 4, 5, 6)), table(2, (1, 2, 3, 4, 5, 6)))
    done = planned(view(closing, *others, rank=0))
    assert isinstance(done, CloseTable)
    assert {move.entry for move in done.moves} == {301, 302, 777}


@pytest.mark.rule("T-08")
def test_the_draw_of_a_closed_table_gives_every_free_seat_alike() -> None:
    other = table(1, (1, 2, 3, 4, 5, 6), big_blind=3)
    keeps = table(2, (1, 2, 3, 4, 5, 6, 7))
    closing = table(3, (5,))
    seen = set()
    for seed in range(60):
        done = planned(view(closing, other, keeps, rank=0), seed=seed)
        assert isinstance(done, CloseTable)
        seen |= {(move.table, move.seat) for move in done.moves}
    assert seen == {(1, 7), (1, 8), (1, 9)}


@pytest.mark.rule("T-08")
def test_while_entries_are_open_a_table_closes_only_if_two_seats_stay_free() -> None:
    for left, needed in [(18, 3), (17, 3), (16, 2), (8, 2), (7, 1), (3, 1), (2, 1)]:
        assert tables_needed(left, 9, entries_open=True) == needed
        assert tables_needed(left, 9, entries_open=False) == -(-left // 9)
    seventeen = (table(1, (1, 2, 3, 4, 5, 6)), table(2, (1, 2, 3, 4, 5, 6)))
    asking = table(3, (1, 2, 3, 4, 5))
    assert planned(view(asking, *seventeen, rank=0, entries_open=True)) == DealNextHand()
    assert isinstance(planned(view(asking, *seventeen, rank=0)), CloseTable)


@pytest.mark.rule("T-08")
def test_the_spare_seats_never_leave_lone_players() -> None:
    assert tables_needed(2, 2, entries_open=True) == 1
    assert tables_needed(3, 2, entries_open=True) == 2
    assert tables_needed(2, 3, entries_open=True) == 1


@pytest.mark.rule("T-08")
def test_the_final_table_gathers_when_every_table_is_between_hands() -> None:
    one, two = table(1, (1, 2, 3, 4)), table(2, (1, 2, 3, 4, 5))
    assert planned(view(one, two, others_in_hand=1)) == DealNoHand("final_table")
    assert planned(view(one, two, others_in_hand=0)) == GatherFinalTable()
    assert planned(view(one, two, others_in_hand=0, entries_open=True)) == DealNextHand()
    assert planned(view(one, rank=0, others_in_hand=0)) == DealNextHand()


@pytest.mark.rule("T-08")
def test_a_table_that_is_the_last_when_entries_close_gathers_as_the_final_one() -> None:
    last = table(1, (1, 2, 3, 4))
    assert planned(view(last, gathers=True, entries_open=True)) == DealNextHand()
    assert planned(view(last, gathers=True, others_in_hand=1)) == DealNoHand("final_table")
    assert planned(view(last, gathers=True)) == GatherFinalTable()


@pytest.mark.rule("T-08")
def test_a_lone_player_waits_for_opponents() -> None:
    lone = table(3, (4,))
    others = (table(1, (1, 2, 3, 4, 5, 6, 7, 8, 9)), table(2, (1, 2, 3, 4, 5, 6, 7, 8, 9)))
    assert planned(view(lone, *others, rank=2)) == DealNoHand("alone")


@pytest.mark.rule("T-08")
def test_seats_of_players_who_are_leaving_are_not_given_away() -> None:
    full = TableView(1, 9, {seat: seat for seat in range(1, 7)}, {7: 70}, frozenset({8}), 9)
    assert full.open_seats == (9,)
    assert full.size == 7


@pytest.mark.rule("T-08")
@pytest.mark.parametrize(("seat", "hands"), [(4, 0), (8, 3), (9, 3), (1, 3), (3, 4)])
def test_hands_until_the_big_blind_count_the_players_in_between(seat: int, hands: int) -> None:
    seats = table(1, (2, 5, 6, 7), big_blind=3)
    assert hands_to_big_blind(seats, seat) == hands


@pytest.mark.rule("T-08")
def test_tables_break_from_the_highest_number_down() -> None:
    assert break_order({11: 1, 12: 3, 13: 2}) == [12, 13, 11]


@pytest.mark.rule("E-03")
def test_two_entries_of_a_player_never_meet_by_balancing() -> None:
    """Entry 206 is due, but its player sits at table 1 too: the next in turn goes instead."""
    eight = table(2, (1, 2, 3, 4, 5, 6, 7, 8), big_blind=5)
    six = table(1, (1, 2, 4, 5, 6, 7), big_blind=2)
    done = planned(view(eight, six, owners={206: 9, 104: 9, 207: 8, 105: 5}))
    assert done == Moves((PlannedMove(207, 1, 3),))
    everybody = {200 + seat: seat for seat in range(1, 9)} | {104: 1, 105: 2, 106: 3, 107: 4}
    some = planned(view(eight, six, owners=everybody))
    assert isinstance(some, Moves)
    assert [move.entry for move in some.moves] == [206]


@pytest.mark.rule("E-03")
def test_a_closing_table_merges_an_entry_only_when_no_other_table_is_left() -> None:
    one, two = table(1, (1, 2, 3, 4, 5, 6)), table(2, (1, 2, 3, 4, 5))
    closing = table(3, (7, 8))
    avoids = planned(view(closing, one, two, rank=0, owners={307: 9, 204: 9}))
    assert isinstance(avoids, CloseTable)
    assert avoids.merges == ()
    assert {move.table for move in avoids.moves if move.entry == 307} == {1}
    merges = planned(view(closing, one, two, rank=0, owners={307: 9, 204: 9, 103: 9}))
    assert isinstance(merges, CloseTable)
    assert [move.entry for move in merges.moves] == [308]
    assert merges.merges in {(Merging(307, 204),), (Merging(307, 103),)}


@pytest.mark.rule("E-03", "E-04")
def test_an_entry_that_may_buy_again_takes_no_chips_of_a_closing_table_over() -> None:
    one, two = table(1, (1, 2, 3, 4, 5, 6)), table(2, (1, 2, 3, 4, 5))
    closing, owners = table(3, (7, 8)), {307: 9, 204: 9, 103: 9}
    for waiting in (204, 103):
        plan = planned(view(closing, one, two, rank=0, owners=owners, waiting={waiting}))
        assert isinstance(plan, CloseTable)
        assert plan.merges == (Merging(307, ({204, 103} - {waiting}).pop()),)
    both = planned(view(closing, one, two, rank=0, owners=owners, waiting={204, 103}))
    assert both == DealNoHand("no_seat"), "its table closes when they bought or left"
