"""Plan of a hand told again: when it starts, and which of its events are due."""

from __future__ import annotations

from collections.abc import Sequence

from tables.cardsup.timeline import TimedEvent
from tables.dealer.record import HandRecord


def start_ms(hand: HandRecord, delay_ms: int, *, free_ms: int) -> int:
    """Return when a hand starts to be told: its delay after its start, never before its release.

    `free_ms` is the end of the hand told before it on the stream.
    """
    return max(hand.began_ms + delay_ms, hand.released_ms, hand.ended_ms, free_ms)


def due_count(told: Sequence[TimedEvent], starts_ms: int, now_ms: int) -> int:
    """Return how many events of a hand are due: all those before the first that is not."""
    for number, timed in enumerate(told):
        if starts_ms + timed.at_ms > now_ms:
            return number
    return len(told)


def end_ms(told: Sequence[TimedEvent], starts_ms: int) -> int:
    """Return when the last event of a hand is due."""
    return starts_ms + (told[-1].at_ms if told else 0)
