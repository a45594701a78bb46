"""State of a simulated ring table: its sessions, its waiting list, its last positions."""

from __future__ import annotations

from dataclasses import dataclass, field

from tables.engine.state import Positions
from tables.ring.engine.blinds import Owed, RingSeat
from tables.ring.engine.sitting_out import KeptSeat
from tables.ring.engine.waiting import FreeSeat, WaitingEntry
from tables.ring.simulation.terms import SimulatedTerms

NOTHING = Owed()


@dataclass(slots=True)
class SimulatedSession:
    """A player at a table from sitting down to leaving; `coming` chips are paid and on their way.

    `since_big` counts the hands dealt in since the last big blind that was paid.
    """

    player: int
    seat: int
    coming: int
    chips: int = 0
    leaving: bool = False
    absent_since_ms: int | None = None
    disconnected: bool = False
    rebuy_until_ms: int | None = None
    is_new: bool = True
    posts_now: bool = False
    owed: Owed = NOTHING
    straddles: bool = False
    skips_big_blind: bool = False
    penalty: int = 0
    tops_up: bool = False
    rake_paid: int = 0
    since_big: int = 0

    def at_deal(self) -> RingSeat:
        """Return the seat as the plan of a deal sees it."""
        return RingSeat(
            seat=self.seat,
            stack=self.chips,
            absent=self.absent_since_ms is not None,
            is_new=self.is_new,
            posts_now=self.posts_now,
            owes_small=self.owed.small,
            owes_big=self.owed.big,
            straddles=self.straddles,
            penalty=self.penalty,
            skips_big_blind=self.skips_big_blind,
        )

    def at_boundary(self) -> KeptSeat:
        """Return the seat as the rules of kept seats see it."""
        return KeptSeat(
            chips=self.chips + self.coming,
            leaving=self.leaving,
            absent_since_ms=self.absent_since_ms,
            disconnected=self.disconnected,
            rebuy_until_ms=self.rebuy_until_ms,
        )


@dataclass(slots=True)
class SimulatedRingTable:
    """One table of the simulation; `left` has chips and time of players who went, by player."""

    number: int
    terms: SimulatedTerms
    sessions: dict[int, SimulatedSession] = field(default_factory=dict)
    waiting: dict[int, WaitingEntry] = field(default_factory=dict)
    left: dict[int, tuple[int, int]] = field(default_factory=dict)
    previous: Positions | None = None
    hands: int = 0

    def chips(self) -> int:
        """Return all chips of the table, those on their way included."""
        return sum(session.chips + session.coming for session in self.sessions.values())

    def free_seats(self) -> list[FreeSeat]:
        """Return the seats without a session."""
        return [
            FreeSeat(self.number, seat)
            for seat in range(1, self.terms.seats_max + 1)
            if seat not in self.sessions
        ]
