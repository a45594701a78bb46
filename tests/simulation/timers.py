"""Timers of the world: the real ones of two workers, swept when a wake is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import OperationalError
from redis.exceptions import RedisError

from tables.workers.timers import Timer
from tests.simulation.clock import START_MS
from tests.simulation.doors import WorkerDied

if TYPE_CHECKING:
    from tests.simulation.world import World

POLL_MS = 900
"""Maximum sleep of a simulated timer: two of them beat well within `limits.BEAT_GAP_MS`."""
HELD_BACK_MS = 50
"""Sleep of a simulated timer that leased nothing due: its Redis is not adopted yet."""
RESTART_MS = 300


class Timers:
    """Timer of a settle worker, which adopts a Redis, and timer of a play worker."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._timers = [Timer(world.redis, adopts=True), Timer(world.redis, adopts=False)]
        self._swept = [START_MS, START_MS]
        self._late_ms = [0, 0]

    def next(self) -> int:
        """Return the timer that sweeps next."""
        return min(range(len(self._timers)), key=self.sweep_ms)

    def sweep_ms(self, timer: int) -> int:
        """Return the time of a timer's next sweep; due tables are woken by it as by frequent
        polling.
        """
        latest = self._swept[timer] + POLL_MS
        due_ms = self.world.laws.due_ms
        if due_ms is not None:
            latest = min(latest, due_ms + self._late_ms[timer])
            if due_ms <= self._swept[timer]:
                latest = max(latest, self._swept[timer] + HELD_BACK_MS)
        return max(self._swept[timer] + 1, latest)

    def restart(self, timer: int) -> None:
        """Replace a worker, with a timer that trusts nothing."""
        self._timers[timer] = Timer(self.world.redis, adopts=timer == 0)

    def sweep(self, timer: int) -> None:
        """Let a timer wake what is due; one that fails trusts nothing, one that dies restarts."""
        self._swept[timer] = self.world.now_ms
        self._late_ms[timer] = self.world.step_chance.choice((1, 1, 10, 60))
        try:
            self._timers[timer].sweep(0)
        except (OperationalError, RedisError):
            self._timers[timer]._trusted.clear()
            raise
        except WorkerDied:
            self.restart(timer)
            self._swept[timer] = self.world.now_ms + RESTART_MS
            raise
