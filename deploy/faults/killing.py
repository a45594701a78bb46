"""Kills processes of a room at a steady pace, because somebody asked to see it go on."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

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
"""What may be killed, and how the names of such processes begin."""


@dataclass(frozen=True, slots=True)
class Every:
    """One process of a kind is killed every so many seconds."""

    kind: str
    seconds: float


def every(text: str) -> Every:
    """Read KIND:SECONDS; raises ValueError with what is allowed."""
    kind, _, seconds = text.partition(":")
    try:
        wanted = Every(kind, float(seconds))
    except ValueError:
        wanted = Every("", 0.0)
    if wanted.kind not in KINDS or not 0.0 < wanted.seconds < float("inf"):
        raise ValueError(f"{text!r} is not KIND:SECONDS, KIND being one of {', '.join(KINDS)}")
    return wanted


def named(kind: str, supervisor: Supervisor) -> list[str]:
    """The processes of a kind, dead or alive."""
    return [name for name in supervisor.restarts() if name.startswith(KINDS[kind])]


class Killer:
    """Kills when it is time; the first of each kind after one full interval."""

    def __init__(self, wanted: tuple[Every, ...], chance: random.Random, now_s: float) -> None:
        self.killed: Counter[str] = Counter()
        self._chance = chance
        self._next_s = {one: now_s + one.seconds for one in wanted}

    def look(self, supervisor: Supervisor, now_s: float) -> None:
        """Kill -9 whatever is due; what happens to be dead already is left alone."""
        for one, at_s in self._next_s.items():
            if now_s >= at_s:
                self._next_s[one] = now_s + one.seconds
                name = supervisor.kill_one_of(named(one.kind, supervisor), self._chance)
                if name is not None:
                    self.killed[name] += 1
