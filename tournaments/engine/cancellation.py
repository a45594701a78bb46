"""A running tournament that is cancelled forward: what each of those left gets (T-12)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tournaments.engine.formats import fifty_fifty
from tournaments.engine.rounding import largest_remainder


class RolledForward(msgspec.Struct, frozen=True):
    """Per live entry, in the given order: its part of the pool, fee and bounty given back.

    `to_room` is the overlay that goes back; all of it together is what was unpaid.
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
    """Share what is unpaid among the live entries with these stacks (T-12).

    Before the money (more left than unpaid prizes) fees and bounties of those left go back to
    them and the pool is paid half in equal shares, half by chips. In the money each gets the
    lowest unpaid prize and the rest goes by chips; fees are earned, each keeps his own head.
    The overlay goes back to the room, in the money as far as the rest covers it.
    """
    count = len(stacks)
    assert count == len(fees) == len(bounties), "everybody left has a stack, a fee and a head"
    assert len(unpaid_prizes) <= count, "every unpaid prize has a taker"
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
    assert sum(shares) + to_room == unpaid, "what was unpaid is paid"
    return RolledForward(
        shares=tuple(shares),
        fees=(0,) * count if in_the_money else tuple(fees),
        bounties=tuple(bounties),
        to_room=to_room,
        in_the_money=in_the_money,
    )
