"""Tables of a simulation: their games, stakes, limits of buy-ins, rake rows and jackpots."""

from __future__ import annotations

from typing import NamedTuple

from tables.engine.events import Stakes
from tables.engine.rake_tables import HOLDEM, OMAHA, RakeRow
from tables.engine.variants import VARIANTS
from tables.ring.engine.sitting_out import KeptTimes

SECOND = 1_000
MINUTE = 60 * SECOND


class SimulatedTerms(NamedTuple):
    """Terms of one table; money in minor units, times in ms."""

    variant: str
    limit: str
    stakes: Stakes
    seats_max: int
    buy_in_min: int
    buy_in_max: int
    rake_rows: tuple[RakeRow, ...] = HOLDEM
    jackpots: tuple[str, ...] = ()
    straddle: bool = False
    s0_order: bool = False
    no_flop_no_drop: bool = False
    rake_per_street: bool = False
    kept: KeptTimes = KeptTimes(sit_out_ms=10 * MINUTE, disconnect_ms=2 * MINUTE)
    rebuy_ms: int = MINUTE
    return_ms: int = 30 * MINUTE
    offer_ms: int = 30 * SECOND

    @property
    def blinds(self) -> bool:
        """Return whether the game has blinds."""
        return not VARIANTS[self.variant].brings_in


TABLES: tuple[SimulatedTerms, ...] = (
    SimulatedTerms(
        variant="holdem",
        limit="no_limit",
        stakes=Stakes(50, 100),
        seats_max=6,
        buy_in_min=4_000,
        buy_in_max=10_000,
        jackpots=("monte_carlo", "bad_beat", "smart"),
        straddle=True,
    ),
    SimulatedTerms(
        variant="omaha",
        limit="pot_limit",
        stakes=Stakes(25, 50),
        seats_max=6,
        buy_in_min=5_000,
        buy_in_max=5_000,
        rake_rows=(*OMAHA, *HOLDEM),
        jackpots=("bad_beat",),
        no_flop_no_drop=True,
    ),
    SimulatedTerms(
        variant="holdem",
        limit="fixed_limit",
        stakes=Stakes(100, 200),
        seats_max=9,
        buy_in_min=2_000,
        buy_in_max=8_000,
        jackpots=("monte_carlo",),
        straddle=True,
        rake_per_street=True,
    ),
    SimulatedTerms(
        variant="stud",
        limit="fixed_limit",
        stakes=Stakes(0, 0, 20, "per_seat", 50, 200, 400),
        seats_max=8,
        buy_in_min=4_000,
        buy_in_max=20_000,
    ),
    SimulatedTerms(
        variant="holdem",
        limit="no_limit",
        stakes=Stakes(50, 100, 100, "big_blind"),
        seats_max=3,
        buy_in_min=5_000,
        buy_in_max=20_000,
        jackpots=("monte_carlo", "bad_beat"),
        straddle=True,
        s0_order=True,
    ),
)
"""Tables of every simulation: blinds and stud, each limit, both orders, every setting of rake."""
