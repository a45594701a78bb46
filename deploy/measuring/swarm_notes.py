"""Notes that swarms write every second, summed between two moments."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tables.bots.tally import Spread


class Seen:
    """Counts of several swarms, round-trip times of actions, and how late the swarms were."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.latency = Spread()
        self.lateness = Spread()


def seen_between(courses: Iterable[Path], began_at: float, ended_at: float) -> Seen:
    """Return the sum of notes after `began_at` and until `ended_at`, in s since the epoch."""
    seen = Seen()
    for course in courses:
        before: dict[str, int] = {}
        for line in _lines(course):
            if line["at"] <= began_at:
                before = line["counts"]
            elif line["at"] <= ended_at:
                # Counts only grow, so each note's news is its difference to the note before.
                new = {key: n - before.get(key, 0) for key, n in line["counts"].items()}
                seen.counts.update(new)
                seen.latency.put(line["latency"])
                seen.lateness.put(line["lateness"])
                before = line["counts"]
    return seen


def _lines(course: Path) -> Iterator[dict[str, Any]]:
    if not course.exists():
        return
    for text in course.read_text().splitlines(keepends=True):
        if text.endswith("\n"):  # the last note may be incomplete
            yield json.loads(text)
