"""One line of `manage.py formats`: an offer, its bots, and what must come of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tables.bots.habits import Habits
from tournaments.engine.presets import PRESETS
from tournaments.engine.structure import Structure, timed
from tournaments.models.structure import encoded

LEVEL_MS = 5_000
STACK = 600
Wanted = int | str | bool


class Line(msgspec.Struct, frozen=True):
    """One tournament of `players` bots; `pros` of them are PRO, fields of `offer` as in `--offer`.

    `wants` says by path in the report what must have happened: a number at least, a word or a mark
    exactly. A satellite names the line it `leads_to`, which its players play when it is over.
    """

    name: str
    players: int
    wants: Mapping[str, Wanted]
    offer: Mapping[str, Any] = {}
    seats: int = 6
    habits: Habits = Habits()
    password: str = ""
    pros: int = 0
    leads_to: str = ""


def quick(preset: str = "turbo") -> dict[str, Any]:
    """Levels of a preset of a few seconds each, without breaks, and few chips to start with."""
    levels = Structure(items=PRESETS[preset].structure.levels)
    return {
        "structure": encoded(timed(levels, level_ms=LEVEL_MS)),
        "starting_stack": STACK,
        "bubble_charge_ms": 1_000,
        "offer_ms": 4_000,
        "deal_vote_ms": 10_000,
    }
