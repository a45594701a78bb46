"""Counts and measurements of a swarm, and its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from room_client.messages.frames import Bye, Refused, TakenOver

VIOLATIONS_KEPT = 100
_BUCKETS_PER_MS = 10


class Spread:
    """Distribution of milliseconds in buckets of a tenth, so that any number of values is cheap."""

    def __init__(self) -> None:
        self._buckets: Counter[int] = Counter()
        self._max_ms = 0.0

    def add(self, ms: float) -> None:
        """Count one measurement."""
        self._buckets[int(ms * _BUCKETS_PER_MS)] += 1
        self._max_ms = max(self._max_ms, ms)

    def take(self) -> dict[str, Any]:
        """Return and clear the measurements since the last call: buckets of 0.1 ms, and the max."""
        taken = self.parts()
        self._buckets, self._max_ms = Counter(), 0.0
        return taken

    def parts(self) -> dict[str, Any]:
        """Return all measurements as `put` adds them: buckets of 0.1 ms, and the maximum."""
        return {"buckets": dict(self._buckets), "max": self._max_ms}

    def put(self, taken: dict[str, Any]) -> None:
        """Add the measurements of another process, direct or read back from JSON."""
        for bucket, count in taken["buckets"].items():
            self._buckets[int(bucket)] += count
        self._max_ms = max(self._max_ms, taken["max"])

    def summary(self) -> dict[str, float | int | None]:
        """Return count, p50, p99 and max in ms; None without measurements."""
        count = sum(self._buckets.values())
        if not count:
            return {"count": 0, "p50": None, "p99": None, "max": None}
        return {
            "count": count,
            "p50": self._at(0.50, count),
            "p99": self._at(0.99, count),
            "max": round(self._max_ms, 1),
        }

    def _at(self, share: float, count: int) -> float:
        wanted, seen = share * count, 0
        for bucket in sorted(self._buckets):
            seen += self._buckets[bucket]
            if seen >= wanted:
                break
        return min(round((bucket + 1) / _BUCKETS_PER_MS, 1), round(self._max_ms, 1))


class Tally:
    """Counts of a whole swarm; all its bots write into them."""

    def __init__(self) -> None:
        self.latency = Spread()
        self.newest = Spread()
        self.lateness = Spread()
        self.faster = 1.0
        self.refused: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.hands: set[tuple[int, int, int]] = set()
        self.violations: list[str] = []
        self.violations_seen = 0
        self.violated: Callable[[], None] | None = None
        """Callback after each violation, run before anything else happens in this process."""

    def told(self, message: object) -> None:
        """Count a refusal, a table taken over, or a goodbye; other messages are not counted."""
        match message:
            case Refused(code=code):
                self.refused[code] += 1
            case TakenOver():
                self.counts["taken_over"] += 1
            case Bye(code=code):
                self.counts[f"bye_{code}"] += 1
            case _:
                pass

    def measured(self, ms: float) -> None:
        """Note an action that came back on the stream `ms` after it was sent."""
        self.latency.add(ms)
        self.newest.add(ms)

    def violate(self, found: list[str]) -> None:
        """Note violations; the first ones are kept in full."""
        self.violations_seen += len(found)
        self.violations.extend(found[: max(0, VIOLATIONS_KEPT - len(self.violations))])
        if found and self.violated is not None:
            self.violated()

    def parts(self) -> dict[str, Any]:
        """Return all counts in JSON types, in the form that `put` adds."""
        return {
            "latency": self.latency.parts(),
            "refused": dict(self.refused),
            "counts": dict(self.counts),
            "hands": sorted(self.hands),
            "violations": self.violations,
            "violations_seen": self.violations_seen,
        }

    def put(self, parts: dict[str, Any]) -> None:
        """Add the counts of another tally."""
        self.latency.put(parts["latency"])
        self.refused.update(parts["refused"])
        self.counts.update(parts["counts"])
        self.hands.update((table, epoch, hand) for table, epoch, hand in parts["hands"])
        self.violations.extend(parts["violations"][: VIOLATIONS_KEPT - len(self.violations)])
        self.violations_seen += parts["violations_seen"]

    def report(self) -> dict[str, Any]:
        """Return the report as one JSON object."""
        return {
            "hands_seen": len(self.hands),
            "decisions": self.counts["decisions"],
            "registered": self.counts["registered"],
            "reconnects": self.counts["reconnects"],
            "snapshots": self.counts["snapshots"],
            "frames": self.counts["frames"],
            "bytes": self.counts["bytes"],
            "timed_out": self.counts["timed_out"],
            "taken_over": self.counts["taken_over"],
            "pages": self.counts["pages"],
            "requests": self.counts["requests"],
            "requests_failed": self.counts["requests_failed"] + self.counts["pages_failed"],
            "refusals": dict(self.refused),
            "commands_rejected": sum(self.refused.values()),
            "action_to_stream_ms": self.latency.summary(),
            "violations": self.violations,
            "violations_seen": self.violations_seen,
        }
