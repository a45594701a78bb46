"""Value that all requests of a process share for a moment, made once instead of for each."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class SharedValue(Generic[Value]):
    """Value of `make` that is made anew once it is `seconds` old; for many threads.

    While one thread makes it anew, the others get the value before. Raises what `make` raises.
    """

    def __init__(self, make: Callable[[], Value], *, seconds: float) -> None:
        self._make = make
        self._seconds = seconds
        self._lock = threading.Lock()
        self._made: tuple[float, Value] | None = None

    def get(self) -> Value:
        """Return the value, made now if it is too old and no other thread is making it."""
        made = self._made
        if made is not None and time.monotonic() - made[0] < self._seconds:
            return made[1]
        # The first value is awaited; later ones are left to whoever came first.
        if not self._lock.acquire(blocking=made is None):
            assert made is not None
            return made[1]
        try:
            if self._made is None or self._made is made:
                self._made = (time.monotonic(), self._make())
            return self._made[1]
        finally:
            self._lock.release()

    def forget(self) -> None:
        """Let the next request make the value anew."""
        self._made = None
