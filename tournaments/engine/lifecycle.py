"""Life cycle of a tournament as one table of legal transitions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

from config.refusals import RuleRefusal
from config.refusals import marked as _

State = Literal["announced", "registering", "running", "paused", "frozen", "finished", "cancelled"]
"""The stored state. Paused = by an admin, frozen = by a fault of the cluster (T-13)."""

Shown = Literal[
    "announced",
    "registering",
    "late_registration",
    "running",
    "break",
    "final_table",
    "paused",
    "frozen",
    "finished",
    "cancelled",
]
"""The displayed state: the stored state, refined by facts that are stored elsewhere."""

Step = Literal[
    "open",
    "start",
    "pause",
    "resume",
    "next_level",
    "more_time",
    "freeze",
    "thaw",
    "finish",
    "cancel",
]

ENDED: frozenset[State] = frozenset({"finished", "cancelled"})
PLAYED: frozenset[State] = frozenset({"running", "paused", "frozen"})
NOT_ENDED: frozenset[State] = frozenset(get_args(State)) - ENDED
"""States to ask for by name: an index finds them, but no index finds what is not in ENDED."""

TRANSITIONS: Mapping[Step, Mapping[State, State]] = {
    "open": {"announced": "registering"},
    "start": {"registering": "running"},
    "pause": {"running": "paused", "frozen": "paused"},
    "resume": {"paused": "running"},
    "next_level": {"running": "running", "paused": "paused"},
    "more_time": {"running": "running", "paused": "paused"},
    "freeze": {"running": "frozen"},
    "thaw": {"frozen": "running"},
    "finish": {"running": "finished", "paused": "finished", "frozen": "finished"},
    "cancel": {
        "announced": "cancelled",
        "registering": "cancelled",
        "running": "cancelled",
        "paused": "cancelled",
        "frozen": "cancelled",
    },
}


class Facts(msgspec.Struct, frozen=True):
    """Facts that refine the stored state of a running tournament."""

    entries_open: bool
    on_break: bool
    final_table: bool


def after(state: State, step: Step) -> State:
    """Return the state after the step; the caller stores it by compare-and-set from `state`."""
    follows = TRANSITIONS[step].get(state)
    if follows is None:
        raise RuleRefusal(
            f"cannot_{step}", _("This step is not possible in the state of the tournament.")
        )
    return follows


def may(state: State, step: Step) -> bool:
    """Return whether the step is legal now, for buttons."""
    return state in TRANSITIONS[step]


def shown(state: State, facts: Facts) -> Shown:
    """Return the displayed state, with late registration, break and final table derived."""
    if state != "running":
        return state
    if facts.on_break:
        return "break"
    if facts.final_table:
        return "final_table"
    return "late_registration" if facts.entries_open else "running"
