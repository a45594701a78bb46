"""Levels after which a short tournament of bots ends, whatever the speed of the machine."""

from __future__ import annotations

from typing import Any

from tournaments.engine.structure import BlindStructure, Level
from tournaments.models.structure import encoded

STACK = 3_000


def quick_offer() -> dict[str, Any]:
    """Return fields of an offer whose blinds double every second hand: 3,000 chips last 15 hands.

    Levels of hands instead of seconds: a slow machine plays as many hands as a fast one.
    """
    rising = [Level(50 * 2**n, 100 * 2**n, lasts_hands=2) for n in range(7)]
    levels = BlindStructure((*rising, Level(6_400, 12_800, lasts_hands=1_000)))
    return {
        "structure": encoded(levels),
        "structure_name": "quick",
        "starting_stack": STACK,
    }
