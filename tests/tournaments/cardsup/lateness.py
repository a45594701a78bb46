"""Lateness of the hands of cards-up streams, seen by a reader of the streams."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator, Sequence
from typing import Any

from redis import Redis

from config import clock
from tables.cardsup.timeline import timeline
from tables.history.kept import whole_of
from tables.models import Hand

BLOCK_MS = 500


class ToldHand:
    """A hand that is told: when its events are due, and how late each was, in ms."""

    def __init__(self, first: dict[str, Any], table: int) -> None:
        kept = whole_of(Hand.objects.get(table=table, number=first["hand"]))
        starts_ms = kept.began_ms + first["delay_ms"]
        assert first["began_ms"] == kept.began_ms and starts_ms >= kept.released_ms
        self.hand, self.table = first["hand"], table
        self.due_ms = [starts_ms, *(starts_ms + one.at_ms for one in timeline(kept))]
        self.late_ms: list[int] = []

    def tell(self, at_ms: int) -> None:
        """Note an event that Redis took at a time."""
        self.late_ms.append(at_ms - self.due_ms[len(self.late_ms)])


def told_hands(redis: Redis, streams: dict[bytes, int], until_s: float) -> Iterator[ToldHand]:
    """Follow streams of tables until a time; yield each hand that was told whole meanwhile."""
    # Not "$", which would leave out what comes between two reads.
    last: Any = {stream: _newest(redis, stream) for stream in streams}
    told: dict[bytes, ToldHand] = {}
    while time.monotonic() < until_s:
        answer: Any = redis.xread(last, block=BLOCK_MS)
        at_ms = clock.redis_now_ms(redis)
        for stream, batches in (answer or {}).items():
            for entry, fields in batches[0]:
                last[stream] = entry
                event = json.loads(fields[b"e"])
                if event["type"] == "hand_retold":
                    told[stream] = ToldHand(event, streams[stream])
                hand = told.get(stream)
                if hand is None:
                    continue
                hand.tell(at_ms)
                if len(hand.late_ms) == len(hand.due_ms):
                    yield told.pop(stream)


def _newest(redis: Redis, stream: bytes) -> bytes:
    """Return the number of the newest entry of a stream."""
    entries: Any = redis.xrevrange(stream, count=1)
    return bytes(entries[0][0]) if entries else b"0-0"


def spread(hands: Sequence[ToldHand]) -> str:
    """Least, middle, p99 and most lateness of the events of some hands, in words."""
    late_ms = [ms for hand in hands for ms in hand.late_ms]
    cuts = statistics.quantiles(late_ms, n=100)
    return (
        f"{len(hands)} hands, {len(late_ms)} events: least {min(late_ms)}, p50 {cuts[49]:.0f},"
        f" p99 {cuts[98]:.0f}, max {max(late_ms)} ms late"
    )
