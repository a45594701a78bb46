"""Spread the periodic comparison of streams over 20 slices so that it never delays events."""

from __future__ import annotations

from collections.abc import Iterable

PARTS = 20
"""Number of slices of a round."""

PART_STREAMS_MIN = 100


class Rounds:
    """Streams of a round that are still to be compared, and the size of a slice."""

    def __init__(self) -> None:
        self._rest: list[str] = []
        self._at_once = PART_STREAMS_MIN

    def begin(self, streams: Iterable[str]) -> None:
        """Begin a new round of these streams; those left over from the last round come first."""
        followed = dict.fromkeys(streams)
        late = dict.fromkeys(stream for stream in self._rest if stream in followed)
        self._rest = [*late, *(stream for stream in followed if stream not in late)]
        self._at_once = max(PART_STREAMS_MIN, -(-len(self._rest) // PARTS))

    def part(self) -> list[str]:
        """Return the next slice; empty when the round is over."""
        part, self._rest = self._rest[: self._at_once], self._rest[self._at_once :]
        return part

    @property
    def over(self) -> bool:
        """True when every stream of the round was handed out."""
        return not self._rest
