"""Chips for drawing a stack, and the source's starting stacks by number of players."""

from __future__ import annotations

from collections.abc import Mapping

Chips = Mapping[int, int]
"""Denomination -> number of chips."""

CHIP_SET: Chips = {1: 50, 5: 50, 25: 50, 100: 50}
"""All the chips of the source's set (L-03)."""

HAND_OUT: Mapping[int, Mapping[str, Chips]] = {
    100: {
        "2-3": {1: 15, 5: 7, 25: 2},
        "4-5": {1: 10, 5: 8, 25: 2},
        "6": {1: 5, 5: 4, 25: 3},
    },
    200: {
        "2-3": {1: 15, 5: 7, 25: 6},
        "4-5": {1: 10, 5: 8, 25: 6},
        "6": {1: 5, 5: 4, 25: 7},
    },
    300: {
        "2-3": {1: 15, 5: 7, 25: 6, 100: 1},
        "4-5": {1: 10, 5: 8, 25: 6, 100: 1},
        "6": {1: 5, 5: 4, 25: 7, 100: 1},
    },
}
"""Starting stack -> number of players -> chips per player (L-03).

The six-player rows of the source (8 ones, 8 fives) sum to 98, 198 and 298. Two more ones would take
60 of the 50 ones in the set, and five ones with more fives more than 50 fives: five ones, four
fives and one more 25 make the stack from the set.
"""


def chips_of(amount: int) -> dict[int, int]:
    """Return the fewest chips that show an amount, largest first, for stacks and bets (L-03).

    Above the set of the source the denominations go on with 500, 1,000, 5,000, 25,000, ...
    """
    assert amount >= 0, "an amount of chips is never negative"
    chips: dict[int, int] = {}
    for denomination in DENOMINATIONS:
        count, amount = divmod(amount, denomination)
        if count:
            chips[denomination] = count
    return chips


def handed_out(stack: int) -> Mapping[str, Chips]:
    """Number of players -> chips each of them starts with (L-03).

    A stack outside the source is drawn with the fewest chips for any number of players: its one row
    has no number of players.
    """
    return HAND_OUT.get(stack) or {"": chips_of(stack)}


DENOMINATIONS = tuple(
    sorted(
        {*CHIP_SET, *(unit * 1000**power for power in range(1, 4) for unit in (1, 5, 25, 100, 500))}
        | {500},
        reverse=True,
    )
)
