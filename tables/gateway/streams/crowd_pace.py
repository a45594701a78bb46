"""Pace of the turns in which the crowd of one stream gets its frames."""

from __future__ import annotations

from collections.abc import Sequence

from config import limits
from tables.gateway.streams.known_kinds import StreamKind
from tables.gateway.streams.recent import Position


class CrowdPace:
    """Calm turns while all that is new can wait, quicker ones once an event presses.

    It presses until everybody had a turn that began after it.
    """

    def __init__(self, kind: StreamKind) -> None:
        self._kind = kind
        self._pressing: Position | None = None
        self._told_of: Position | None = None

    def hear(self, news: Sequence[tuple[Position, bytes]]) -> bool:
        """Note new events; return whether these end the calm."""
        if not self._kind.calm:
            return False
        was_calm = self._pressing is None
        pressing = (at for at, event in news if not self._kind.is_calm(event))
        self._pressing = max(pressing, default=self._pressing)
        return was_calm and self._pressing is not None

    def begin(self) -> None:
        """Begin the turns."""
        self._told_of = self._pressing

    def end(self) -> None:
        """End the turns: everybody had one."""
        if self._pressing == self._told_of:
            self._pressing = None

    @property
    def turn_s(self) -> float:
        """Time to the next turn, of FRAMES_AT_ONCE_MAX frames, in seconds."""
        is_calm = self._kind.calm and self._pressing is None
        most = limits.CALM_FRAMES_PER_S_MAX if is_calm else limits.CROWD_FRAMES_PER_S_MAX
        return limits.FRAMES_AT_ONCE_MAX / most
