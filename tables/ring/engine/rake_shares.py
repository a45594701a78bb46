"""Rake of a hand attributed to its players, for statements (R-02)."""

from __future__ import annotations

from collections.abc import Mapping

from tables.engine.result import HandResult


def contributions(result: HandResult) -> dict[int, int]:
    """Return what each seat put into the pots, dead chips included, bets nobody called not."""
    paid = {stack.seat: stack.chips for stack in result.stacks_before}
    for stack in result.stacks_after:
        paid[stack.seat] -= stack.chips
    for award in result.awards:
        for share in award.winners:
            paid[share.seat] += share.amount
    return paid


def shares(paid: Mapping[int, int], rake: int) -> dict[int, int]:
    """Split `rake` by what each seat paid into the pots, in minor units; the sum is the rake.

    Units left over go one each to the largest remainders, of equal ones to the lower seat. Seats
    that all paid nothing have equal parts.
    """
    if not rake:
        return dict.fromkeys(paid, 0)
    if not any(paid.values()):
        paid = dict.fromkeys(paid, 1)
    total = sum(paid.values())
    parts = {seat: divmod(rake * amount, total) for seat, amount in paid.items()}
    split = {seat: whole for seat, (whole, _) in parts.items()}
    left = rake - sum(split.values())
    for seat in sorted(parts, key=lambda seat: (-parts[seat][1], seat))[:left]:
        split[seat] += 1
    return split
