"""Prompt stop of a worker: a signal wakes its loop, which looks only once a second by itself."""

from __future__ import annotations

import signal
import socket
from contextlib import suppress
from typing import Any

from celery import bootsteps

WAIT_MAX_S = 0.05
"""Wait in one command to the broker, whose answer a worker that stops must still read.

An idle server notices the end of a wait up to 100 ms late.
"""


class PromptStop(bootsteps.StartStopStep):
    """Step of a Celery consumer by which each signal ends the wait for messages.

    Celery's handler of SIGTERM only notes the wish to stop, and Python goes on waiting afterwards.
    """

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self._wakes, self._woken = socket.socketpair()
        for end in (self._wakes, self._woken):
            end.setblocking(False)

    def register_with_event_loop(self, _: Any, hub: Any) -> None:
        """Let signals wake this loop; called in the main thread at each connection to a broker."""
        hub.add_reader(self._woken.fileno(), self._drain)
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)

    def _drain(self) -> None:
        with suppress(BlockingIOError):
            self._woken.recv(4_096)
