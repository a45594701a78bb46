"""Heartbeat of a process: a file that its loop touches at each turn, and the probe of its age.

It asks no server: a process that waits for one that is away is alive.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

FILE = "HEARTBEAT_FILE"
EVERY_S = 1.0
"""Shortest time in s between two touches."""

STUCK_S = 60.0
"""Age in s at which a task or a heartbeat counts as stuck, twice what a task may take."""


class Heartbeat:
    """Heartbeat of this process, told at each turn of its loop.

    A Celery worker tells it from its timer, which turns beside the tasks: `begin` and `end` bound a
    task, and one that lasts too long stops the heart.
    """

    def __init__(self, file: str = "") -> None:
        self._file = file
        self._beat_s = self._began_s = 0.0

    def begin(self) -> None:
        """Note that a task begins."""
        self._began_s = time.monotonic()

    def end(self) -> None:
        """Note that the task ended."""
        self._began_s = 0.0

    @property
    def is_stuck(self) -> bool:
        """Return whether the task in progress lasts too long."""
        began_s = self._began_s
        return began_s > 0 and time.monotonic() - began_s > STUCK_S

    def beat(self) -> bool:
        """Touch the file; return whether it was time to, and no task is stuck."""
        now_s = time.monotonic()
        if now_s - self._beat_s < EVERY_S or self.is_stuck:
            return False
        self._beat_s = now_s
        if self._file:
            Path(self._file).touch()
        return True

    def rest(self, seconds: float) -> None:
        """Sleep, and beat meanwhile."""
        ends_s = time.monotonic() + seconds
        while (left_s := ends_s - time.monotonic()) > 0:
            self.beat()
            time.sleep(min(left_s, EVERY_S))


heart = Heartbeat(os.environ.get(FILE, ""))
"""The heart of this process."""


def main() -> None:
    """Exit with 1 and the age in s when the heartbeat of the process beside is too old."""
    try:
        age_s = time.time() - Path(os.environ[FILE]).stat().st_mtime
    except (KeyError, FileNotFoundError):
        sys.exit(f"no heartbeat: {FILE} names no file that a process touched")
    if age_s > STUCK_S:
        sys.exit(f"the last heartbeat is {age_s:.0f} s old, at most {STUCK_S:g} are allowed")


if __name__ == "__main__":
    main()
