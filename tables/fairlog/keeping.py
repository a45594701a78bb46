"""Thread of every settle worker that takes turns as keeper of the log."""

from __future__ import annotations

from config.process.turn_thread import TurnStep, TurnThread
from tables.fairlog.keeper import LEAVES_AT_ONCE_MAX, Keeper

TURN_S = 1.0
"""Pause between two turns; a full turn is followed by the next one at once."""

AGAIN_S = 5.0
"""Pause after a failed turn."""


class KeeperThread(TurnThread):
    """Append what is pending to the log, while this process is its keeper."""

    name, first_s, again_s = "log", TURN_S, AGAIN_S

    def __init__(self) -> None:
        super().__init__()
        self._keeper = Keeper()

    def take(self) -> float:
        """Take one turn as keeper; after a failure the end of the log is read anew."""
        try:
            appended = self._keeper.take_turn()
        except Exception:
            self._keeper.forget()
            raise
        return 0.0 if appended >= LEAVES_AT_ONCE_MAX else TURN_S


class KeeperStep(TurnStep):
    """Start the keeper's thread with every Celery worker that settles."""

    takes_turns = KeeperThread
