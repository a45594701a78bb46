"""Rake of a hand attributed to its players, for statements (R-02)."""

from __future__ import annotations

from collections.abc import Mapping


def shares(contributions: Mapping[int, int], rake: int) -> dict[int, int]:
    """Split `rake` by what each seat put into the pots, in minor units; the sum is the rake.

    Units left over go one each to the largest remainders, of equal ones to the lower seat.
    """
    total = sum(contributions.values())
    if not rake:
        return dict.fromkeys(contributions, 0)
    assert total > 0, "rake of a hand to which nobody contributed"
    parts = {seat: divmod(rake * amount, total) for seat, amount in contributions.items()}
    split = {seat: whole for seat, (whole, _) in parts.items()}
    left = rake - sum(split.values())
    for seat in sorted(parts, key=lambda seat: (-parts[seat][1], seat))[:left]:
        split[seat] += 1
    return split
