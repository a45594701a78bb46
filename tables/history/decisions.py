"""Time and origin of each decision of a finished hand, beside the events it led to."""

from __future__ import annotations

import msgspec

from tables.dealer.record import HandRecord
from tables.dealer.state import MadeBy


class Decision(msgspec.Struct, frozen=True):
    """A decision of a hand: `event` counts the hand's events before the one of the decision.

    `at_ms` is the time since the hand began, `used_ms` that since the decision before it.
    """

    event: int
    seat: int
    at_ms: int
    used_ms: int
    made_by: MadeBy


def decisions(kept: HandRecord) -> tuple[Decision, ...]:
    """Return the decisions of a hand in order; none for records older than the notes."""
    if not kept.notes:
        return ()
    dealt, *followed = kept.steps()
    found: list[Decision] = []
    event, before_ms = len(dealt), 0
    for played, note, events in zip(kept.actions, kept.notes, followed, strict=False):
        used_ms = max(0, note.at_ms - before_ms)
        found.append(Decision(event, played.seat, note.at_ms, used_ms, note.made_by))
        event += len(events)
        before_ms = note.at_ms
    return tuple(found)
