"""Merging of a player's entries: its time, and the entry that takes over the others (E-03)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import msgspec

from tournaments.engine.balancing import Merging


class LiveEntry(msgspec.Struct, frozen=True):
    """A live entry, its player and its chips."""

    entry: int
    user: int
    chips: int


def merging_is_due(*, players: int, at_players: int, fits_one_table: bool) -> bool:
    """Return whether each player's entries merge now (E-03).

    `players` counts the different players left, not their entries. Entries that all fit one table
    merge in any case, because two entries of a player never share a table.
    """
    return fits_one_table or players <= at_players


def merges(live: Iterable[LiveEntry]) -> list[Merging]:
    """Merge all entries of each player into the one with the most chips, smallest first (E-08)."""
    own: dict[int, list[LiveEntry]] = defaultdict(list)
    for entry in live:
        own[entry.user].append(entry)
    planned = []
    for entries in own.values():
        *absorbed, into = sorted(entries, key=lambda each: (each.chips, -each.entry))
        planned += [Merging(entry.entry, into.entry) for entry in absorbed]
    return planned
