"""Formats: the rules in which they differ, and the ends of their own (F-01..F-09, K-08, T-11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Literal

import msgspec

from config.refusals import RuleRefusal
from config.refusals import marked as _
from tournaments.engine.places import Placed
from tournaments.engine.rounding import evenly, largest_remainder
from tournaments.engine.spin import SPIN_PLAYERS

Format = Literal[
    "freezeout", "heads_up", "spin", "fifty_fifty", "double_or_nothing", "shootout", "satellite"
]
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
        raise RuleRefusal(
            "odd_field", _("This format needs an even number of players."), field="players_max"
        )
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
        raise RuleRefusal(
            "no_shootout",
            _("A shootout needs two players and two seats at a table."),
            field="players_max",
        )
    rounds, reach = 1, seats
    while reach < entrants:
        rounds, reach = rounds + 1, reach * seats
    if rounds > SHOOTOUT_ROUNDS_MAX:
        raise RuleRefusal(
            "too_many_rounds",
            _("A shootout of so many players has more than %(most)s rounds."),
            field="players_max",
            most=SHOOTOUT_ROUNDS_MAX,
        )
    return rounds


def places_by_chips(stacks: Mapping[int, int]) -> list[Placed]:
    """Place the live entries {entry: chips} by chips, equal stacks sharing a place (T-11, Y-03).

    The odd units of shared places go in the order of the mapping.
    """
    placed: list[Placed] = []
    ordered = sorted(stacks, key=lambda entry: -stacks[entry])
    for _stack, group in groupby(ordered, key=lambda entry: stacks[entry]):
        equals, place = list(group), len(placed) + 1
        placed += [
            Placed(entry, place, rank, len(equals)) for rank, entry in enumerate(equals, start=1)
        ]
    return placed


def proportional(pool: int, stacks: Sequence[int]) -> list[int]:
    """Split the pool by chips when the time is up (T-11, setting `proportional`)."""
    return largest_remainder(pool, stacks)


class FormatRules(msgspec.Struct, frozen=True):
    """Rules in which a format differs from others; the defaults are those of a freezeout.

    `players` is its set number of players, 0 for any (F-05, F-08). `fixed_field` starts as soon as
    a set number is registered and sells nothing afterwards (F-04..F-08). `half_wins` stops when
    half of the field is out (F-06, F-07), `half_by_chips` then pays half of the pool by chips.
    `has_rounds` plays tables down to one winner each (F-04), `draws_pool` draws the pool instead of
    collecting it (F-05), `pays_tickets` ends with the winners of tickets (K-07, K-08).
    """

    players: int = 0
    one_table: bool = False
    fixed_field: bool = False
    half_wins: bool = False
    half_by_chips: bool = False
    has_rounds: bool = False
    draws_pool: bool = False
    pays_tickets: bool = False

    @property
    def stops_early(self) -> bool:
        """Play stops with several winners: neither a time limit nor a deal fits."""
        return self.half_wins or self.pays_tickets

    @property
    def plays_to_last(self) -> bool:
        """One tournament to the last entry: it may end by time or have cash value (T-11, A-04)."""
        return not (self.stops_early or self.has_rounds or self.draws_pool)

    @property
    def pays_double(self) -> bool:
        """Each place paid gets twice the buy-in, so that nothing adds to the pool (F-07)."""
        return self.half_wins and not self.half_by_chips

    def is_over(self, entrants: int, left: int) -> bool:
        """Return whether so few are left that the tournament ends (T-07, F-06, F-07, F-09)."""
        return stops_at_half(entrants, left) if self.half_wins else left == 1

    def left_at_end(self, players: int) -> int:
        """Return how many players the last hand is dealt to at least, for a forecast."""
        return players // 2 + 1 if self.half_wins else 2

    def half_shares(self, pool: int, stacks: Sequence[int]) -> list[int]:
        """Return the shares of the half that wins, in the order of `stacks` (F-06, F-07)."""
        assert self.half_wins, "other formats pay by a table, a drum or in tickets"
        if self.half_by_chips:
            return fifty_fifty(pool, stacks)
        return double_or_nothing(pool, len(stacks))


FORMATS: Mapping[str, FormatRules] = {
    "freezeout": FormatRules(),
    "heads_up": FormatRules(players=2, one_table=True, fixed_field=True),
    "spin": FormatRules(players=SPIN_PLAYERS, one_table=True, fixed_field=True, draws_pool=True),
    "fifty_fifty": FormatRules(
        one_table=True, fixed_field=True, half_wins=True, half_by_chips=True
    ),
    "double_or_nothing": FormatRules(one_table=True, fixed_field=True, half_wins=True),
    "shootout": FormatRules(fixed_field=True, has_rounds=True),
    "satellite": FormatRules(pays_tickets=True),
}
"""Rules of every format by its stored name."""
