"""Plan how a table between two hands balances the field: play, wait, move or close (T-08)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

import msgspec

from tournaments.engine.lot import Lot, drawn, shuffled

SHORTEST_TABLES_MAX = 10
"""Number of shortest tables in the view of a plan: one for each player of a closing table."""

LATE_SEATS_FREE = 2
"""Seats that stay free when a table is closed while entries are open (T-08)."""

SHORT_BY = 3
"""Difference in players to the fullest table at which a table may have to stop (TDA 11-D, T-08)."""

WaitReason = Literal["short", "alone", "final_table", "no_seat"]


class TableView(msgspec.Struct, frozen=True):
    """A table as the balancer sees it.

    `seats` holds the players who stay, seat -> entry; `reserved` the players on the way to the
    table, seat -> entry; `leaving` the seats of players with an open move to another table who
    still sit here. `big_blind` is the seat that had the big blind in the hand in play, else in the
    last hand; None before the first hand. `opened` lists the free seats in the order they became
    free (stud only).
    """

    table: int
    max_seats: int
    seats: Mapping[int, int]
    reserved: Mapping[int, int]
    leaving: frozenset[int]
    big_blind: int | None
    opened: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """Number of players once all open moves are done."""
        return len(self.seats) + len(self.reserved)

    @property
    def open_seats(self) -> tuple[int, ...]:
        """Seats without a player sitting there or on the way there."""
        taken = self.seats.keys() | self.reserved.keys() | self.leaving
        return tuple(seat for seat in range(1, self.max_seats + 1) if seat not in taken)


class View(msgspec.Struct, frozen=True):
    """The input of a plan; its size does not grow with the field.

    `asking` is the table to plan for, between two hands. `rank` is its place in the break order, 0
    breaks first. `players_left` counts all players who are not out, including players on the way
    and pending re-buy offers. `longest` is the size of the fullest table. `shortest` lists,
    shortest first, the shortest other tables outside the first `tables_doomed()` of the break
    order: all of them, or SHORTEST_TABLES_MAX. `others_in_hand` counts the other tables that are in
    a hand. `gathers` is whether a final table is still to come: the field had several tables, and
    none was drawn yet. `owners` maps entries at these tables to players where a player may have
    several entries (E-03); `waiting` are those among them that lost their chips and may buy again.
    """

    asking: TableView
    rank: int
    tables_open: int
    players_left: int
    entries_open: bool
    longest: int
    shortest: tuple[TableView, ...]
    others_in_hand: int
    gathers: bool
    stud: bool = False
    owners: Mapping[int, int] = {}
    waiting: Collection[int] = frozenset()


class PlannedMove(msgspec.Struct, frozen=True):
    """Move of an entry to a free seat of another table."""

    entry: int
    table: int
    seat: int


class Merging(msgspec.Struct, frozen=True):
    """Merging of an entry of a closing table into another entry of the same player (E-03)."""

    entry: int
    into: int


class DealNextHand(msgspec.Struct, frozen=True, tag="play"):
    """Deal the next hand: there is nothing to balance."""


class DealNoHand(msgspec.Struct, frozen=True, tag="wait"):
    """Deal no hand for now and ask for a plan again later."""

    reason: WaitReason


class Moves(msgspec.Struct, frozen=True, tag="moves"):
    """Move players from the asking table at once; the table then asks again (T-08)."""

    moves: tuple[PlannedMove, ...]


class CloseTable(msgspec.Struct, frozen=True, tag="close_table"):
    """Close the asking table and move all its players, also those on the way to it, by lot (T-08).

    `merges` lists the entries for which no table without another entry of their player exists
    (E-03).
    """

    moves: tuple[PlannedMove, ...]
    merges: tuple[Merging, ...] = ()


class GatherFinalTable(msgspec.Struct, frozen=True, tag="gather_final_table"):
    """Close all tables, with no hand in play, and draw all players to one (`seating.draw`).

    One that is the last already, because the others closed while entries were open, closes too.
    """


Plan = DealNextHand | DealNoHand | Moves | CloseTable | GatherFinalTable


def plan(view: View, lot: Lot, moved_count: Mapping[int, int]) -> Plan:
    """Return the plan for the asking table (T-08); `moved_count` counts its entries' past moves.

    The caller carries the plan out in one step: a move leaves its table in the same transaction.
    """
    needed = tables_needed(view.players_left, view.asking.max_seats, entries_open=view.entries_open)
    if view.gathers and needed == 1 and not view.entries_open:
        return DealNoHand("final_table") if view.others_in_hand else GatherFinalTable()
    if view.rank < view.tables_open - needed:
        return _close(view, lot)
    moves = _levelling(view, lot, moved_count)
    if moves:
        return Moves(tuple(moves))
    if len(view.asking.seats) < 2:
        return DealNoHand("alone")
    return DealNoHand("short") if _is_stopped_short(view) else DealNextHand()


def gathers(tables_opened: int, *, gathered: bool) -> bool:
    """Return whether a field that has had `tables_opened` tables is still to gather (T-08)."""
    return tables_opened > 1 and not gathered


def tables_needed(players_left: int, seats: int, *, entries_open: bool) -> int:
    """Return the fewest tables for the field, with two free seats while entries are open.

    The spare seats never leave tables with a single player each.
    """
    fewest = -(-players_left // seats)
    if not entries_open:
        return max(1, fewest)
    roomy = -(-(players_left + LATE_SEATS_FREE) // seats)
    return max(1, fewest, min(roomy, players_left // 2))


def tables_doomed(tables_open: int, players_left: int, seats: int, *, entries_open: bool) -> int:
    """Return the number of tables, first of the break order, to close after their hand (T-08)."""
    return max(0, tables_open - tables_needed(players_left, seats, entries_open=entries_open))


def sends_one(size: int, other: int) -> bool:
    """Return whether a table of `size` players sends one to a table of `other` players (T-08)."""
    return size - other >= 2


def leaves_by_moves(asking: TableView, *, stud: bool) -> bool:
    """Return whether the least moved player leaves: without a big blind, and in stud (T-08)."""
    return stud or asking.big_blind is None


def break_order(tables: Mapping[int, int]) -> list[int]:
    """Order the tables {id: number} for breaking: the highest number, known to players, first."""
    return sorted(tables, key=lambda table: -tables[table])


def _close(view: View, lot: Lot) -> Plan:
    """Move every player of the table to one of the shortest tables, table and seat by lot."""
    targets = list(view.shortest)
    moves, merges = [], []
    players = [*view.asking.seats.values(), *view.asking.reserved.values()]
    for entry in shuffled(players, lot):
        own = _own_entries(view, entry, targets)
        free = [table for table in targets if table.open_seats and table.table not in own]
        # An entry that lost its chips takes none over: it buys again soon, or leaves its seat.
        takers = sorted(set(own.values()) - set(view.waiting))
        if not free and not takers:
            return DealNoHand("no_seat")
        if not free:
            merges.append(Merging(entry, drawn(takers, lot)))
            continue
        least = min(table.size for table in free)
        table = drawn([table for table in free if table.size == least], lot)
        seat = drawn(table.open_seats, lot)
        moves.append(PlannedMove(entry, table.table, seat))
        targets[targets.index(table)] = _with(table, seat, entry)
    assert len({(move.table, move.seat) for move in moves}) == len(moves), (
        "every move has a seat of its own"
    )
    assert len(moves) + len(merges) == len(players), (
        "every player of the closing table moves or merges"
    )
    return CloseTable(tuple(moves), tuple(merges))


def _levelling(view: View, lot: Lot, moved_count: Mapping[int, int]) -> list[PlannedMove]:
    """Move players above the size of the shortest table plus one, each to the worst seat there."""
    asking, targets = view.asking, list(view.shortest)
    moves: list[PlannedMove] = []
    while True:
        leavers = _leavers(asking, lot, moved_count, stud=view.stud)
        first_move = _first_move(view, asking, leavers, targets)
        if first_move is None:
            return moves
        leaver, tables = first_move
        table, seat = _worst_seat(tables, lot, stud=view.stud)
        moves.append(PlannedMove(asking.seats[leaver], table.table, seat))
        targets[targets.index(table)] = _with(table, seat, asking.seats[leaver])
        asking = _without(asking, leaver)


def _first_move(
    view: View, asking: TableView, leavers: list[int], targets: list[TableView]
) -> tuple[int, list[TableView]] | None:
    """Return the seat that leaves and the equally short tables open to it.

    As a rule the first of the leavers goes to the shortest table; later leavers are tried only
    where a player would meet another own entry (E-03).
    """
    reach = [t for t in targets if sends_one(asking.size, t.size) and _seats_to_take(t)]
    for size in sorted({table.size for table in reach}):
        shortest = [table for table in reach if table.size == size]
        for leaver in leavers:
            own = _own_entries(view, asking.seats[leaver], shortest)
            tables = [table for table in shortest if table.table not in own]
            if tables:
                return leaver, tables
    return None


def _own_entries(view: View, entry: int, tables: list[TableView]) -> dict[int, int]:
    """Tables with another entry of this entry's player, seated or on the way, {table: entry}."""
    owner = view.owners.get(entry)
    if owner is None:
        return {}
    return {
        table.table: other
        for table in tables
        for other in (*table.seats.values(), *table.reserved.values())
        if view.owners.get(other) == owner
    }


