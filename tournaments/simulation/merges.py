"""Entries of one player in a simulated tournament: kept apart, merged at the end."""

from __future__ import annotations

from tournaments.engine import bounties, merging
from tournaments.engine.balancing import tables_needed
from tournaments.engine.merging import LiveEntry
from tournaments.engine.places import BustedEntry
from tournaments.simulation.field import SimulatedEntry, SimulatedTable
from tournaments.simulation.state import SimulationState


def part_own_entries(course: SimulationState) -> None:
    """Swap seats of own entries that share a table after a draw, or merge them (E-03)."""
    if not course.options.several_at_once:
        return
    for table in course.field.open_tables:
        for first, second in _pairs(course, table):
            if not _swap(course, table, second):
                merge_two(course, second, first)


def when_few(course: SimulationState, *, entries_open: bool) -> None:
    """Merge all entries of each player once few players are left, or all fit one table (E-03)."""
    live = course.field.in_play()
    needed = tables_needed(len(live), course.options.seats_per_table, entries_open=False)
    if not merging.merging_is_due(
        players=len({entry.user for entry in live}),
        at_players=course.options.merge_at,
        fits_one_table=not entries_open and needed == 1,
    ):
        return
    merges = merging.merges(_live(entry) for entry in live if entry.state == "seated")
    for merge in merges:
        merge_two(course, merge.entry, merge.into)
    if merges:
        course.follow_up()


def merge_two(course: SimulationState, entry: int, into: int) -> None:
    """Merge an entry's chips and head into another; it gets the lowest live place (E-08).

    An entry in a hand merges later: the table asks again.
    """
    field = course.field
    absorbed, kept = field.entries[entry], field.entries[into]
    table = field.tables[absorbed.table]
    if table.playing is not None or absorbed.state != "seated" or kept.state != "seated":
        return
    assert absorbed.user == kept.user, "only entries of one player merge"
    kept.owed += absorbed.chips + absorbed.owed
    kept.head = bounties.merged_head([kept.head, absorbed.head])
    absorbed.chips = absorbed.owed = absorbed.head = 0
    absorbed.state, absorbed.merged_into = "merged", into
    table.leave(entry)
    field.order += 1
    field.knock_outs.append(
        BustedEntry(
            entry=entry, order=field.order, round=0, table=table.number, stack=0, left_of_button=1
        )
    )


def _pairs(course: SimulationState, table: SimulatedTable) -> list[tuple[int, int]]:
    first: dict[int, int] = {}
    pairs = []
    for number in table.seats.values():
        user = course.field.entries[number].user
        if user in first:
            pairs.append((first[user], number))
        else:
            first[user] = number
    return pairs


def _swap(course: SimulationState, table: SimulatedTable, entry: int) -> bool:
    """Swap seats with an entry of another table so that no player meets an own entry."""
    field = course.field
    user = field.entries[entry].user
    here = {field.entries[other].user for other in table.seats.values()}
    seat = next(seat for seat, sitting in table.seats.items() if sitting == entry)
    for other in field.open_tables:
        there = {field.entries[sitting].user for sitting in other.seats.values()}
        if other is table or user in there:
            continue
        for place, sitting in other.seats.items():
            if field.entries[sitting].user not in here:
                other.seats[place], table.seats[seat] = entry, sitting
                field.entries[entry].table = other.number
                field.entries[sitting].table = table.number
                return True
    return False


def _live(entry: SimulatedEntry) -> LiveEntry:
    return LiveEntry(entry.number, entry.user, entry.chips + entry.owed)
