"""Thread of every settle worker that takes turns at counting hands and looking for signs."""

from __future__ import annotations

from config import clock
from config.process.turn_thread import TurnStep, TurnThread
from tables.conduct import counting, pruning, scoring

TURN_S = 2.0
"""Pause between two turns; a full turn is followed by the next one after a breath."""

BREATH_S = 0.05
AGAIN_S = 10.0
"""Pause after a failed turn."""

LOOK_EVERY_MS = 300_000
"""Time between two looks for new signs."""


class ConductThread(TurnThread):
    """Count the hands that wait; look for new signs and prune old figures at times."""

    name, first_s, again_s = "conduct", TURN_S, AGAIN_S

    def __init__(self) -> None:
        super().__init__()
        self._looked_ms = clock.monotonic_ms()

    def take(self) -> float:
        """Count some hands, and look for signs when that is due."""
        counted = counting.count_waiting()
        now_ms = clock.monotonic_ms()
        if now_ms - self._looked_ms >= LOOK_EVERY_MS:
            self._looked_ms = now_ms
            while scoring.look_for_signs() and not self.stopping.wait(BREATH_S):
                pass
            pruning.prune_conduct_hourly()
        return BREATH_S if counted >= counting.HANDS_AT_ONCE_MAX else TURN_S


class ConductStep(TurnStep):
    """Start the thread of conduct with every Celery worker that settles."""

    takes_turns = ConductThread
