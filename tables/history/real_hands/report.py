"""Report on a file of real hands: how many are exact, and the reason for each other hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from tables.history.real_hands.record import read
from tables.history.real_hands.replay import NotExact, replay
from tables.history.real_hands.stud_deck import CannotBeDealt


class Odd(NamedTuple):
    """A hand that is not exact; `explained` gives the reason when the record itself is odd."""

    hand: str
    verdict: Literal["not exact", "unreadable"]
    reason: str
    explained: str = ""

    def line(self) -> str:
        """Return the hand as one line of text."""
        why = f" [explained: {self.explained}]" if self.explained else ""
        return f"{self.hand}: {self.verdict}: {self.reason}{why}"


class Report(NamedTuple):
    """Counts of a file, and every odd hand in it."""

    hands: int
    odd: tuple[Odd, ...]

    @property
    def unexplained(self) -> int:
        """Number of hands that are neither exact nor in the list of explained ones."""
        return sum(not odd.explained for odd in self.odd)

    def counts(self) -> dict[str, int]:
        """Hands by verdict; explained ones count as not exact."""
        unreadable = sum(odd.verdict == "unreadable" for odd in self.odd)
        return {
            "hands": self.hands,
            "exact": self.hands - len(self.odd),
            "not_exact": len(self.odd) - unreadable,
            "unreadable": unreadable,
        }

    def summary(self) -> str:
        """Return the last line of the report."""
        return (
            "{hands} hands, {exact} exact, {not_exact} not exact, {unreadable} unreadable".format(
                **self.counts()
            )
        )

    def as_json(self) -> dict[str, Any]:
        """Return the report in JSON types."""
        return {
            **self.counts(),
            "unexplained": self.unexplained,
            "odd": [odd._asdict() for odd in self.odd],
        }


def report(lines: Iterable[bytes], explained: Mapping[str, str]) -> Report:
    """Replay every line that is not empty."""
    hands, odd = 0, []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        hands += 1
        if (found := _odd(number, line, explained)) is not None:
            odd.append(found)
    return Report(hands, tuple(odd))


def _odd(number: int, line: bytes, explained: Mapping[str, str]) -> Odd | None:
    try:
        hand = read(line)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        return Odd(f"line {number}", "unreadable", str(error))
    try:
        replay(hand)
    except (NotExact, CannotBeDealt) as difference:
        return Odd(hand.id, "not exact", str(difference), explained.get(hand.id, ""))
    except AssertionError as broken:
        return Odd(hand.id, "not exact", f"the engine cannot deal it: {broken}")
    return None
