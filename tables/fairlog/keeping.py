"""Settle workers as keepers of the log: their key at the start, and the thread that takes turns."""

from __future__ import annotations

from config.process.turn_thread import TurnStep, TurnThread
from tables.fairlog import log_keys
from tables.fairlog.keeper import LEAVES_AT_ONCE_MAX, Keeper
from tables.workers import key_files, starting

LOOK_S = 2.5
"""Pause between two looks; a leaf that waits at two of them gets its place: within five seconds.

A turn costs as much for one leaf as for twenty. The room promises a minute.
"""

AGAIN_S = 5.0
"""Pause after a failed turn."""


def hold_key(kind: str) -> None:
    """Compare the log key of a worker that settles with the newest one that the log tells.

    Raises environment.KeyFileMissing: another key would sign heads that nobody expects.
    """
    # While it cannot be compared, a key that was replaced is refused by the keeper all the same.
    if kind == starting.SETTLING:
        key_files.require_known("log", log_keys.public_log_key, _newest_log_key)


def _newest_log_key() -> list[bytes]:
    return [keys.log for keys in log_keys.told_keys()[-1:]]


class KeeperThread(TurnThread):
    """Append what is pending to the log, while this process is its keeper."""

    name, first_s, again_s = "log", LOOK_S, AGAIN_S

    def __init__(self) -> None:
        super().__init__()
        self._keeper = Keeper()
        self._is_behind = False

    def take(self) -> float:
        """Look, and take one turn as keeper if it is due; return the pause in seconds.

        A full turn is followed by the next one at once. After a failure the end of the log is read
        anew.
        """
        try:
            if not (self._is_behind or self._keeper.is_due()):
                return LOOK_S
            self._is_behind = self._keeper.take_turn() >= LEAVES_AT_ONCE_MAX
        except Exception:
            self._keeper.forget()
            raise
        return 0.0 if self._is_behind else LOOK_S


class KeeperStep(TurnStep):
    """Start the keeper's thread with every Celery worker that settles."""

    takes_turns = KeeperThread
