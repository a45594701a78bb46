"""Planted defects of the level clock that an organiser sets by hand."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from tests.simulation.laws.level_law import BY_HAND
from tests.simulation.options import Offered
from tournaments.engine import levels
from tournaments.running import operations


def sets_the_clock(offer: Offered) -> bool:
    """Return whether the organiser ends or prolongs a level by hand."""
    return any(step in BY_HAND for _, step in offer.operations)


def prolongs(offer: Offered) -> bool:
    """Return whether the organiser prolongs a level."""
    return any(step == "more_time" for _, step in offer.operations)


def more_time_in_the_level_before() -> AbstractContextManager[Any]:
    """Let more time put the clock back into the item before the running one."""
    real = levels.prolonged

    def prolonged(structure: Any, now: Any, elapsed: int, more_ms: int) -> Any:
        mark = real(structure, now, elapsed, more_ms)
        return replace(mark, index=max(0, mark.index - 1))

    return patch.object(levels, "prolonged", prolonged)


def set_again_by_a_second_click() -> AbstractContextManager[Any]:
    """Let a step on the clock count as often as it comes."""
    return patch.object(operations, "_may_set_again", lambda _: None)
