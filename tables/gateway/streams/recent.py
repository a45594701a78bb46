"""Newest events of one stream in this process, cut into frames that many sockets share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

Position = tuple[int, int]
"""An event id `epoch-seq` as numbers; positions are ordered as the events are."""

START: Position = (0, 0)
"""Position before the first event of a stream."""


def position(event_id: str | bytes) -> Position:
    """Return the position of an id like "3-17"."""
    text = event_id.decode() if isinstance(event_id, bytes) else event_id
    epoch, _, seq = text.partition("-")
    return int(epoch), int(seq)


def name(at: Position) -> str:
    """Return the id of a position, e.g. "3-17"."""
    return f"{at[0]}-{at[1]}"


class Batch:
    """Consecutive events of a stream as one audience sees them, encoded once for all sockets."""

    def __init__(self, stream: str, last: Position, events: Sequence[bytes]) -> None:
        self.stream = stream
        self.last = last
        self.count = len(events)
        self.body = b",".join(events)

    @cached_property
    def frame(self) -> str:
        """Message with these events and nothing else."""
        return events_frame(self.stream, [self])


def events_frame(stream: str, batches: Iterable[Batch]) -> str:
    """Return one `events` message of consecutive batches; event bytes are joined, never decoded.

    A batch without events, sent after a resumption that missed nothing, adds nothing.
    """
    head = b'{"type":"events","stream":"' + stream.encode() + b'","events":['
    return (head + b",".join(batch.body for batch in batches if batch.body) + b"]}").decode()


def snapshot_frame(stream: str, event_id: str, state: bytes) -> str:
    """Return the `snapshot` message of a stream at an event id; `state` is JSON already."""
    head = f'{{"type":"snapshot","stream":"{stream}","id":"{event_id}","state":'
    return head + state.decode() + "}"


class Recent:
    """Tail of a stream without a gap; older events fall off the front."""

    # Each user has a stream of notices: no dictionary of attributes and no deque for each.
    __slots__ = ("_batches", "_events", "_keep", "_private", "_whole", "base", "last", "stream")

    def __init__(self, stream: str, start: Position, *, keep: int) -> None:
        self.stream = stream
        self._keep = keep
        # Per entry, the position after which its private events are complete here.
        self._whole: dict[int, Position] = {}
        self._restart(start)

    def _restart(self, start: Position) -> None:
        self.base = start
        self.last = start
        self._events: list[tuple[Position, bytes]] = []
        self._private: dict[int, dict[Position, bytes]] = {}
        self._batches: dict[tuple[int | None, Position], Batch] = {}

    def extend(
        self,
        public: Iterable[tuple[Position, bytes]],
        private: Mapping[int, Iterable[tuple[Position, bytes]]],
    ) -> bool:
        """Add events read after `last`; True when some are new. A gap starts the tail anew.

        `private` holds, for every entry that was read with them, the events it sees differently.
        """
        before = self.last
        for at, event in public:
            if at <= self.last:
                continue
            if at != (self.last[0], self.last[1] + 1):
                self._restart((at[0], at[1] - 1))
            self._events.append((at, event))
            self.last = at
        self._whole = {entry: self._whole.get(entry, before) for entry in private}
        if self.last == before:
            return False
        self._batches.clear()
        for entry, events in private.items():
            own = self._private.setdefault(entry, {})
            own.update((at, event) for at, event in events if self.base < at <= self.last)
        self._trim()
        return True

    def _trim(self) -> None:
        if (over := len(self._events) - self._keep) > 0:
            self.base, _ = self._events[over - 1]
            del self._events[:over]
        self._private = {entry: self._private.get(entry, {}) for entry in self._whole}
        for own in self._private.values():
            for at in [at for at in own if at <= self.base]:
                del own[at]

    def reaches(self, at: Position, entry: int | None) -> bool:
        """Return whether every event after `at` is here as `entry` sees it (None: the public)."""
        if at >= self.last:
            return True
        if at[0] != self.last[0] or at < self.base:
            return False
        return entry is None or (entry in self._whole and at >= self._whole[entry])

    def after(self, at: Position, entry: int | None) -> Batch | None:
        """Return the events after `at` as `entry` sees them; None when there are none."""
        assert self.reaches(at, entry)
        if at >= self.last:
            return None
        own = {} if entry is None else self._private.get(entry, {})
        key = (entry if own else None, at)
        if key not in self._batches:
            rest = self._events[at[1] - self.base[1] :]
            events = [own.get(event_at, event) for event_at, event in rest]
            self._batches[key] = Batch(self.stream, self.last, events)
        return self._batches[key]
