"""Run of a simulation: tables take turns by a virtual clock until enough hands were played."""

from __future__ import annotations

from heapq import heapify, heapreplace

from tables.ring.simulation import boundary, checks
from tables.ring.simulation.hands import deal_and_settle
from tables.ring.simulation.room import SimulatedRingRoom

WAIT_MS = 5_000
"""Time after which a table without a hand is looked at again."""

BOOKS_EVERY = 500
"""Hands between two checks of all books; each table is checked after each of its hands."""

IDLE_MAX = 10_000
"""Boundaries in a row without a hand that are a fault of the program."""


class RingSimulation(SimulatedRingRoom):
    """Tables of a simulated room that take turns by a virtual clock."""

    def play(self, hands: int) -> None:
        """Play this number of hands at all tables together; raises AssertionError on a fault."""
        due = [(0, table.number) for table in self.tables]
        heapify(due)
        idle = 0
        while self.hands < hands:
            self.now_ms, number = due[0]
            table = self.tables[number - 1]
            boundary.pass_boundary(self, table)
            length_ms = deal_and_settle(self, table)
            checks.check_table(self, table)
            if length_ms is None:
                idle += 1
                assert idle < IDLE_MAX, "no table can deal a hand"
            else:
                idle = 0
                self.hands += 1
                if self.hands % BOOKS_EVERY == 0:
                    checks.check_books(self)
            heapreplace(due, (self.now_ms + (length_ms or WAIT_MS), number))
        checks.check_books(self)
