"""Bounties: the payment of a knock-out in cash, and the raise of the hunters' heads."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.engine.payout_tables import BASIS_POINTS
from tournaments.engine.rounding import evenly


def knock_out(
    head: int,
    progressive_bp: int,
    winners: Sequence[int],
    *,
    odd_to_cash: bool = True,
    out: Sequence[bool] = (),
) -> tuple[list[int], list[int]]:
    """Return the winners' cash for a knock-out and their heads after it (N-01, N-04).

    `head` is the bounty on the entry that is out. `progressive_bp` is the part paid at once, in
    basis points: 5,000 as a rule, 10,000 for a plain bounty. `winners` holds the heads of the
    hunters, the better seat first: odd units of a split go one each to the first. The odd unit
    between cash and heads goes to the cash, unless set otherwise. `out` marks hunters that are out
    themselves: they have no head left to raise and get their part in cash.
    """
    assert head >= 0, "heads are never negative"
    assert 0 <= progressive_bp <= BASIS_POINTS, (
        "the part paid at once lies between 0 and 10,000 basis points"
    )
    assert winners, "a knock-out has at least one hunter"
    if odd_to_cash:
        paid = -(-head * progressive_bp // BASIS_POINTS)
    else:
        paid = head * progressive_bp // BASIS_POINTS
    cash = evenly(paid, len(winners))
    added = evenly(head - paid, len(winners))
    for place in [place for place, is_out in enumerate(out) if is_out]:
        cash[place], added[place] = cash[place] + added[place], 0
    heads = [own + more for own, more in zip(winners, added, strict=True)]
    assert sum(cash) + sum(heads) == head + sum(winners), "cash and raised heads sum to the bounty"
    return cash, heads


def room_bounty(amount: int, winners: int) -> list[int]:
    """Split a bounty paid by the room on a chosen or PRO player evenly, in cash (N-02, N-03)."""
    return evenly(amount, winners)


def winner_head(own: int, disqualified: Sequence[int]) -> int:
    """Return the winner's collection: the own head and the heads without a hunter (N-07, T-15)."""
    return own + sum(disqualified)


def merged_head(heads: Sequence[int]) -> int:
    """Return the head of the entry that merged entries become (N-05)."""
    return sum(heads)
