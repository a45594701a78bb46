"""Deals at the final table: what each player gets when all agree to share the unpaid prizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Literal, get_args

from tournaments.engine.icm import equities
from tournaments.engine.refusals import Refusal
from tournaments.engine.rounding import largest_remainder

Kind = Literal["equal", "chips", "icm"]

Outcome = Literal["agreed", "refused", "open"]

KINDS: tuple[Kind, ...] = get_args(Kind)


def shares(kind: Kind, stacks: Sequence[int], remaining_prizes: Sequence[int]) -> list[int]:
    """Each player's share in whole units, in the order of `stacks`; they sum to the prizes (Y-02).

    Rounded by largest remainder; among equals the larger share, then the earlier player.
    """
    if kind not in KINDS:
        raise Refusal("unknown_deal", "A deal shares equally, by chips, or by ICM.")
    if len(stacks) < 2 or min(stacks) <= 0:
        raise Refusal("nothing_to_deal", "A deal needs at least two players with chips.")
    assert len(remaining_prizes) <= len(stacks), "every unpaid prize has a taker"
    total = sum(remaining_prizes)
    if total == 0:
        return [0] * len(stacks)
    if kind == "equal":
        return largest_remainder(total, [1] * len(stacks))
    if kind == "chips":
        return largest_remainder(total, stacks)
    return largest_remainder(total, equities(stacks, remaining_prizes))


def outcome(live: Set[int], votes: Mapping[int, bool], *, time_over: bool) -> Outcome:
    """What the votes {entry: yes} say (Y-01): agreed when ALL live entries said yes.

    One no refuses the deal at once, and so does the end of the time; votes of entries that are
    out count for nothing.
    """
    assert live, "somebody is left to vote"
    if any(not votes[entry] for entry in live if entry in votes):
        return "refused"
    if live <= votes.keys():
        return "agreed"
    return "refused" if time_over else "open"
