"""Background polling of one question, so that a hung server blocks no other thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class PolledAnswer(Generic[Answer]):
    """Newest answer of `ask`, which is polled every so many seconds until `close`."""

    def __init__(self, ask: Callable[[], Answer], first: Answer, every_s: float) -> None:
        self._ask = ask
        self._every_s = every_s
        self._answer = first
        self._closing = threading.Event()
        threading.Thread(target=self._run, name="asking", daemon=True).start()

    @property
    def answer(self) -> Answer:
        """Return the newest answer, or the first value before any answer."""
        return self._answer

    def close(self) -> None:
        """Stop polling."""
        self._closing.set()

    def _run(self) -> None:
        while True:
            self._answer = self._ask()
            if self._closing.wait(self._every_s):
                return
