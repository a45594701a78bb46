"""Kills of a room's processes at a steady pace (`--kill-every`)."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from string import digits

from deploy.processes.supervisor import Supervisor

KINDS = {
    "worker": ("play", "settle"),
    "play": ("play",),
    "settle": ("settle",),
    "web": ("web",),
    "bots": ("swarm",),
    "room": ("room",),
    "broker": ("broker",),
    "postgres": ("postgres",),
}
"""Kinds that may be killed, with the names of their processes, numbers left out."""


@dataclass(frozen=True, slots=True)
class Every:
    """Kind of process and the seconds between its kills."""

    kind: str
    seconds: float


def every(text: str) -> Every:
    """Read KIND:SECONDS; raise ValueError with the allowed values."""
    kind, _, seconds = text.partition(":")
    try:
        wanted = Every(kind, float(seconds))
    except ValueError:
        wanted = Every("", 0.0)
    if wanted.kind not in KINDS or not 0.0 < wanted.seconds < float("inf"):
        raise ValueError(f"{text!r} is not KIND:SECONDS, KIND being one of {', '.join(KINDS)}")
    return wanted


def named(kind: str, supervisor: Supervisor) -> list[str]:
    """Return the names of the processes of a kind, dead or alive."""
    return [one for one in supervisor.restarts() if one.rstrip(digits) in KINDS[kind]]


class Killer:
    """Killer with one timer per kind; the first kill comes after one full interval."""

    def __init__(self, wanted: tuple[Every, ...], chance: random.Random, now_s: float) -> None:
        self.killed: Counter[str] = Counter()
        self._chance = chance
        self._next_s = {one: now_s + one.seconds for one in wanted}

    def kill_due(self, supervisor: Supervisor, now_s: float) -> None:
        """Kill -9 every process that is due; skip processes that are dead already."""
        for one, at_s in self._next_s.items():
            if now_s >= at_s:
                self._next_s[one] = now_s + one.seconds
                name = supervisor.kill_one_of(named(one.kind, supervisor), self._chance)
                if name is not None:
                    self.killed[name] += 1
