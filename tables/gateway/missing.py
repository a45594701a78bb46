"""Cache of streams that strangers may not follow, so that asking again is cheap."""

from __future__ import annotations

from collections import OrderedDict

from config import limits


class Missing:
    """Names of streams that strangers asked for in vain, the oldest forgotten first."""

    def __init__(self) -> None:
        self._until_s: OrderedDict[str, float] = OrderedDict()

    def note(self, stream: str, now_s: float) -> None:
        """Remember that this stream does not exist for strangers now."""
        self._until_s.pop(stream, None)
        self._until_s[stream] = now_s + limits.STREAM_MISSING_S
        while len(self._until_s) > limits.STREAMS_MISSING_MAX:
            self._until_s.popitem(last=False)

    def has(self, stream: str, now_s: float) -> bool:
        """Return whether the stream did not exist for strangers a moment ago."""
        return self._until_s.get(stream, 0.0) > now_s

    def forget(self, stream: str) -> None:
        """Forget a stream after an event was published on it."""
        self._until_s.pop(stream, None)
