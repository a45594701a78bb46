"""Deals what is compared once a round out over the round, so that no event waits for all of it."""

from __future__ import annotations

from collections.abc import Iterable

PARTS = 20
"""In how many parts a round is dealt out."""

PART_STREAMS_MIN = 100


class Rounds:
    """The streams of a round that still have to be compared, and how many at a time."""

    def __init__(self) -> None:
        self._rest: list[str] = []
        self._at_once = PART_STREAMS_MIN

    def begin(self, streams: Iterable[str]) -> None:
        """A new round, of all these streams; what the last one did not come to goes first."""
        wanted = dict.fromkeys(streams)
        late = dict.fromkeys(stream for stream in self._rest if stream in wanted)
        self._rest = [*late, *(stream for stream in wanted if stream not in late)]
        self._at_once = max(PART_STREAMS_MIN, -(-len(self._rest) // PARTS))

    def part(self) -> list[str]:
        """The next ones; none when the round is over."""
        part, self._rest = self._rest[: self._at_once], self._rest[self._at_once :]
        return part

    @property
    def over(self) -> bool:
        """Whether every stream of the round was dealt out."""
        return not self._rest
