"""Request to stop a process, noted so that the step in progress is done first."""

from __future__ import annotations

import select
import signal
import socket
from contextlib import suppress
from types import FrameType


class StopRequest:
    """Note of SIGTERM for a loop in the main thread; a second signal ends the process at once."""

    def __init__(self) -> None:
        self._wakes, self._woken = socket.socketpair()
        for end in (self._wakes, self._woken):
            end.setblocking(False)
        self._is_made = False

    @property
    def is_made(self) -> bool:
        """Return whether the process was told to stop."""
        return self._is_made

    def listen(self) -> None:
        """Note SIGTERM from now on; called in the main thread."""
        signal.signal(signal.SIGTERM, self._note)

    def wait(self, seconds: float) -> None:
        """Sleep until the time is over or the process is told to stop."""
        select.select([self._woken], [], [], seconds)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._is_made = True
        signal.signal(number, signal.SIG_DFL)
        # A byte stays in the pipe, so that also a wait that begins after the signal ends.
        with suppress(BlockingIOError):
            self._wakes.send(b"\0")