def _leavers(
    asking: TableView, lot: Lot, moved_count: Mapping[int, int], *, stud: bool
) -> list[int]:
    """Order the seats from the next big blind on; without a blind, the least moved first."""
    start = asking.big_blind
    if start is not None and not leaves_by_moves(asking, stud=stud):
        return sorted(asking.seats, key=lambda seat: (seat - start - 1) % asking.max_seats)
    seats = shuffled(sorted(asking.seats), lot)
    return sorted(seats, key=lambda seat: moved_count.get(asking.seats[seat], 0))


def _worst_seat(tables: list[TableView], lot: Lot, *, stud: bool) -> tuple[TableView, int]:
    """Return the free seat that pays the big blind soonest; in stud the seat that opened last."""
    if stud:
        table = drawn(tables, lot)
        free = table.open_seats
        opened = [seat for seat in table.opened if seat in free]
        return table, opened[-1] if opened else drawn(free, lot)
    waits = {
        (index, seat): hands_to_big_blind(table, seat)
        for index, table in enumerate(tables)
        for seat in _seats_to_take(table)
    }
    soonest = min(waits.values())
    index, seat = drawn([place for place, wait in waits.items() if wait == soonest], lot)
    return tables[index], seat


def hands_to_big_blind(table: TableView, seat: int) -> int:
    """Count the hands before a player on this free seat pays the big blind.

    0 when the seat has the big blind in the next hand; 0 for every seat before the first hand.
    """
    if table.big_blind is None:
        return 0
    before = (seat - table.big_blind - 1) % table.max_seats
    ahead = ((table.big_blind + step) % table.max_seats + 1 for step in range(before))
    return sum(1 for other in ahead if other in table.seats or other in table.reserved)


def _seats_to_take(table: TableView) -> tuple[int, ...]:
    """Free seats without the small blind of the next hand, which is the big blind of this one."""
    return tuple(seat for seat in table.open_seats if seat != table.big_blind)


def _is_stopped_short(view: View) -> bool:
    """True for a table three or more short with the big blind on an empty seat (TDA 11-D)."""
    asking = view.asking
    if view.longest - asking.size < SHORT_BY:
        return False
    if asking.big_blind is None:
        return True
    due = asking.big_blind % asking.max_seats + 1
    return due not in asking.seats and due not in asking.reserved


def _with(table: TableView, seat: int, entry: int) -> TableView:
    return msgspec.structs.replace(table, reserved={**table.reserved, seat: entry})


def _without(table: TableView, seat: int) -> TableView:
    seats = {kept: entry for kept, entry in table.seats.items() if kept != seat}
    return msgspec.structs.replace(table, seats=seats, leaving=table.leaving | {seat})
