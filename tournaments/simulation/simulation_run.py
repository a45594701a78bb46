"""The run of a simulated tournament: one event after the other, on a virtual clock."""

from __future__ import annotations

from heapq import heappop

from tournaments.engine import seating
from tournaments.engine.formats import shootout_rounds
from tournaments.simulation import boundary, buying, hands, merges, paying
from tournaments.simulation.checks import check_running, validate_end
from tournaments.simulation.field import SimulatedTable
from tournaments.simulation.state import SimulationState

LOOKS_PER_TABLE_MAX = 100
"""Most polls of a table in vain while no other event is due."""

HANDS_IDLE_MAX = 100_000
"""Most hands in a row without a knock-out; a higher count is an endless tournament."""

LATE_EVERY_MS = 20_000
CHECKED_ENTRIES_MAX = 200
"""Most entries for a check of every step; larger fields are checked at the end alone."""


class SimulationRun(SimulationState):
    """One simulated tournament from the draw of its seats to its last prize."""

    def run(self) -> None:
        """Play from the draw of seats to the last prize; asserts progress (L-05).

        The number of events is not limited, only the number without progress: polls of tables while
        no hand, offer or late player is due, and hands without a knock-out.
        """
        self.start()
        while not self.is_over():
            assert self.queue, "a running tournament has a next event"
            self.now_ms, _, act = heappop(self.queue)
            act()
            self.looks_idle = 0 if self.due else self.looks_idle + 1
            most = LOOKS_PER_TABLE_MAX * (len(self.field.open_tables) + 1) if self.looks_idle else 1
            assert self.looks_idle < most, "every table waits and no other event is due"
            assert self.hands_idle < HANDS_IDLE_MAX, (
                f"no knock-out in {HANDS_IDLE_MAX} hands: the stacks are too deep for the levels"
            )
        validate_end(self)

    def start(self) -> None:
        """Seat registered players by lot; fix the pool if nothing is sold later (T-14)."""
        options = self.options
        for user in range(options.players):
            self.enter(user)
            if options.several_at_once and self.lot.randrange(4) == 0:
                self.enter(user)
        if options.format_rules.has_rounds:
            self.stages = shootout_rounds(options.players, options.seats_per_table)
        if not options.sells:
            self.money.fix(len(self.field.entries), self.lot)
        self.seat_all()
        if self.money.pool is not None:
            self.begin_hand_for_hand()
        for number in range(self.late_left):
            self.later(LATE_EVERY_MS * (number + 1), lambda: buying.come_late(self))

    def seat_all(self) -> None:
        """Draw seats for all entries in play at the fewest new tables (T-14, F-04)."""
        options = self.options
        drawn = seating.draw(
            [entry.number for entry in self.field.in_play()], options.seats_per_table, self.lot
        )
        for seats in drawn:
            table = self.field.open(seats, options.seats_per_table)
            self.look_at(table, self.lot.randrange(1_000))
        merges.part_own_entries(self)

    def look_at(self, table: SimulatedTable, in_ms: int = 0) -> None:
        """Queue a table's next poll between two hands."""
        self._queue(in_ms, lambda: boundary.visit_table(self, table))

    def play(self, table: SimulatedTable) -> None:
        """Deal the table's next hand, to be settled after the players' thinking time."""
        lasts_ms = hands.deal(self, table)
        self.later(lasts_ms, lambda: hands.settle(self, table))

    def follow_up(self) -> None:
        """Check after a change of the field for closed buying, places, and the end (E-07, T-07)."""
        if self.is_over():
            return
        if len(self.field.entries) <= CHECKED_ENTRIES_MAX:
            check_running(self)
        buying.close_when_done(self)
        options = self.options
        if options.format_rules.has_rounds and self.stage < self.stages:
            return
        if paying.is_over(options, self.money, self.field):
            self.finish(lambda: paying.end(options, self.money, self.field))
            return
        if self.money.pool is not None and not self.hand_for_hand and not self._undecided():
            paying.place(options, self.money, self.field, pay=not options.format_rules.half_wins)
            self.begin_hand_for_hand()

    def _undecided(self) -> bool:
        return any(entry.state == "pending" for entry in self.field.entries.values())
