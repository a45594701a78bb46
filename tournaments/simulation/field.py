"""The field of a simulated tournament: entries, tables with their seats, and open moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tables.engine.state import HandState, Positions
from tournaments.engine.balancing import TableView
from tournaments.engine.places import BustedEntry

EntryState = Literal[
    "seated", "pending", "out", "merged", "disqualified", "won", "paid", "refunded"
]
IN_PLAY: frozenset[EntryState] = frozenset({"seated", "pending"})


@dataclass(slots=True)
class SimulatedEntry:
    """One stack bought into the tournament; chips as of the last finished hand, money in cents.

    `owed` chips are bought and not given yet; `tickets` is the part of the prize that is tickets.
    `dead` chips left play by a disqualification, or by leaving with chips of cash value. A merged
    entry continues as `merged_into`.
    """

    number: int
    user: int
    is_pro: bool
    chips: int
    bought: int
    paid_pool: int
    paid_fee: int
    paid_bounty: int
    head: int
    state: EntryState = "seated"
    table: int = 0
    owed: int = 0
    dead: int = 0
    rebuys: int = 0
    add_ons: int = 0
    place: int = 0
    prize: int = 0
    tickets: int = 0
    bounties_won: int = 0
    back: int = 0
    merged_into: int = 0


@dataclass(slots=True)
class SimulatedTable:
    """Seats {seat: entry}, the entries on the way, and the positions of the last hand."""

    number: int
    max_seats: int
    seats: dict[int, int] = field(default_factory=dict)
    reserved: dict[int, int] = field(default_factory=dict)
    newcomers: set[int] = field(default_factory=set)
    freed: list[int] = field(default_factory=list)
    positions: Positions | None = None
    playing: HandState | None = None
    hand: int = 0
    round: int = 0
    is_open: bool = True
    waits: bool = False

    @property
    def size(self) -> int:
        """Number of players once all moves have arrived."""
        return len(self.seats) + len(self.reserved)

    def view(self) -> TableView:
        """Return the table for the balancer; the big blind of the hand in play counts already."""
        return TableView(
            table=self.number,
            max_seats=self.max_seats,
            seats=dict(self.seats),
            reserved=dict(self.reserved),
            leaving=frozenset(),
            big_blind=None if self.positions is None else self.positions.big_blind,
            opened=tuple(self.freed),
        )

    def arrive(self) -> None:
        """Seat the entries on the way; the dealer skips each once (T-08)."""
        for seat, entry in self.reserved.items():
            assert seat not in self.seats, "a seat holds at most one entry"
            self.seats[seat] = entry
            self.newcomers.add(seat)
        self.reserved = {}

    def leave(self, entry: int) -> None:
        """Remove an entry from its seat, or cancel its move here."""
        for seats in (self.seats, self.reserved):
            for seat in [seat for seat, sitting in seats.items() if sitting == entry]:
                del seats[seat]
                self.newcomers.discard(seat)
                self.freed.append(seat)


class Field:
    """All entries and tables, without any decisions."""

    def __init__(self) -> None:
        self.entries: dict[int, SimulatedEntry] = {}
        self.tables: dict[int, SimulatedTable] = {}
        self.opened = 0
        self.moves = 0
        self.hands = 0
        self.hands_closed = 0
        self.moved: dict[int, int] = {}
        self.knock_outs: list[BustedEntry] = []
        self.order = 0
        self.retired = 0
        """Chips that left play with disqualified entries or with a round of a shootout."""

    @property
    def open_tables(self) -> list[SimulatedTable]:
        """Tables in play, in the order they were opened."""
        return [table for table in self.tables.values() if table.is_open]

    def in_play(self) -> list[SimulatedEntry]:
        """Return entries that are not out, pending ones included, in the order of registration."""
        return [entry for entry in self.entries.values() if entry.state in IN_PLAY]

    def lives_on(self, number: int) -> SimulatedEntry:
        """Return the entry that an entry was merged into, itself unless merged (E-03)."""
        entry = self.entries[number]
        while entry.merged_into:
            entry = self.entries[entry.merged_into]
        return entry

    @property
    def left(self) -> int:
        """Number of entries that are not out."""
        return sum(1 for entry in self.entries.values() if entry.state in IN_PLAY)

    def open(self, seats: dict[int, int], max_seats: int) -> SimulatedTable:
        """Open a new table with these entries."""
        self.opened += 1
        table = SimulatedTable(self.opened, max_seats, seats=dict(seats))
        for entry in seats.values():
            self.entries[entry].table = table.number
        self.tables[table.number] = table
        return table

    def close(self, table: SimulatedTable) -> None:
        """Close a table without players and without moves to it."""
        assert not table.size and table.playing is None, "a closed table is empty"
        table.is_open = False
        self.hands_closed = max(self.hands_closed, table.hand)

    def send(self, entry: int, table: int, seat: int) -> None:
        """Start an entry's move from its seat to a free seat of another table."""
        source = self.tables[self.entries[entry].table]
        source.leave(entry)
        target = self.tables[table]
        assert seat not in target.seats and seat not in target.reserved, "the seat is free"
        target.reserved[seat] = entry
        self.entries[entry].table = table
        self.moved[entry] = self.moved.get(entry, 0) + 1
        self.moves += 1
