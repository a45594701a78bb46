"""Deals at the final table: the shares when all live entries agree to split the unpaid prizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Literal, get_args

from config.refusals import RuleRefusal
from config.refusals import marked as _
from tournaments.engine.icm import equities
from tournaments.engine.rounding import largest_remainder

Kind = Literal["equal", "chips", "icm"]

Outcome = Literal["agreed", "refused", "open"]

KINDS: tuple[Kind, ...] = get_args(Kind)

ByChips = Literal["within_prizes", "by_chips_alone"]
"""Method of a deal by chips: within the unpaid prizes, or their sum by chips alone (S4)."""


def check_kind(kind: str) -> None:
    """Refuse a kind of deal that does not exist (Y-02)."""
    if kind not in KINDS:
        raise RuleRefusal("unknown_deal", _("A deal shares equally, by chips, or by ICM."))


def shares(
    kind: Kind,
    stacks: Sequence[int],
    remaining_prizes: Sequence[int],
    *,
    by_chips: ByChips = "within_prizes",
) -> list[int]:
    """Return each player's share of the prizes in whole units, in the order of `stacks` (Y-02).

    A deal by chips gives every player the lowest unpaid prize and splits the rest by chips, with
    the first prize as the most; `by_chips_alone` splits all of it by chips. The shares sum to the
    prizes, rounded by largest remainder; among equals the larger share, then the earlier player.
    """
    check_kind(kind)
    if len(stacks) < 2 or min(stacks) <= 0:
        raise RuleRefusal("nothing_to_deal", _("There is nothing left that could be shared."))
    assert len(remaining_prizes) <= len(stacks), "there are no more unpaid prizes than players"
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
    """Split the prizes: the lowest unpaid prize each, the rest by chips up to the first prize.

    The lowest prize is 0 while there are more players than prizes. The part of a share above the
    first prize goes to the other players by their chips, who may reach the limit in turn.
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
    """Return the result of the votes {entry: yes} (Y-01): agreed when ALL live entries voted yes.

    A single no refuses the deal at once, and so does the end of the time; votes of entries that are
    out are ignored.
    """
    assert live, "at least one live entry votes"
    if any(not votes[entry] for entry in live if entry in votes):
        return "refused"
    if live <= votes.keys():
        return "agreed"
    return "refused" if time_over else "open"
