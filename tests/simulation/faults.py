"""Faults of a seed: their kinds, their frequency and the calls at which they strike."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

BELL = {
    "bell lost": "a Celery message never arrives",
    "bell doubled": "a Celery message arrives twice",
    "bell late": "a Celery message arrives seconds later, after others",
}
WORKER = {
    "dies before": "the process ends just before a call to Redis, a statement or a COMMIT",
    "dies after": "the process ends just after it, so after the commit and before what follows",
    "dies after commit": "the process ends right after its COMMIT, before anything that follows it",
    "line lost before": "the connection breaks before the call had any effect",
    "line lost after": "the connection breaks after it, the outcome being unknown",
    "repeated": "the answer of Redis is lost and the client asks again: a script runs twice",
    "frozen": "the process stands still at the call while others go on, then continues",
}
ROOM = {
    "redis wiped": "Redis comes back empty",
    "redis set back": "Redis comes back with older data",
    "outage": "nobody runs for seconds; to Redis it looks like a clock that jumped ahead",
    "clock back": "the clock of Redis jumps back",
    "database clock": "the clock of PostgreSQL jumps, ahead or back",
    "fence raised": "a table is rebuilt under a new epoch while others work on the old one",
}
DAMAGE = "state damaged"
"""Fault of one table: nobody can read its state. Drawn apart, so that seeds keep their kinds."""

POWER = ("redis restarted", "redis cut")
"""Faults of a server that syncs before it answers: restarted whole, or with a file cut at its end.

Drawn apart, too.
"""

DATABASE = {
    "database restarted": "PostgreSQL is restarted with all its rows",
    "database promoted": "a standby is promoted, without the last commits if none were awaited",
    "database set back": "PostgreSQL comes back as it was some steps ago",
}
"""Faults of PostgreSQL and all connections to it. Drawn apart, too."""

CLIENT = {
    "resend": "a player's command is sent again, at once or much later",
    "reorder": "a player's commands overtake each other",
    "vanish": "a player is gone for a while and comes back",
    "nonsense": "a player sends what is not his, not legal, or for a table he is not at",
}
ALL = BELL | WORKER | ROOM | CLIENT

DAMAGE_SHARE, DAMAGE_RATE = 0.3, 0.012
"""Share of the seeds with damaged states, and the probability of one at a step."""
POWER_SHARE, POWER_RATE = 0.3, 0.012
"""Share of the seeds with losses of power, and the probability of one at a step."""

DATABASE_SHARE, DATABASE_RATE = 0.2, 0.008
"""Share of the seeds with faults of PostgreSQL, and the probability of one at a step."""

RATES = {"bell": 0.2, "worker": 0.1, "room": 0.012, "client": 0.35}
"""Maximum probability of each family of faults for one message, task, step or command."""
FROZEN_EVENTS_MAX = 12


@dataclass
class Plan:
    """One fault at the `point`-th call of a task; a frozen process sleeps for `events` steps."""

    kind: str
    point: int
    events: int = 0


class Faults:
    """Faults of one seed, of a few kinds drawn at the start, so that seeds cover every kind.

    `only` names the steps at which faults may still strike, for finding the smallest failing set.
    """

    def __init__(self, seed: int, only: frozenset[int] | None = None) -> None:
        chance = random.Random(f"{seed} faults")
        count = 0 if chance.random() < 0.05 else chance.choice((2, 3, 4, 6, 9, len(ALL)))
        self.kinds = frozenset(chance.sample(sorted(ALL), count))
        self.force = chance.choice((0.3, 1.0, 2.0))
        self.until_step = chance.choice((150, 400, 900))
        self.only = only
        self.struck: dict[int, str] = {}
        self._seed = seed
        self.damages = random.Random(f"{seed} damages").random() < DAMAGE_SHARE
        self.cuts_power = random.Random(f"{seed} power").random() < POWER_SHARE
        self.strikes_database = random.Random(f"{seed} rows").random() < DATABASE_SHARE

    def at(self, step: int) -> random.Random:
        """Source of chance for all draws of one step, independent of earlier steps."""
        return random.Random(f"{self._seed} {step}")

    def strike(
        self, step: int, family: dict[str, str], rate: str, chance: random.Random
    ) -> str | None:
        """Return the kind of fault that strikes now, or None; every run draws in the same order."""
        roll, pick = chance.random(), chance.random()
        kinds = sorted(self.kinds & family.keys())
        if not kinds or not self._may_strike(step) or roll >= RATES[rate] * self.force:
            return None
        kind = kinds[int(pick * len(kinds))]
        self.note(step, kind)
        return kind

    def damage(self, step: int) -> random.Random | None:
        """Return a source of chance for the damage to draw at this step, or None."""
        if not self.damages or not self._may_strike(step):
            return None
        chance = random.Random(f"{self._seed} damages {step}")
        if chance.random() >= DAMAGE_RATE:
            return None
        self.note(step, DAMAGE)
        return chance

    def power(self, step: int) -> random.Random | None:
        """Return a source of chance for the loss of power to draw at this step, or None."""
        if not self.cuts_power or not self._may_strike(step):
            return None
        chance = random.Random(f"{self._seed} power {step}")
        if chance.random() >= POWER_RATE:
            return None
        self.note(step, "power lost")
        return chance

    def on_database(self) -> Iterator[tuple[int, random.Random]]:
        """Yield the steps at which PostgreSQL fails, each with a source of chance for the fault."""
        for step in range(1, self.until_step + 1) if self.strikes_database else ():
            chance = random.Random(f"{self._seed} database {step}")
            if chance.random() < DATABASE_RATE and self._may_strike(step):
                yield step, chance

    def _may_strike(self, step: int) -> bool:
        return step <= self.until_step and (self.only is None or step in self.only)

    def note(self, step: int, kind: str) -> None:
        """Note the kind of fault that strikes at a step."""
        self.struck[step] = f"{self.struck[step]}, {kind}" if step in self.struck else kind

    def plan(self, step: int, chance: random.Random, points: int) -> Plan | None:
        """Return the fault at one of the calls of the process that does this step, or None."""
        point, events = chance.randint(1, max(1, points)), chance.randint(1, FROZEN_EVENTS_MAX)
        kind = self.strike(step, WORKER, "worker", chance)
        return None if kind is None else Plan(kind, point, events)
