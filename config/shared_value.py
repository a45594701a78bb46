"""Values that all requests of a process share for a moment, made once instead of for each."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

LATE_MAX_S = 2.0
"""Time by which a value may be too old for those who do not wait for the next one."""


class SharedValue(Generic[Value]):
    """Value of `make` that is made anew once it is `seconds` old; for many threads.

    While one thread makes it anew, the others get the value before, unless that is LATE_MAX_S too
    old, as after an idle hour. Raises what `make` raises.
    """

    def __init__(self, make: Callable[[], Value], *, seconds: float) -> None:
        self._make = make
        self._seconds = seconds
        self._lock = threading.Lock()
        self._made: tuple[float, Value] | None = None

    def get(self) -> Value:
        """Return the value, made now if it is too old and no other thread is making it."""
        made = self._made
        late_s = LATE_MAX_S
        if made is not None:
            late_s = time.monotonic() - made[0] - self._seconds
            if late_s < 0:
                return made[1]
        # The first value is awaited; later ones are left to whoever came first.
        if not self._lock.acquire(blocking=late_s >= LATE_MAX_S):
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


class SharedValues(Generic[Key, Value]):
    """Shared values by key, each as a `SharedValue`; beyond `kept` the least lately asked go."""

    def __init__(self, *, seconds: float, kept: int) -> None:
        self._seconds = seconds
        self._kept = kept
        self._lock = threading.Lock()
        self._values: OrderedDict[Key, SharedValue[Value]] = OrderedDict()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key; `make` may serve all later readers of the key, too."""
        with self._lock:
            value = self._values.pop(key, None) or SharedValue(make, seconds=self._seconds)
            self._values[key] = value
            while len(self._values) > self._kept:
                self._values.popitem(last=False)
        return value.get()

    def forget(self) -> None:
        """Let the next request of every key make its value anew."""
        with self._lock:
            self._values.clear()
