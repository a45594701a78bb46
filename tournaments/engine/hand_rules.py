"""Rules under which a hand of a tournament is dealt, from the offered options (L-04)."""

from __future__ import annotations

from typing import Protocol, cast

from tables.engine.events import CapLift, Options
from tables.engine.state import Rules
from tournaments.engine.structure import Level, stakes_of

HEADS_UP = 2


class HandRuleFields(Protocol):
    """The offered options on which a hand depends."""

    @property
    def variant(self) -> str: ...
    @property
    def limit(self) -> str: ...
    @property
    def s0_order(self) -> bool: ...
    @property
    def cap_lift(self) -> str: ...
    @property
    def muck_secret(self) -> bool: ...


def rules(offered: HandRuleFields, level: Level, *, left: int) -> Rules:
    """Return the rules of the next hand (B-03, H-11, S-03); `left` counts players still in play."""
    return Rules(
        variant=offered.variant,
        limit=offered.limit,
        stakes=stakes_of(level, offered.limit),
        options=Options(
            muck_secret=offered.muck_secret,
            cap_lift=cast(CapLift, offered.cap_lift),
            event_heads_up=offered.cap_lift == "event" and left <= HEADS_UP,
            s0_order=offered.s0_order,
        ),
    )
