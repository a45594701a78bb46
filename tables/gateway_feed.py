"""The newest events of one stream in this process, cut into frames that many sockets share."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from functools import cached_property

Position = tuple[int, int]
"""An event id `epoch-seq` as numbers; positions are ordered as the events are."""

START: Position = (0, 0)
"""Before the first event of a stream."""


def position(event_id: str | bytes) -> Position:
    """The position an id like "3-17" names."""
    text = event_id.decode() if isinstance(event_id, bytes) else event_id
    epoch, _, seq = text.partition("-")
    return int(epoch), int(seq)


def name(at: Position) -> str:
    """The id of a position, e.g. "3-17"."""
    return f"{at[0]}-{at[1]}"


class Batch:
    """Some consecutive events of a stream as one audience sees them, encoded once for all of it."""

    def __init__(self, stream: str, last: Position, events: Sequence[bytes]) -> None:
        self.stream = stream
        self.last = last
        self.count = len(events)
        self.body = b",".join(events)

    @cached_property
    def frame(self) -> str:
        """The message that carries these events and nothing else."""
        return events_frame(self.stream, [self])


def events_frame(stream: str, batches: Iterable[Batch]) -> str:
    """One `events` message of consecutive batches; event bytes are joined, never decoded."""
    head = b'{"type":"events","stream":"' + stream.encode() + b'","events":['
    return (head + b",".join(batch.body for batch in batches) + b"]}").decode()


def snapshot_frame(stream: str, event_id: str, state: bytes) -> str:
    """The `snapshot` message of a stream at an event id; `state` is JSON already."""
    head = f'{{"type":"snapshot","stream":"{stream}","id":"{event_id}","state":'
    return head + state.decode() + "}"


class Recent:
    """The tail of a stream without a gap in it; older events fall off the front."""

    def __init__(self, stream: str, start: Position, *, keep: int) -> None:
        self.stream = stream
        self._keep = keep
        self._restart(start)

    def _restart(self, start: Position) -> None:
        self.base = start
        self.last = start
        self._events: deque[tuple[Position, bytes]] = deque()
        self._private: dict[int, dict[Position, bytes]] = {}
        self._batches: dict[tuple[int | None, Position], Batch] = {}

    def extend(
        self,
        public: Iterable[tuple[Position, bytes]],
        private: Iterable[tuple[int, Position, bytes]] = (),
    ) -> bool:
        """Add events read after `last`; True when there were new ones, a gap starts the tail anew.

        `private` is (entry, position, event) of what looks different to single entries.
        """
        grew = False
        for at, event in public:
            if at <= self.last:
                continue
            if at != (self.last[0], self.last[1] + 1):
                self._restart((at[0], at[1] - 1))
            self._events.append((at, event))
            self.last = at
            grew = True
        for entry, at, event in private:
            if self.base < at <= self.last:
                self._private.setdefault(entry, {})[at] = event
        if grew:
            self._batches.clear()
            self._trim()
        return grew

    def _trim(self) -> None:
        while len(self._events) > self._keep:
            self.base, _ = self._events.popleft()
        for seen in self._private.values():
            for at in [at for at in seen if at <= self.base]:
                del seen[at]

    def reaches(self, at: Position) -> bool:
        """Whether every event after `at` up to the newest one is here."""
        return at >= self.last or (at[0] == self.last[0] and at >= self.base)

    def after(self, at: Position, entry: int | None) -> Batch | None:
        """What came after `at` as `entry` sees it (None: as everybody does); None when nothing."""
        assert self.reaches(at)
        if at >= self.last:
            return None
        key = (entry if entry in self._private else None, at)
        found = self._batches.get(key)
        if found is None:
            own = self._private.get(key[0], {}) if key[0] is not None else {}
            start = at[1] - self.base[1]
            events = [
                own.get(event_at, event)
                for event_at, event in list(self._events)[start:]
            ]
            found = self._batches[key] = Batch(self.stream, self.last, events)
        return found
