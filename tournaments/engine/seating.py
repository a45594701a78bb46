"""Seats by lot: the whole field at the start, or one late or re-entering player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournaments.engine.balancing import SHORT_BY
from tournaments.engine.lot import Lot, drawn, shuffled


def table_size(seats_per_table: int, players_max: int) -> int:
    """Return the seats of a table: as many as offered, and no more than may enter (T-05)."""
    return min(seats_per_table, players_max)


def draw(entries: Sequence[int], seats_per_table: int, lot: Lot) -> list[dict[int, int]]:
    """Draw tables as {seat: entry} by lot: the fewest that hold all, sizes within one (T-14)."""
    assert entries, "an empty field has no tables"
    assert len(set(entries)) == len(entries), "an entry is seated once"
    assert seats_per_table >= 2, "a table has at least two seats"
    count = -(-len(entries) // seats_per_table)
    order = shuffled(entries, lot)
    tables = []
    for number in range(count):
        players = order[number::count]
        seats = shuffled(range(1, seats_per_table + 1), lot)[: len(players)]
        tables.append(dict(sorted(zip(seats, players, strict=True))))
    assert sum(map(len, tables)) == len(entries), "every entry is seated"
    return tables


def draw_apart(
    owned: Sequence[Sequence[int]], seats_per_table: int, lot: Lot
) -> list[dict[int, int]]:
    """Draw tables for players with several entries: no two entries of a player at a table (E-03).

    `owned` holds the entries of each player. Entries go to the shortest tables, so sizes stay
    within one; there are at least as many tables as the most entries of one player.
    """
    count = max(-(-sum(map(len, owned)) // seats_per_table), *map(len, owned))
    at: list[list[int]] = [[] for _ in range(count)]
    for entries in shuffled(owned, lot):
        by_size = sorted(shuffled(range(count), lot), key=lambda number: len(at[number]))
        for entry, number in zip(entries, by_size, strict=False):
            at[number].append(entry)
    tables = []
    for players in at:
        seats = shuffled(range(1, seats_per_table + 1), lot)[: len(players)]
        tables.append(dict(sorted(zip(seats, players, strict=True))))
    return tables


def late_table(
    sizes: Mapping[int, int], lot: Lot, *, longest: int, lost_at: int | None
) -> int | None:
    """Draw one of the shortest of these tables {table: size}, all with room; None of none.

    A re-entering player is not seated at the table `lost_at`, though it is the shortest, unless
    that leaves it three players shorter than the `longest` of all tables, full ones included: then
    it might have to stop (E-02, T-08).
    """
    own = None if lost_at is None else sizes.get(lost_at)
    others = {table: size for table, size in sizes.items() if table != lost_at}
    if not others:
        return None if own is None else lost_at
    least = min(others.values())
    if own is not None and own <= least and max(longest, least + 1) - own >= SHORT_BY:
        return lost_at
    return drawn(sorted(table for table, size in others.items() if size == least), lot)
