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

ByChips = Literal["within_prizes", "by_chips_alone"]
"""How a deal by chips shares: within the unpaid prizes, or the sum of them by chips alone (S4)."""


def shares(
    kind: Kind,
    stacks: Sequence[int],
    remaining_prizes: Sequence[int],
    *,
    by_chips: ByChips = "within_prizes",
) -> list[int]:
    """Each player's share in whole units, in the order of `stacks`; they sum to the prizes (Y-02).

    A deal by chips gives everybody the lowest unpaid prize and the rest by chips, nobody more than
    the first prize; `by_chips_alone` shares all of it by chips. Rounded by largest remainder; among
    equals the larger share, then the earlier player.
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
    if kind == "chips" and by_chips == "by_chips_alone":
        return largest_remainder(total, stacks)
    if kind == "chips":
        return _within_prizes(stacks, remaining_prizes)
    return largest_remainder(total, equities(stacks, remaining_prizes))


def _within_prizes(stacks: Sequence[int], prizes: Sequence[int]) -> list[int]:
    """The lowest unpaid prize each, the rest by chips up to the first prize.

    The lowest prize is nothing while more are left than prizes. What a stack would have above the
    first prize goes to the others by their chips, who may reach it in turn.
    """
    lowest = min(prizes) if len(prizes) == len(stacks) else 0
    room = max(prizes) - lowest
    amounts = [lowest] * len(stacks)
    rest = sum(prizes) - lowest * len(stacks)
    open_to_more = list(range(len(stacks)))
    while open_to_more:
        chips = sum(stacks[index] for index in open_to_more)
        full = [index for index in open_to_more if stacks[index] * rest > room * chips]
        if not full:
            more = largest_remainder(rest, [stacks[index] for index in open_to_more])
            for index, amount in zip(open_to_more, more, strict=True):
                amounts[index] += amount
            break
        for index in full:
            amounts[index] += room
            rest -= room
        open_to_more = [index for index in open_to_more if index not in full]
    return amounts


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
