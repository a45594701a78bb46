"""Hand-for-hand: its start and end, and the rounds in which all tables start each hand together."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tournaments.engine.levels import Clock, CurrentLevel, charge, go_on, stop

HAND_FOR_HAND = "hand_for_hand"
"""Reason with which a round stops the clock: the clock is charged per hand instead."""


class Bubble(msgspec.Struct, frozen=True):
    """The settings of hand-for-hand (T-09); 0 places switch that kind off.

    `before_money` and `before_final` count places above the paid places and above the seats of the
    final table; `charge_ms` is the time a round adds to the level clock, however long it takes.
    """

    before_money: int
    before_final: int
    charge_ms: int


class RoundTable(msgspec.Struct, frozen=True):
    """A table in hand-for-hand: the last round it dealt, whether it is in a hand, its players."""

    round: int
    in_hand: bool
    players: int


def holds(bubble: Bubble, *, left: int, paid: int, seats: int) -> bool:
    """Return whether play is hand-for-hand with `left` players at tables of `seats` (T-09).

    Called at the start, when a knock-out is settled and when sales end, where hand-for-hand may
    begin, and between rounds, where it may end. A field that fits one table goes to the final table
    instead.
    """
    if left <= seats:
        return False
    return paid < left <= paid + bubble.before_money or left <= seats + bubble.before_final


def may_deal(table: RoundTable, current: int, *, is_open: bool) -> bool:
    """Return whether a stopped table has yet to deal its hand of the open round.

    Before the first round is open the tables only end the hands they are in.
    """
    assert table.round <= current, "no table has dealt a round after the current one"
    return is_open and not table.in_hand and table.round < current


def is_complete(tables: Iterable[RoundTable], current: int, *, is_open: bool) -> bool:
    """Return whether all tables are stopped and every table that can deal has dealt this round.

    Then the knocked out entries of the round get places, the clock is charged, and the next round
    may open. A table with a single player cannot deal and is not waited for.
    """
    return not any(
        table.in_hand or (is_open and table.round < current and table.players >= 2)
        for table in tables
    )


def paced(clock: Clock, now_ms: int, *, holding: bool, on_break: bool) -> Clock:
    """Stop the clock for hand-for-hand, or let it run in a break.

    A break ends by time alone, so the clock runs in a break that falls into hand-for-hand (L-05,
    T-09).
    """
    if holding and not on_break:
        return stop(clock, now_ms, HAND_FOR_HAND)
    return go_on(clock, now_ms, HAND_FOR_HAND)


def charged(clock: Clock, bubble: Bubble, now: CurrentLevel) -> Clock:
    """Return the clock after a complete round: advanced by the fixed charge alone (T-09).

    A charge reaches up to the next break at most, and a round that ends in a break is not charged,
    so that no break is shortened (L-05).
    """
    if now.is_break:
        return clock
    reach = bubble.charge_ms if now.break_in_ms is None else now.break_in_ms
    return charge(clock, min(bubble.charge_ms, reach))
