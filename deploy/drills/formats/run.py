"""Run of `manage.py formats`: a tournament specification, its bots, and the expected results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tables.bots.habits import Habits
from tournaments.engine.presets import PRESETS
from tournaments.engine.structure import BlindStructure, timed
from tournaments.models.structure import encoded

LEVEL_MS = 5_000
STACK = 600
Wanted = int | str | bool


class FormatRun(msgspec.Struct, frozen=True):
    """Tournament of `players` bots; `pros` of them are PRO, fields of `offer` as in `--offer`.

    `wants` gives expected results by path in the report: a number is a minimum, a word or a mark
    must be equal. A satellite names the run it `leads_to`, which its players play afterwards.
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
    """Return the levels of a preset with a few seconds each, without breaks, and a small stack."""
    levels = BlindStructure(items=PRESETS[preset].structure.levels)
    return {
        "structure": encoded(timed(levels, level_ms=LEVEL_MS)),
        "starting_stack": STACK,
        "bubble_charge_ms": 1_000,
        "offer_ms": 4_000,
        "deal_vote_ms": 10_000,
    }
