"""Schedule of a run-out: hands up, a pause before each street, then the result (S-04)."""

from __future__ import annotations

from collections.abc import Sequence

from tables.dealer.state import Beat, RunOut
from tables.engine.events import (
    CardsShown,
    HandEvent,
    HandsRevealed,
    Mucked,
    PotAwarded,
    StreetDealt,
)
from tables.wire.table_events import RunOutBegan, StreetTime

RESULT = (CardsShown, Mucked, PotAwarded)
"""Events that tell the winner; the first of them after the last street begins the result."""


def schedule(
    hand: int, last: Sequence[HandEvent], *, now_ms: int, breath_ms: int
) -> tuple[int, RunOut | None]:
    """Return how many events after the last action are published now, and the run-out of the
    others.

    `last` are the events of the action that ended the hand. All are published now, without a
    run-out, when no card is dealt and no hand turned up after that action, or when `breath_ms` is
    0. The times depend only on the kinds of the events, so that they reveal nothing of the result.
    """
    starts = _starts(last) if breath_ms else []
    if not starts:
        return len(last), None
    ends = [*starts[1:], len(last)]
    beats = tuple(
        Beat(now_ms + number * breath_ms, tuple(last[start:end]))
        for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=1)
    )
    streets = tuple(
        StreetTime(beat.events[0].street, beat.at_ms)
        for beat in beats
        if isinstance(beat.events[0], StreetDealt)
    )
    return starts[0], RunOut(RunOutBegan(hand, streets, beats[-1].at_ms), beats)


def withheld(run_out: RunOut | None) -> int:
    """Return how many events of the hand are not published yet."""
    return 0 if run_out is None else sum(len(beat.events) for beat in run_out.coming)


def _starts(last: Sequence[HandEvent]) -> list[int]:
    """Index of the first event of each later beat: every street, and the result."""
    streets = [at for at, event in enumerate(last) if isinstance(event, StreetDealt)]
    if not streets and not any(isinstance(event, HandsRevealed) for event in last):
        return []
    shown = streets[-1] if streets else 0
    result = next(at for at in range(shown, len(last)) if isinstance(last[at], RESULT))
    return [*streets, result]
