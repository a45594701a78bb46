"""Time that a bot takes to think: none, or like a person."""

from __future__ import annotations

from random import Random
from typing import Literal

Pace = Literal["human", "fast"]

HUMAN_MEDIAN_S = 6.0
_SPREAD = 0.55
_SHORTEST_S = 0.8
_RESERVE_S = 1.5
"""Seconds kept free before the deadline, for the trip to the server."""


def think_s(pace: Pace, left_s: float, chance: Random, faster: float = 1.0) -> float:
    """Return the seconds to wait before an action due in `left_s`; log-normal for people.

    `faster` divides the time that people take.
    """
    if pace == "fast":
        return 0.0
    wanted = max(_SHORTEST_S, HUMAN_MEDIAN_S * chance.lognormvariate(0.0, _SPREAD)) / faster
    return max(0.0, min(wanted, left_s - _RESERVE_S))
