"""Model of a field of tables with random deals and busts, balanced by the plan and checked at each
step.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from tables.engine.positions import next_positions
from tables.engine.state import Positions
from tournaments.engine.balancing import (
    SHORTEST_TABLES_MAX,
    CloseTable,
    DealNextHand,
    GatherFinalTable,
    Moves,
    Plan,
    PlannedMove,
    TableView,
    View,
    break_order,
    plan,
    tables_doomed,
    tables_needed,
)
from tournaments.engine.lot import drawn
from tournaments.engine.seating import draw, late_table

SMALL_FIELD = 100
"""Up to here every single step is checked for lost players; above only the quiet rounds are."""


class ModelTable:
    """Seats, players on the way, and the real positions of the last hand."""

    def __init__(self, number: int, max_seats: int) -> None:
        self.number = number
        self.max_seats = max_seats
        self.seats: dict[int, int] = {}
        self.reserved: dict[int, int] = {}
        self.newcomers: set[int] = set()
        self.positions: Positions | None = None
        self.in_hand = False

    @property
    def size(self) -> int:
        return len(self.seats) + len(self.reserved)

    def seen(self) -> TableView:
        return TableView(
            table=self.number,
            max_seats=self.max_seats,
            seats=dict(self.seats),
            reserved=dict(self.reserved),
            leaving=frozenset(),
            big_blind=self.positions.big_blind if self.positions else None,
        )

    def next_positions(self, drawn_button: int) -> Positions:
        occupied = tuple(sorted(self.seats))
        if self.positions is None:
            return next_positions(None, occupied, frozenset(), button=drawn_button)
        return next_positions(self.positions, occupied, frozenset(self.newcomers))

    def take_seats(self) -> None:
        for seat, entry in self.reserved.items():
            assert seat not in self.seats, "a seat holds one entry"
            self.seats[seat] = entry
            self.newcomers.add(seat)
        self.reserved = {}


class Field:
    """A whole tournament of model tables; every step asserts the guarantees of balancing."""

    def __init__(self, players: int, seats: int, seed: int, *, entries_open: bool = False) -> None:
        self.lot = Random(seed)
        self.seats = seats
        self.entries_open = entries_open
        self.entered = players
        self.tables: dict[int, ModelTable] = {}
        self.opened = 0
        self.gathered = False
        for seating in draw(range(players), seats, self.lot):
            self.open_table(seating)
        self.moved: Counter[int] = Counter()
        self.busts = 0
        self.closed = 0
        self.balancing_moves = 0
        self.closing_moves = 0
        self.final_moves = 0
        self.hands = 0

    @property
    def players_left(self) -> int:
        return self.entered - self.busts

    @property
    def sizes(self) -> list[int]:
        return [table.size for table in self.tables.values()]

    @property
    def needed(self) -> int:
        return tables_needed(self.players_left, self.seats, entries_open=self.entries_open)

    def open_table(self, seating: dict[int, int]) -> ModelTable:
        self.opened += 1
        table = ModelTable(self.opened, self.seats)
        table.seats = dict(seating)
        self.tables[self.opened] = table
        return table

    def enter_late(self) -> None:
        """Add one player by lot at a shortest table or at a new one (E-01)."""
        assert self.entries_open, "no player enters after entries are closed"
        entry, self.entered = self.entered, self.entered + 1
        keeps = {table.table: table for table in (each.seen() for each in self._staying())}
        number = late_table(
            {table: seen.size for table, seen in keeps.items() if seen.open_seats},
            self.lot,
            longest=max((seen.size for seen in keeps.values()), default=0),
            lost_at=None,
        )
        if number is None:
            self.open_table({self.lot.randrange(self.seats) + 1: entry})
        else:
            self.tables[number].reserved[drawn(keeps[number].open_seats, self.lot)] = entry
        self.check_seats()

    def finish_hand(self, table: ModelTable, busts: int) -> None:
        """End a hand with up to `busts` busted players; at least one dealt player keeps chips."""
        assert table.in_hand
        assert table.positions is not None
        table.in_hand = False
        self.hands += 1
        table.newcomers -= set(table.positions.dealt)
        dealt = [seat for seat in table.positions.dealt if seat in table.seats]
        for seat in self.lot.sample(dealt, min(busts, len(dealt) - 1)):
            del table.seats[seat]
            self.busts += 1

    def ask(self, table: ModelTable) -> Plan:
        """Ask for the next hand of a table until it deals, waits or ends."""
        if self.lot.random() < 0.5:
            table.take_seats()
        for _ in range(self.seats + 1):
            view = self.view(table)
            assert len(view.shortest) <= SHORTEST_TABLES_MAX
            done = plan(view, self.lot, self.moved)
            if isinstance(done, Moves):
                self._level(table, done)
                continue
            if isinstance(done, CloseTable):
                self._close(table, done)
            elif isinstance(done, GatherFinalTable):
                self._gather()
            elif isinstance(done, DealNextHand):
                table.take_seats()
                table.positions = table.next_positions(self.lot.choice(sorted(table.seats)))
                table.in_hand = True
            elif table.reserved:
                table.take_seats()
                continue
            if self.entered <= SMALL_FIELD:
                self.check_seats()
            return done
        raise AssertionError("a table settles after balancing")

    def view(self, asking: ModelTable) -> View:
        order = self._order()
        others = sorted(
            (table for table in self._staying() if table is not asking),
            key=lambda table: table.size,
        )
        return View(
            asking=asking.seen(),
            rank=order.index(asking.number),
            tables_open=len(self.tables),
            players_left=self.players_left,
            entries_open=self.entries_open,
            longest=max(self.sizes),
            shortest=tuple(table.seen() for table in others[:SHORTEST_TABLES_MAX]),
            others_in_hand=sum(t.in_hand for t in self.tables.values() if t is not asking),
            gathers=self.opened > 1 and not self.gathered,
        )

    def everybody_finishes_a_hand(self) -> None:
        """End a hand without busts at each table, in any order, and ask once (invariant 7)."""
        for number in self.lot.sample(sorted(self.tables), len(self.tables)):
            table = self.tables.get(number)
            if table is None:
                continue
            if table.in_hand:
                self.finish_hand(table, 0)
            self.ask(table)
        self.check_seats()
        assert max(self.sizes) - min(self.sizes) <= 1, f"sizes {sorted(self.sizes)}"
        if self.entries_open:
            assert len(self.tables) <= max(self.needed, -(-self.players_left // self.seats))
        else:
            assert len(self.tables) == -(-self.players_left // self.seats)

    def everybody_deals(self) -> None:
        """Assert that after one more quiet hand only a lone player waits (no deadlock)."""
        self.everybody_finishes_a_hand()
        for table in self.tables.values():
            assert table.in_hand or table.size < 2, f"table {table.number} waits forever"

    def check_seats(self) -> None:
        """Assert that no player is lost or sits twice, and no two entries share a seat."""
        sitting = [entry for t in self.tables.values() for entry in t.seats.values()]
        coming = [entry for t in self.tables.values() for entry in t.reserved.values()]
        assert len(sitting) + len(coming) == self.entered - self.busts
        assert len(set(sitting + coming)) == len(sitting) + len(coming)
        for table in self.tables.values():
            assert not table.seats.keys() & table.reserved.keys()
            assert table.size <= table.max_seats

    def _order(self) -> list[int]:
        return break_order({number: number for number in self.tables})

    def _staying(self) -> list[ModelTable]:
        doomed = tables_doomed(
            len(self.tables), self.players_left, self.seats, entries_open=self.entries_open
        )
        return [self.tables[number] for number in self._order()[doomed:]]

    def _level(self, table: ModelTable, moves: Moves) -> None:
        for move in moves.moves:
            self._check_balancing(table, move)
            self._go(table, move)
            self.balancing_moves += 1

    def _close(self, table: ModelTable, moves: CloseTable) -> None:
        table.take_seats()
        assert {move.entry for move in moves.moves} == set(table.seats.values())
        for move in moves.moves:
            self._go(table, move)
            self.closing_moves += 1
        assert not table.seats
        del self.tables[table.number]
        self.closed += 1

    def _gather(self) -> None:
        assert not any(table.in_hand for table in self.tables.values())
        for table in self.tables.values():
            table.take_seats()
        everybody = [entry for table in self.tables.values() for entry in table.seats.values()]
        self.final_moves += len(everybody)
        self.closed += len(self.tables)
        self.tables, self.gathered = {}, True
        (seating,) = draw(everybody, self.seats, self.lot)
        self.open_table(seating)

    def _go(self, table: ModelTable, move: PlannedMove) -> None:
        (seat,) = [seat for seat, entry in table.seats.items() if entry == move.entry]
        del table.seats[seat]
        table.newcomers.discard(seat)
        target = self.tables[move.table]
        assert target is not table
        assert move.seat not in target.seats
        assert move.seat not in target.reserved
        target.reserved[move.seat] = move.entry
        self.moved[move.entry] += 1

    def _check_balancing(self, table: ModelTable, move: PlannedMove) -> None:
        """Assert that the player due the big blind moves to the seat paying it soonest (T-08)."""
        target = self.tables[move.table]
        assert table.size - target.size >= 2
        assert target.size == min(one.size for one in self._staying())
        if table.positions is not None and len(table.seats) > 1:
            due = table.next_positions(0).big_blind
            assert due is not None
            assert table.seats[due] == move.entry, "the player due the big blind moves"
        if target.positions is None or target.size < 2:
            return
        waits = {
            seat: self.hands_until_big_blind(target, seat) for seat in target.seen().open_seats
        }
        waits = {seat: wait for seat, wait in waits.items() if seat != target.positions.big_blind}
        assert waits[move.seat] == min(waits.values()), "no player is spared the big blind"

    def hands_until_big_blind(self, table: ModelTable, seat: int) -> int:
        """Hands until the big blind, played forward with real positions and without busts."""
        occupied = tuple(sorted({*table.seats, *table.reserved, seat}))
        newcomers = frozenset({*table.newcomers, *table.reserved, seat})
        positions = table.positions
        for hands in range(len(occupied)):
            positions = next_positions(positions, occupied, newcomers)
            newcomers -= set(positions.dealt)
            if positions.big_blind == seat:
                return hands
        raise AssertionError("the big blind comes round to every seat")
