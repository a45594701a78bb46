"""Hand-for-hand: when it holds, and the barrier that makes all tables start each hand together."""

from __future__ import annotations

import msgspec


class Bubble(msgspec.Struct, frozen=True):
    """The settings of hand-for-hand (T-09); 0 places switches that kind off.

    `before_money` and `before_final` count places above the paid ones and above the seats of the
    final table; `charge_ms` is what a hand costs the level clock, however long it takes.
    """

    before_money: int
    before_final: int
    charge_ms: int


class Standing(msgspec.Struct, frozen=True):
    """What a table between hands needs to know of the round.

    `round` is the current one. While `gathering` the tables still end hands of their own from
    before, and nobody deals. `asking_round` is the round of the asking table's last hand.
    `others_in_hand` counts other tables in a hand, `others_due` those that stand, could deal
    (two players or more) and have not dealt in the current round.
    """

    round: int
    gathering: bool
    asking_round: int
    others_in_hand: int
    others_due: int


class Deal(msgspec.Struct, frozen=True, tag="deal"):
    """The table deals its hand of this round."""

    round: int


class Hold(msgspec.Struct, frozen=True, tag="hold"):
    """The table waits for the others and asks again."""


class BeginRound(msgspec.Struct, frozen=True, tag="begin_round"):
    """All stand: the round before is complete, this one begins, the clock is charged once.

    The callers place who went out in the complete round, look whether hand-for-hand still holds,
    and only if it does begin the round and ask again.
    """

    round: int


def holds(bubble: Bubble, *, left: int, paid: int, seats: int, tables_open: int) -> bool:
    """Whether play is hand-for-hand with this many left (T-09); never with a single table.

    Looked at when a knock-out is settled (it may begin) and when a round is complete (it may end).
    """
    if tables_open < 2:
        return False
    near_money = paid < left <= paid + bubble.before_money
    near_final = seats < left <= seats + bubble.before_final
    return near_money or near_final


def barrier(standing: Standing) -> Deal | Hold | BeginRound:
    """What hand-for-hand lets a table do that could otherwise deal (T-09)."""
    if standing.gathering:
        return Hold() if standing.others_in_hand else BeginRound(standing.round)
    if standing.asking_round < standing.round:
        return Deal(standing.round)
    assert standing.asking_round == standing.round, "no table is ahead of the round"
    if standing.others_in_hand or standing.others_due:
        return Hold()
    return BeginRound(standing.round + 1)
