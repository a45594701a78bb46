"""Histograms and counters of all processes of a room, and the difference of two moments."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.samples import Sample


@dataclass(frozen=True, slots=True)
class Spans:
    """Number of spans up to each bound in s, and the sum of all spans in s."""

    at_most: Mapping[float, float] = field(default_factory=dict)
    total_s: float = 0.0

    def since(self, before: Spans) -> dict[str, Any]:
        """Return number, mean, and p50, p99 and max in ms of the spans since an earlier reading.

        p50, p99 and max are upper bounds; None when spans exceeded the histogram's last bound.
        """
        new = {bound: n - before.at_most.get(bound, 0.0) for bound, n in self.at_most.items()}
        count = new.get(math.inf, 0.0)
        mean_s = (self.total_s - before.total_s) / count if count else 0.0
        return {
            "count": round(count),
            "mean_ms": round(1_000 * mean_s, 3),
            "p50_at_most_ms": _bound_ms(new, 0.5 * count),
            "p99_at_most_ms": _bound_ms(new, 0.99 * count),
            "max_at_most_ms": _bound_ms(new, count),
        }


def spans_of(folder: Path, name: str) -> Spans:
    """Return the histogram of that name, summed over the processes that share `folder`."""
    at_most: dict[float, float] = {}
    total_s = 0.0
    for sample in _samples(folder):
        if sample.name == f"{name}_bucket":
            at_most[float(sample.labels["le"])] = sample.value
        elif sample.name == f"{name}_sum":
            total_s = sample.value
    return Spans(at_most, total_s)


def counts_of(folder: Path, name: str, label: str) -> dict[str, int]:
    """Return the counter of that name by the values of a label, summed like `spans_of`."""
    return {
        sample.labels[label]: round(sample.value)
        for sample in _samples(folder)
        if sample.name == name
    }


def _samples(folder: Path) -> Iterator[Sample]:
    registry = CollectorRegistry()
    # The library leaves it without types.
    MultiProcessCollector(registry, path=str(folder))  # type: ignore[no-untyped-call]
    for metric in registry.collect():
        yield from metric.samples


def _bound_ms(counts: Mapping[float, float], wanted: float) -> float | None:
    """Return the lowest bound in ms that covers `wanted` spans; 0 without spans."""
    if not wanted:
        return 0.0
    bound = min(bound for bound, count in counts.items() if count >= wanted)
    return None if math.isinf(bound) else 1_000 * bound
