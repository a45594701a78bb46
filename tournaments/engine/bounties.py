"""Bounties: who knocked a player out, what it pays at once, and what goes on whose head."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tournaments.engine.payout_tables import BASIS_POINTS
from tournaments.engine.rounding import evenly


class PotWon(msgspec.Struct, frozen=True):
    """A pot of the last hand, main pot first: the seats that were in for it, those that won it."""

    seats: tuple[int, ...]
    winners: tuple[int, ...]


def hunters(pots: Sequence[PotWon], seat: int) -> tuple[int, ...]:
    """The seats that knock this one out: the winners of the last pot it was in for (N-01).

    Whoever was in for that pot covered the seat there. The order is that of the pot's winners.
    """
    own = [pot for pot in pots if seat in pot.seats]
    assert own, "who goes out had chips in a pot"
    assert seat not in own[-1].winners, "who goes out won nothing back"
    return own[-1].winners


def knock_out(
    head: int,
    progressive_bp: int,
    winners: Sequence[int],
    *,
    odd_to_cash: bool = True,
    out: Sequence[bool] = (),
) -> tuple[list[int], list[int]]:
    """What a knock-out pays each winner in cash, and the winners' heads after it (N-01, N-04).

    `head` is what is on the one who is out. `progressive_bp` is the part of it paid at once, in
    basis points: 5,000 as a rule, 10,000 for a plain knockout prize. `winners` are the heads of
    those who knocked him out, the better seat first: odd units of a split go one each to the
    first. The odd unit between cash and heads goes to the cash, unless set otherwise. `out` marks
    winners that are out themselves by now: no head of theirs can carry anything, all is cash.
    """
    assert head >= 0, "no head is below nothing"
    assert 0 <= progressive_bp <= BASIS_POINTS, "a part lies between nothing and all"
    assert winners, "somebody knocks him out"
    if odd_to_cash:
        paid = -(-head * progressive_bp // BASIS_POINTS)
    else:
        paid = head * progressive_bp // BASIS_POINTS
    cash = evenly(paid, len(winners))
    added = evenly(head - paid, len(winners))
    for place in [place for place, is_out in enumerate(out) if is_out]:
        cash[place], added[place] = cash[place] + added[place], 0
    heads = [own + more for own, more in zip(winners, added, strict=True)]
    assert sum(cash) + sum(heads) == head + sum(winners), "no bounty is made or lost"
    return cash, heads


def room_bounty(amount: int, winners: int) -> list[int]:
    """A bounty paid by the room on a chosen or PRO player: in full, shared evenly (N-02, N-03)."""
    return evenly(amount, winners)


def winner_head(own: int, disqualified: Sequence[int]) -> int:
    """What the tournament winner collects: his own head and those nobody won (N-07, T-15)."""
    return own + sum(disqualified)


def merged_head(heads: Sequence[int]) -> int:
    """What is on the one entry that is left of merged ones (N-05)."""
    return sum(heads)
