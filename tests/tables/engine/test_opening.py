"""Open cards that act first in stud (D-02)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tables.engine.opening import bring_in, has_open_pair, highest_showing


@pytest.mark.rule("D-02")
def test_the_lowest_or_highest_card_brings_in_and_suits_break_ties() -> None:
    showing = [["3d"], ["2h"], ["2c"], ["Ad"], ["As"]]
    assert bring_in(showing, highest=False) == 2
    assert bring_in(showing, highest=True) == 4


@pytest.mark.rule("D-02")
def test_open_hands_stand_in_the_order_of_their_groups() -> None:
    rising = [
        "9c 7d 4h 3s",
        "Ac Kd Qh Jh",
        "2c 2d 4h 3s",
        "2c 2d 5h 3s",
        "Qd Qh Tc 4d",
        "2h 2d 3c 3d",
        "3h 3s 2s 2c",
        "As Ah 2s 2c",
        "2h 2d 2c 3d",
        "Ah As Ac Kd",
        "2h 2d 2c 2s",
    ]
    hands = [hand.split() for hand in rising]
    for number, (lower, higher) in enumerate(pairwise(hands)):
        if rising[number : number + 2] != ["2h 2d 3c 3d", "3h 3s 2s 2c"]:
            assert highest_showing([lower, higher]) == 1, (lower, higher)
            assert highest_showing([higher, lower]) == 0, (lower, higher)


@pytest.mark.rule("D-02")
def test_of_equal_open_hands_the_seat_dealt_first_acts_first() -> None:
    assert highest_showing([["9c", "4d"], ["Kc", "2d"], ["Kd", "2s"]]) == 1
    assert highest_showing([["2h", "2d", "3c", "3d"], ["3h", "3s", "2s", "2c"]]) == 0


def test_an_open_pair_is_seen_among_the_open_cards_only() -> None:
    assert has_open_pair(("??", "??", "9h", "9c"))
    assert not has_open_pair(("??", "??", "9h", "8c"))
