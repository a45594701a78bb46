"""Hand-for-hand: when it holds, and the rounds in which all tables start each hand together."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tournaments.engine.levels import Clock, LevelNow, charge, go_on, stop

HAND_FOR_HAND = "hand_for_hand"
"""The reason a round gives for a clock that stands: it is charged per hand instead."""


class Bubble(msgspec.Struct, frozen=True):
    """The settings of hand-for-hand (T-09); 0 places switches that kind off.

    `before_money` and `before_final` count places above the paid ones and above the seats of the
    final table; `charge_ms` is what a round costs the level clock, however long it takes.
    """

    before_money: int
    before_final: int
    charge_ms: int


class RoundTable(msgspec.Struct, frozen=True):
    """A table in hand-for-hand: the round it dealt last, whether it is in a hand, its players."""

    round: int
    in_hand: bool
    players: int


def holds(bubble: Bubble, *, left: int, paid: int, seats: int) -> bool:
    """Whether play is hand-for-hand with so many left of so many tables' seats (T-09).

    Looked at when a knock-out is settled, where it may begin, and between rounds, where it may
    end. Whoever fits the final table goes there instead.
    """
    if left <= seats:
        return False
    return paid < left <= paid + bubble.before_money or left <= seats + bubble.before_final


def may_deal(table: RoundTable, current: int, *, is_open: bool) -> bool:
    """Whether a table that stands still owes the open round its hand.

    Before the first round is open the tables only end the hands they are in.
    """
    assert table.round <= current, "no table is ahead of the round"
    return is_open and not table.in_hand and table.round < current


def is_complete(tables: Iterable[RoundTable], current: int, *, is_open: bool) -> bool:
    """Whether all tables stand and every one that can deal has dealt in the current round.

    Then who went out in it gets places, the clock is charged, and the next round may open. A
    lone player cannot deal and holds nobody up.
    """
    return not any(
        table.in_hand or (is_open and table.round < current and table.players >= 2)
        for table in tables
    )


def paced(clock: Clock, now_ms: int, *, holding: bool, on_break: bool) -> Clock:
    """The clock as hand-for-hand lets it go now: it stands between charges, but not in a break.

    A break ends by time alone, so one that falls into hand-for-hand must run (L-05, T-09).
    """
    if holding and not on_break:
        return stop(clock, now_ms, HAND_FOR_HAND)
    return go_on(clock, now_ms, HAND_FOR_HAND)


def charged(clock: Clock, bubble: Bubble, now: LevelNow) -> Clock:
    """The clock after a complete round: moved on by the fixed time and nothing else (T-09).

    A charge reaches up to the next break at most, so that it never shortens one.
    """
    reach = bubble.charge_ms if now.break_in_ms is None else now.break_in_ms
    return charge(clock, min(bubble.charge_ms, reach))
