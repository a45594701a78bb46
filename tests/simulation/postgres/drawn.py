"""Faults of PostgreSQL in a world: what is drawn for each, and the server that it takes away."""

from __future__ import annotations

import random
from typing import NamedTuple

from tests.simulation.faults import DATABASE
from tests.simulation.postgres.copies import DatabaseCopy

RESTARTED, PROMOTED, SET_BACK = DATABASE

LAGS = (1, 4, 12, 40)
"""Steps that a copy is older than the fault that brings it back."""
LOOKS_AFTER_MS = (300, 3_000, 15_000)
RIGHT_SERVER = 0.25
"""Probability that the operator brings the right server back instead of accepting a loss."""


class Server(NamedTuple):
    """Server of PostgreSQL at one time: its rows, and how far its log came."""

    rows: DatabaseCopy
    timeline: int
    position: int


class SetBack(NamedTuple):
    """Fault of PostgreSQL: its kind, and what is drawn for it."""

    kind: str
    lag: int
    is_long: bool
    looks_after_ms: int
    has_right_server: bool


def drawn(chance: random.Random) -> SetBack:
    """Return a fault with all that is drawn for it."""
    kind = chance.choice((RESTARTED, PROMOTED, SET_BACK, SET_BACK))
    return SetBack(
        kind,
        lag=chance.randint(1, chance.choice(LAGS)),
        is_long=chance.random() < 0.3,
        looks_after_ms=chance.choice(LOOKS_AFTER_MS),
        has_right_server=chance.random() < RIGHT_SERVER,
    )
