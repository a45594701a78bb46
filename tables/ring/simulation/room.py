"""State of a simulated room of ring games: tables, players, money, and what was counted."""

from __future__ import annotations

from collections import Counter
from random import Random

from tables.ring.simulation.bank import RingBank
from tables.ring.simulation.seats import SimulatedRingTable
from tables.ring.simulation.terms import TABLES, SimulatedTerms


class SimulatedRingRoom:
    """All tables of a room, its players and its money; the seed decides everything."""

    def __init__(
        self, seed: int, *, players: int = 40, tables: tuple[SimulatedTerms, ...] = TABLES
    ) -> None:
        self.seed = seed
        self.lot = Random(seed)  # nosec B311
        self.players = players
        self.bank = RingBank()
        self.tables = [SimulatedRingTable(number, terms) for number, terms in enumerate(tables, 1)]
        self.now_ms = 0
        self.hands = 0
        self.expected_rake = 0
        self.attributed = 0
        self.expected_feed: Counter[str] = Counter()
        self.falls: Counter[str] = Counter()
        self.freed: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
