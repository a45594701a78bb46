"""Split pots: odd chips, hands that are equal both ways, shares of nothing (P-02, O-03, N-01)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tables.engine.events import PotAwarded, Stakes
from tests.tables.engine.scene import Scene, scene

BOARD = ("3c", "4d", "8h", "Kc", "Kd")
LOW_84 = {1: ("As", "2s", "Qs", "Js"), 2: ("Ac", "2c", "Qc", "Jc"), 3: ("Ad", "2d", "Qd", "Jd")}
KINGS_FULL = ("Ks", "8c", "9s", "9h")
STUD_84 = {
    1: ("2c", "3d", "4h", "5s", "6s", "Qd", "Th"),
    2: ("2d", "3h", "4s", "5c", "6c", "Qc", "Td"),
}


def all_in(
    stacks: Mapping[int, int], hole: Mapping[int, Sequence[str]], variant: str = "omaha_hilo"
) -> Scene:
    """A hand in which the ante puts every seat all-in, button at seat 1."""
    stakes = Stakes(5, 10, 1000, "per_seat", bring_in=5, small_bet=10, big_bet=20)
    board = BOARD if variant == "omaha_hilo" else ()
    hand = scene(stacks, variant=variant, stakes=stakes, hole=hole, board=board)
    assert hand.now.finished
    return hand


def halves(hand: Scene) -> list[tuple[str, dict[int, int]]]:
    """Chips each seat won, by halves of pots in the order of award."""
    return [
        (award.half, {share.seat: share.amount for share in award.winners})
        for award in hand.all(PotAwarded)
    ]


@pytest.mark.rule("P-02")
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("stack", [1, 2, 3, 7, 33, 34, 35])
def test_seats_equal_both_ways_get_back_what_they_paid(stack: int, seats: int) -> None:
    hand = all_in(dict.fromkeys(range(1, seats + 1), stack), LOW_84)
    assert set(hand.stacks().values()) == {stack}
    assert hand.result().busted == ()


@pytest.mark.rule("P-02")
def test_the_odd_chips_of_seats_equal_both_ways_go_on_around_the_table() -> None:
    hole = {**LOW_84, 4: ("Ts", "9h", "7h", "6h")}
    hand = all_in({1: 33, 2: 33, 4: 1}, hole)
    assert halves(hand)[:2] == [("high", {2: 16, 1: 16}), ("low", {2: 16, 1: 16})]
    assert halves(hand)[2:] == [("high", {2: 1, 1: 1}), ("low", {2: 1})]
    hand = all_in({1: 7, 2: 7, 3: 7, 4: 7}, hole)
    assert halves(hand) == [("high", {2: 5, 3: 5, 1: 4}), ("low", {1: 5, 2: 5, 3: 4})]


@pytest.mark.rule("P-02")
def test_stud_hands_equal_both_ways_share_66_evenly() -> None:
    hand = all_in({1: 33, 2: 33}, STUD_84, "stud_hilo")
    assert halves(hand) == [("high", {1: 17, 2: 16}), ("low", {2: 17, 1: 16})]


@pytest.mark.rule("P-02")
def test_halves_with_different_winners_have_their_odd_chips_each() -> None:
    # Seat 3 has an equal low and a better high: the low half of 33 is split 17 and 16.
    hand = all_in({1: 22, 2: 22, 3: 22}, {1: LOW_84[1], 2: LOW_84[2], 3: KINGS_FULL})
    assert halves(hand) == [("high", {3: 33}), ("low", {2: 17, 1: 16})]


@pytest.mark.rule("N-01")
def test_a_share_of_zero_makes_no_winner() -> None:
    hole = {1: LOW_84[1], 2: KINGS_FULL, 3: LOW_84[3]}
    hand = all_in({1: 1, 2: 1, 3: 1}, hole)
    assert halves(hand) == [("high", {2: 2}), ("low", {3: 1})]
    (out,) = hand.result().busted
    assert out.seat == 1
    assert [(share.seat, share.amount) for share in out.winners] == [(2, 2), (3, 1)]
