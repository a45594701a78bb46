"""Roll a running tournament forward on cancelling: the shares of the live entries (T-12)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tournaments.engine.formats import fifty_fifty
from tournaments.engine.rounding import largest_remainder


class RolledForward(msgspec.Struct, frozen=True):
    """Per live entry, in the given order: its part of the pool, fee and bounty given back.

    `to_room` is the overlay that returns to the room; all amounts together sum to the unpaid money.
    """

    shares: tuple[int, ...]
    fees: tuple[int, ...]
    bounties: tuple[int, ...]
    to_room: int
    in_the_money: bool


def roll_forward(
    stacks: Sequence[int],
    unpaid_prizes: Sequence[int],
    *,
    fees: Sequence[int],
    bounties: Sequence[int],
    overlay: int = 0,
) -> RolledForward:
    """Share the unpaid money among the live entries with these stacks (T-12).

    Before the money (more entries left than unpaid prizes) the live entries get fees and bounties
    back, and the pool half in equal shares, half by chips. In the money each gets the lowest unpaid
    prize and the rest goes by chips; the room keeps the fees, each entry gets its own head. The
    overlay returns to the room, in the money as far as the rest covers it. Where nobody has chips,
    as all may only buy again, all shares are equal.
    """
    count = len(stacks)
    stacks = stacks if any(stacks) else [1] * count
    assert count == len(fees) == len(bounties), "every live entry has a stack, a fee and a head"
    assert len(unpaid_prizes) <= count, "there are no more unpaid prizes than live entries"
    unpaid = sum(unpaid_prizes)
    in_the_money = len(unpaid_prizes) == count
    if in_the_money:
        least = min(unpaid_prizes)
        to_room = min(overlay, unpaid - least * count)
        by_chips = largest_remainder(unpaid - least * count - to_room, stacks)
        shares = [least + more for more in by_chips]
    else:
        to_room = min(overlay, unpaid)
        shares = fifty_fifty(unpaid - to_room, stacks)
    assert sum(shares) + to_room == unpaid, "payments and return sum to the unpaid money"
    return RolledForward(
        shares=tuple(shares),
        fees=(0,) * count if in_the_money else tuple(fees),
        bounties=tuple(bounties),
        to_room=to_room,
        in_the_money=in_the_money,
    )
