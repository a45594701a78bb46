"""Merging of a player's entries: chips and bounties add up, the absorbed entries place last."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import msgspec


class LiveEntry(msgspec.Struct, frozen=True):
    """A live entry: its player, its chips and its head."""

    entry: int
    user: int
    chips: int
    head: int


class Merge(msgspec.Struct, frozen=True):
    """`into` takes over the chips and heads of `absorbed`; each of those gets its `places` (E-08).

    `places` are in the order of `absorbed`, lowest first; they carry prizes, but no bounty.
    """

    into: int
    absorbed: tuple[int, ...]
    chips: int
    head: int
    places: tuple[int, ...]


def merge_when_few(live: Sequence[LiveEntry], at_players: int) -> list[Merge]:
    """Return all merges once at most `at_players` different players are left, else none (E-03)."""
    if len({entry.user for entry in live}) > at_players:
        return []
    left = len(live)
    merges = []
    for _, group in groupby(sorted(live, key=lambda each: (each.user, each.entry)), _user):
        own = list(group)
        if len(own) > 1:
            merges.append(merge(own, left))
            left -= len(own) - 1
    return merges


def merge(own: Sequence[LiveEntry], left: int) -> Merge:
    """Merge a player's entries, of `left` live entries, into the largest of them.

    The absorbed entries, smallest first, get the lowest live places (E-08, N-05).
    """
    assert len({entry.user for entry in own}) == 1, "only entries of one player merge"
    assert 2 <= len(own) <= left, "a merge needs at least two entries"
    smallest_first = sorted(own, key=lambda each: (each.chips, -each.entry))
    absorbed = smallest_first[:-1]
    return Merge(
        into=smallest_first[-1].entry,
        absorbed=tuple(entry.entry for entry in absorbed),
        chips=sum(entry.chips for entry in own),
        head=sum(entry.head for entry in own),
        places=tuple(left - index for index in range(len(absorbed))),
    )


def _user(entry: LiveEntry) -> int:
    return entry.user
