"""Formats with an end of their own: Fifty50, double or nothing, shootout, limited time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from tournaments.engine.places import Placed
from tournaments.engine.refusals import RuleRefusal
from tournaments.engine.rounding import evenly, largest_remainder

SHOOTOUT_ROUNDS_MAX = 12


def fifty_fifty(pool: int, stacks: Sequence[int]) -> list[int]:
    """Split half the pool equally, half by chips, in the order of `stacks` (F-06).

    A stack of 0 belongs to a player who went out in the last hand but takes a paid place: that
    player gets the equal share alone (F-09). Rounded by largest remainder.
    """
    total = sum(stacks)
    assert total > 0, "at least one stack is above zero"
    parts = [Fraction(1, 2 * len(stacks)) + Fraction(stack, 2 * total) for stack in stacks]
    return largest_remainder(pool, parts)


def double_or_nothing(pool: int, paid: int) -> list[int]:
    """Split the pool equally among the half that is left: twice the buy-in each (F-07)."""
    return evenly(pool, paid)


def even_field(players: int) -> int:
    """Return the number of players of a Fifty50 or double or nothing; refuse an odd one (F-09)."""
    if players < 2 or players % 2:
        raise RuleRefusal("odd_field", "This format needs an even number of players.")
    return players


def places_paid_by_half(players: int) -> int:
    """Return the number of paid places, and of survivors, where play stops at half (F-06, F-07)."""
    return even_field(players) // 2


def stops_at_half(players: int, left: int) -> bool:
    """Return whether at least half of the field is out (F-06, F-07, F-09)."""
    return left <= places_paid_by_half(players)


def shootout_rounds(entrants: int, seats: int) -> int:
    """Return the fewest rounds in which tables of `seats` come down to one winner (F-04)."""
    if seats < 2 or entrants < 2:
        raise RuleRefusal("no_shootout", "A shootout needs two players and two seats at a table.")
    rounds, reach = 1, seats
    while reach < entrants:
        rounds, reach = rounds + 1, reach * seats
    if rounds > SHOOTOUT_ROUNDS_MAX:
        raise RuleRefusal(
            "too_many_rounds", f"A shootout has at most {SHOOTOUT_ROUNDS_MAX} rounds."
        )
    return rounds


def places_by_chips(stacks: Mapping[int, int]) -> list[Placed]:
    """Place the live entries {entry: chips} by chips, equal stacks sharing a place (T-11, Y-03).

    The odd units of shared places go in the order of the mapping.
    """
    placed: list[Placed] = []
    ordered = sorted(stacks, key=lambda entry: -stacks[entry])
    for _, group in groupby(ordered, key=lambda entry: stacks[entry]):
        equals, place = list(group), len(placed) + 1
        placed += [
            Placed(entry, place, rank, len(equals)) for rank, entry in enumerate(equals, start=1)
        ]
    return placed


def proportional(pool: int, stacks: Sequence[int]) -> list[int]:
    """Split the pool by chips when the time is up (T-11, setting `proportional`)."""
    return largest_remainder(pool, stacks)
